"""Compile modules with mypyc: `python -m casino.runtime.compiled.build [FOLDER]`, which `make fast` runs.

The sources are copied to a temporary folder and compiled there, so the source tree does not change. In the
copy, the classes of `OPEN_CLASSES` are marked as extendable; all other text is the same, on the same lines.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

from casino.runtime.compiled import FOLDER, HOME, MANIFEST, SUFFIX, VARIABLE, fingerprint
from casino.runtime.compiled.modules import COMPILED, LIBRARY, OPEN_CLASSES

CONFIG = """[mypy]
python_version = 3.11
check_untyped_defs = true
follow_imports = silent
ignore_missing_imports = true
"""
FUTURE = "from __future__ import annotations\n\n"
MARKED = "from __future__ import annotations; MYPY = False\nif MYPY: from mypy_extensions import mypyc_attr\n"
"""FUTURE with an import that only the compiler reads, on as many lines."""


def compiler() -> str:
    """Return the path of the C compiler, or an empty text if this machine has none."""
    return shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0]) or ""


def build(folder: Path) -> None:
    """Compile the modules and put them into this folder. What the folder contained before is deleted."""
    sources = fingerprint()
    new = folder.with_name(folder.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    with TemporaryDirectory(prefix="catwalk-compile-") as temporary:
        stage = Path(temporary)
        files = _copy(stage)
        _compile(stage, files, new)
    if sources != fingerprint():
        sys.exit("A source changed while the modules were compiled. Run the command again.")
    manifest = {"suffix": SUFFIX, "sources": sources, "modules": [*COMPILED, LIBRARY]}
    (new / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)


def _copy(stage: Path) -> list[str]:
    """Copy the sources and mark the classes of `OPEN_CLASSES`. Return the paths to compile."""
    for package in ("audit", "games"):
        shutil.copytree(HOME / package, stage / package, ignore=shutil.ignore_patterns("__pycache__"))
    files = [f"{name.replace('.', '/')}.py" for name in COMPILED]
    for name, classes in OPEN_CLASSES.items():
        file = stage / f"{name.replace('.', '/')}.py"
        file.write_text(mark(file.read_text(encoding="utf-8"), classes), encoding="utf-8")
    return files


def mark(source: str, classes: tuple[str, ...]) -> str:
    """Return a source in which classes in Python sources may extend these classes."""
    if FUTURE not in source:
        raise ValueError(f"a source does not begin with {FUTURE.strip()!r}")
    source = source.replace(FUTURE, MARKED, 1)
    for name in classes:
        mark = f"\n\n@mypyc_attr(allow_interpreted_subclasses=True)\nclass {name}\\1"
        source, count = re.subn(rf"\n\n\nclass {name}\b(.)", mark, source)
        if count != 1:
            raise ValueError(f"a source has no class {name} after two empty lines")
    return source


def _compile(stage: Path, files: list[str], to: Path) -> None:
    """Compile the files of the copied sources. The C code is in the temporary folder too."""
    (stage / "mypy.ini").write_text(CONFIG)
    subprocess.run(
        [sys.executable, "-m", "casino.runtime.compiled.compile_copy", str(to.absolute()), *files],
        cwd=stage,
        env=os.environ | {"PYTHONPATH": str(HOME), VARIABLE: ""},
        check=True,
    )


if __name__ == "__main__":
    if not compiler():
        sys.exit("There is no C compiler here (cc). Install one, for example with `apt-get install gcc`.")
    target = Path(sys.argv[1] if len(sys.argv) > 1 else FOLDER).absolute()
    build(target)
    print(f"{len(COMPILED)} modules compiled. To use them, set CATWALK_COMPILED={target}")
