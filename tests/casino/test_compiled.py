"""Modules of the games and of replay can be compiled. They yield the same bytes as their sources. They are
used only if they were compiled from the present sources.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from audit.replay import rules_fingerprint
from audit.source_closure import source_file
from casino.runtime import compiled
from casino.runtime.compiled import build, modules
from games import GAMES

STEP = 25
"""Without `make long`, one night and one vector in STEP are compared."""
ROOTS = ("audit.replay", "games")


def closure() -> set[str]:
    """Return the modules of replay and of the games that judge facts."""
    names = {*rules_fingerprint.modules_of_ledger()}
    names.update(name for game in GAMES for name in rules_fingerprint.modules_of(game))
    return {name for name in names if name.startswith(ROOTS)}


def results(folder: str, step: int) -> list[str]:
    """Run `tests.compiled_results` as a process of its own and return its lines."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.compiled_results", str(step)],
        env=os.environ | {compiled.VARIABLE: folder},
        cwd=compiled.HOME,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout.splitlines()


def compare(folder: Path, step: int) -> None:
    """Assert that sources and compiled modules yield the same lines of results."""
    (_, *by_sources), (says, *by_compiled) = results("", step), results(str(folder), step)
    assert says == f"compiled modules: {len(modules.COMPILED)}"
    assert by_sources == by_compiled
    assert len(by_sources) > 20


def test_every_module_that_judges_facts_is_compiled_or_left_out_for_a_reason() -> None:
    patterns = [pattern for names in modules.LEFT_OUT.values() for pattern in names]
    known = closure()
    assert set(modules.COMPILED) <= known
    assert set(modules.OPEN_CLASSES) <= set(modules.COMPILED)
    left_out = known - set(modules.COMPILED)
    assert {name for name in left_out if not any(fnmatchcase(name, pattern) for pattern in patterns)} == set()
    assert {
        pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in left_out)
    } == set()


def test_a_change_of_any_module_that_judges_facts_makes_the_compiled_modules_outdated() -> None:
    judging = {*rules_fingerprint.modules_of_ledger(), *closure()} - {"audit"}
    assert {compiled.HOME / source_file(name) for name in judging} <= {*compiled._sources(compiled.HOME)}


def test_the_copy_that_is_compiled_differs_only_in_its_marks() -> None:
    for name, classes in modules.OPEN_CLASSES.items():
        source = source_file(name).read_text(encoding="utf-8")
        marked = build.mark(source, classes)
        pairs = list(zip(source.splitlines(), marked.splitlines(), strict=True))
        assert [before for before, after in pairs if before != after] == [
            "from __future__ import annotations",
            *[""] * (1 + len(classes)),
        ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"sources": "0"}, "other sources"),
        ({"suffix": ".cpython-300.so"}, "another Python"),
        ({"modules": None}, "no compiled modules"),
        ({"modules": ["casino.runtime.compiled"]}, "was imported before"),
    ],
)
def test_modules_that_do_not_fit_are_not_used(change: dict[str, object], says: str, tmp_path: Path) -> None:
    manifest = {"suffix": compiled.SUFFIX, "sources": compiled.fingerprint(), "modules": []}
    (tmp_path / compiled.MANIFEST).write_text(json.dumps(manifest | change))
    before = list(sys.meta_path)
    state = compiled.use(str(tmp_path))
    assert says in state.problem
    assert not state.modules
    assert sys.meta_path == before


def test_a_folder_without_modules_leaves_the_sources_and_check_says_so(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "manage.py", "check"],
        env=os.environ | {compiled.VARIABLE: str(tmp_path), "CATWALK_DATA": str(tmp_path / "data")},
        cwd=compiled.HOME,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "has no compiled modules. Run `make fast`." in ran.stderr


def test_the_modules_that_make_fast_built_yield_the_same_bytes() -> None:
    if problem := compiled.read(compiled.FOLDER)[0]:
        pytest.skip(problem)
    compare(compiled.FOLDER, STEP)


@pytest.mark.long
def test_modules_compiled_now_yield_the_same_bytes_for_all_nights_and_vectors(tmp_path: Path) -> None:
    if not build.compiler():
        pytest.skip("There is no C compiler here (cc).")
    folder = tmp_path / "compiled"
    subprocess.run(
        [sys.executable, "-m", "casino.runtime.compiled.build", str(folder)], cwd=compiled.HOME, check=True
    )
    compare(folder, 1)
