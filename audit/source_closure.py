"""Find the source files on which a module depends: its own, and those of all project modules that it imports
directly or indirectly.

Imports are read from the source text, including imports inside functions, so that no module is missed. A
fingerprint of these files changes exactly when one of them changes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from pkgutil import iter_modules

PACKAGES = frozenset({"audit", "casino", "games"})
"""The packages of this project. All other packages are libraries, whose versions are pinned."""
GAMES = "games"
"""The package that imports all of its games by name."""
LOADED_BY_NAME = frozenset({"audit.replay.checks"})
"""Packages, except GAMES, that import all of their modules by name."""
DATA = {"audit.controls": ("controls.csv",)}
"""For each module: the data files in its folder that affect its results."""
HOME = Path(__file__).resolve().parents[1]


def closure(roots: Iterable[str], *, every_game: bool = True) -> list[str]:
    """Return these modules and all modules of this project that they import, in alphabetical order.

    Args:
        roots: Dotted names of modules.
        every_game: If a module imports the package `games`, add the modules of all games. If this is False,
            a game is included only if it is among the roots.
    """
    known: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in known:
            known.add(name)
            waiting.extend(_imports(name))
            if every_game and name == GAMES:
                waiting.extend(_modules_in(name))
    return sorted(known)


def fingerprint(modules: Iterable[str]) -> str:
    """Return the SHA-256, in hexadecimal, over the source of these modules and the data that they read."""
    digest = sha256()
    for name in modules:
        file = source_file(name)
        for path in (file, *(file.parent / data for data in DATA.get(name, ()))):
            digest.update(f"{name}\0{path.name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def source_file(name: str) -> Path:
    """Return the path of a module's source file."""
    path = os.path.join(HOME, *name.split("."))
    return Path(path, "__init__.py") if os.path.isdir(path) else Path(path + ".py")


@cache
def _exists(name: str) -> bool:
    """Return True if a dotted name is a module of this project, and not a name in a module."""
    parent, _, last = name.rpartition(".")
    return last in _names_in(parent) and (bool(parent) or name in PACKAGES)


@cache
def _names_in(package: str) -> frozenset[str]:
    """Return the names of the modules and packages in a package. The result is cached, because a process that
    replays facts first waits for a fingerprint.
    """
    if package and not _exists(package):
        return frozenset()
    folder = os.path.join(HOME, *package.split("."))
    if not os.path.isdir(folder):
        return frozenset()
    return frozenset(
        file.removesuffix(".py") for file in os.listdir(folder) if file.endswith(".py") or "." not in file
    )


@cache
def _imports(name: str) -> frozenset[str]:
    """Return the modules of this project that a module imports, and the packages that contain the module."""
    file = source_file(name)
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    imported = imported_names(file.read_text(encoding="utf-8"), package)
    if "." in name:
        imported.add(name.rpartition(".")[0])
    if name in LOADED_BY_NAME:
        imported.update(_modules_in(name))
    return frozenset(module for module in imported if _exists(module))


def imported_names(source: str, package: str = "") -> set[str]:
    """Return the dotted names that the import statements of a source may load: modules, and names in modules.

    A pattern is used instead of a syntax tree, because it is 25 times faster and commands wait for it. It may
    match a line of a text and so add a module, but it never misses one.

    Args:
        package: the package of the source, from which relative imports start.
    """
    names: set[str] = set()
    for origin, parts, modules in _statements(source):
        imported = [part.split()[0] for part in _NOISE.sub("", parts or modules).split(",") if part.strip()]
        module = _absolute(origin, package)
        names.update([module, *(f"{module}.{part}" for part in imported)] if origin else imported)
    return names


def _statements(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield the parts of each import statement. To save time, only lines that contain `import` are compared
    with the pattern.
    """
    at = source.find("import")
    while at >= 0:
        match = _IMPORT.match(source, source.rfind("\n", 0, at) + 1)
        if match:
            yield match[1] or "", match[2] or "", match[3] or ""
        at = source.find("import", max(at + 6, match.end() if match else 0))


def _absolute(name: str, package: str) -> str:
    """Return the absolute name of a module: each leading dot after the first goes up one package."""
    path = name.lstrip(".")
    if path == name:
        return name
    parents = package.split(".")
    return ".".join([*parents[: len(parents) + 1 - (len(name) - len(path))], *filter(None, [path])])


_IMPORT = re.compile(
    r"[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([^\n#]+))"
)
_NOISE = re.compile(r"#[^\n]*|[()]")
"""Comments and parentheses around the names that are imported."""


def _modules_in(package: str) -> list[str]:
    """Return the names of the modules of a package."""
    return [f"{package}.{module.name}" for module in iter_modules([str(HOME.joinpath(*package.split(".")))])]
