# make demo [ARGS="--port 9000"]    the house with a sample month
# make test                         what must pass before a commit is shared; three processes (ARGS="-n 0 -x --pdb" for one)
# make long                         the same with the large counts
# make fast                         compiled copies of the modules that judge facts, in .compiled (needs a C compiler)
# make docs                         the pictures of docs/: screens of the demo, and the architecture
# make lock                         requirements*.txt from pyproject.toml; versions stay where they fit
# make upgrade                      the same with the newest releases
# make mutants [ARGS="games.lucky_7*"] how much of the rules the tests hold fast
PYTHON ?= python3
PY = .venv/bin/python
# A stamp names the content it was made from: a changed file installs again, a touched one does not.
sum = $(shell cat $(1) | cksum | tr ' ' '-')
RUN_STAMP = .venv/installed-$(call sum,requirements.txt)
DEV_STAMP = .venv/installed-dev-$(call sum,requirements.txt tests/requirements.txt)
# Every file has a hash, so pip refuses one that is not the file that was tested. The lists are complete: no dependency is looked up.
INSTALL = $(PY) -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes
COMPILE = $(PY) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command "make lock"

# What the first process that imports a module compiles, the others read.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo fast test long lint ruff chromium compiled mutants docs lock upgrade

demo: $(RUN_STAMP)
	@$(PY) manage.py demo $(ARGS)

# The sources stay the default: CATWALK_COMPILED chooses the compiled modules. docs/scale.md says more.
fast: $(RUN_STAMP)
	$(INSTALL) -r tests/requirements-fast.txt
	$(PY) -m casino.runtime.compiled.build $(ARGS)

test: ruff chromium compiled
	$(call beside_types,$(PY) -m pytest -n 3 --dist worksteal $(ARGS))

long: ruff chromium compiled
	$(call beside_types,CATWALK_COUNTS=long $(PY) -m pytest -m "long or not long" -n 3 --dist worksteal $(ARGS))

# mypy takes one of the cores, so it looks at the types while the tests run; what it says stands at the end, and both must be content.
beside_types = @types=$$(mktemp) && { $(PY) -m mypy >"$$types" 2>&1 & types_of=$$!; $(1); tests=$$?; wait $$types_of; said=$$?; \
	cat "$$types"; rm "$$types"; exit $$((tests != 0 || said != 0)); }

mutants: $(DEV_STAMP)
	$(INSTALL) -r tests/requirements-mutants.txt
	$(PY) -m tests.mutants $(ARGS)

upgrade: COMPILE += --upgrade
upgrade: lock

lock: | .venv/bin/python
	$(INSTALL) -r tests/requirements-lock.txt
	$(COMPILE) pyproject.toml -o requirements.txt
	$(COMPILE) pyproject.toml --group tests -c requirements.txt -o tests/requirements.txt
	$(COMPILE) --group pyproject.toml:mutants -c tests/requirements.txt -o tests/requirements-mutants.txt
	$(COMPILE) --group pyproject.toml:fast -c tests/requirements.txt -o tests/requirements-fast.txt
	$(COMPILE) --group pyproject.toml:tools -o tests/tools/requirements.txt
	$(COMPILE) --group pyproject.toml:superset -o tests/tools/requirements-superset.txt
	$(COMPILE) --group pyproject.toml:tryton -o tests/tools/requirements-tryton.txt
	npm install --prefix tests/tools --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund
	$(COMPILE) --group pyproject.toml:lock -o tests/requirements-lock.txt

docs: $(DEV_STAMP) chromium
	$(PY) -m tests.architecture
	$(PY) -m tests.screenshots $(ARGS)

# The browser tests drive Debian's Chromium; without one they are skipped, and say so.
chromium:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing chromium for the browser tests" \
		&& { apt-get install -y -qq chromium || { apt-get update -qq && apt-get install -y -qq chromium; }; } >/dev/null 2>&1; } \
		|| echo "No chromium here and none could be installed: the browser tests are skipped (as root: apt-get install chromium)"

# Otherwise each process of a test run compiles the same modules at the same time. pytest compiles the files with tests itself.
compiled: $(DEV_STAMP)
	@$(PY) -m compileall -q -j 0 -x '/(test_|conftest)' games audit casino tests >/dev/null || true

lint: ruff
	$(PY) -m mypy

ruff: $(DEV_STAMP)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Catwalk needs Python 3.11 or newer: make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv

$(RUN_STAMP): | .venv/bin/python
	$(INSTALL) -r requirements.txt
	@touch $@

# uv installs the same files by the same hashes in a tenth of pip's time. Where it cannot (it does not read pip's configuration), pip
# installs and says what is wrong. Neither compiles: most modules of the libraries are never imported.
$(DEV_STAMP): | .venv/bin/python
	@{ $(INSTALL) --no-compile -r tests/requirements-lock.txt && timeout 120 $(PY) -m uv pip install --quiet --python $(PY) --no-deps \
		--require-hashes -r tests/requirements.txt; } 2>/dev/null || $(INSTALL) --no-compile -r tests/requirements.txt
	@touch $@ $(RUN_STAMP)
