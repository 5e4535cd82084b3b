"""Run compiled copies of modules that judge facts, if `make fast` built them and CATWALK_COMPILED names their
folder.

The Python sources are the default and the reference. Compiled modules are used only if the same sources, and
this version of Python, made them. Otherwise the sources run, and `manage.py check` says why. The fingerprint
of the rules is the same in both cases, because it is computed from the sources.

This package is imported before all other modules of the project, and imports none of them.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import NamedTuple

VARIABLE = "CATWALK_COMPILED"
MANIFEST = "compiled.json"
"""The file in the folder that says from which sources, and for which Python, the modules were made."""
SOURCES = ("audit/controls.py", "audit/facts", "audit/replay", "games")
"""Files and folders that affect the compiled modules."""
HOME = Path(__file__).resolve().parents[3]
FOLDER = HOME / ".compiled"
"""The folder into which `make fast` puts the modules."""
SUFFIX = EXTENSION_SUFFIXES[0]
"""The end of the names of compiled modules, with the version of Python and the machine."""


class State(NamedTuple):
    """How this process judges facts: the folder and names of the compiled modules, or the reason why none are
    used although CATWALK_COMPILED names a folder.
    """

    folder: str = ""
    modules: tuple[str, ...] = ()
    problem: str = ""


class Finder:
    """An import hook that finds the compiled modules of a folder. For all other modules, it leaves the work
    to Python's own hooks.
    """

    def __init__(self, folder: Path, modules: frozenset[str]) -> None:
        self.folder = folder
        self.modules = modules

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of a compiled module, or None for any other module."""
        if name not in self.modules:
            return None
        return spec_from_file_location(name, self.folder.joinpath(*name.split(".")).with_suffix(SUFFIX))


def fingerprint(home: Path = HOME) -> str:
    """Return the SHA-256, in hexadecimal, over all files of `SOURCES`."""
    digest = sha256()
    for path in _sources(home):
        digest.update(f"{path.relative_to(home)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _sources(home: Path) -> Iterator[Path]:
    for source in SOURCES:
        if source.endswith(".py"):
            yield home / source
        else:
            yield from sorted(home.joinpath(source).rglob("*.py"))


def use(folder: str) -> State:
    """Make Python import the compiled modules of this folder instead of their sources. Return the state of
    this process.

    If the folder is empty text, or its modules cannot be used, the sources are imported as usual.
    """
    if not folder:
        return State()
    problem, modules = read(Path(folder))
    if loaded := [name for name in modules if name in sys.modules]:
        problem = f"{loaded[0]} was imported before the compiled modules could be found."
    if problem:
        return State(folder, problem=problem)
    sys.meta_path.insert(0, Finder(Path(folder).absolute(), frozenset(modules)))
    return State(folder, tuple(name for name in modules if "." in name))


def read(folder: Path) -> tuple[str, list[str]]:
    """Return two values: why the modules of a folder cannot be used, or an empty text if they can; and their
    names.
    """
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        suffix, sources = str(manifest["suffix"]), str(manifest["sources"])
        modules = [str(name) for name in manifest["modules"]]
    except (OSError, ValueError, KeyError, TypeError):
        return f"{folder} has no compiled modules. Run `make fast`.", []
    if suffix != SUFFIX:
        return f"{folder} was made for another Python ({suffix}). Run `make fast`.", []
    if sources != fingerprint():
        return f"{folder} was made from other sources. Run `make fast` again.", []
    return "", modules


STATE = use(os.environ.get(VARIABLE, ""))
"""How this process judges facts. It is set once, at the first import of `casino.runtime`."""
