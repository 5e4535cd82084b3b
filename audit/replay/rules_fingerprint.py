"""By which rules facts were judged: a hash over the source of all modules that judge them.

The modules are those that the two folds import, directly or through others, read from the source itself: a
module that judges is never left out of a list. Of the games, a stream is judged by its own; the ledger, which
asks what approvals cover, by all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from pkgutil import iter_modules

TABLE, LEDGER = "audit.replay.fold", "audit.replay.ledger_fold"
"""The modules that read the facts of a table, and of a property's ledger."""
PACKAGES = frozenset({"audit", "games"})
"""The packages of all modules that judge facts; the rest are libraries, whose versions are pinned."""
LOADED_BY_NAME = frozenset({"audit.replay.checks"})
"""Packages that load every module in them."""
DATA = {"audit.controls": ("controls.csv",)}
"""Files that a module reads, and that are part of what it says."""
HOME = Path(__file__).resolve().parents[2]


@cache
def rules_of(game: str) -> str:
    """Return the hash of the rules by which a stream of this game is judged; empty text: a stream without a
    table.
    """
    from games import GAMES

    return hash_of(closure([TABLE, GAMES[game].module] if game in GAMES else [TABLE]))


@cache
def rules_of_ledger() -> str:
    """Return the hash of the rules that span tables."""
    from games import GAMES

    return hash_of(closure([LEDGER, *(game.module for game in GAMES.values())]))


def closure(roots: Iterable[str], packages: frozenset[str] = PACKAGES) -> list[str]:
    """Return these modules and all that they import of these packages, in alphabetical order."""
    known: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in known:
            known.add(name)
            waiting.extend(_imports(name, packages))
    return sorted(known)


def source(name: str) -> Path:
    """Return the file of a module."""
    path = HOME.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def _imports(name: str, packages: frozenset[str]) -> frozenset[str]:
    """Return the modules of these packages that a module imports, in a function too, and the packages around
    it.
    """
    file = source(name)
    found = {name.rpartition(".")[0]} if "." in name else set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    if name in LOADED_BY_NAME:
        found.update(f"{name}.{module.name}" for module in iter_modules([str(file.parent)]))
    return frozenset(
        module for module in found if module.split(".")[0] in packages and source(module).is_file()
    )


def hash_of(modules: Iterable[str]) -> str:
    """Return the hash of the source of these modules, and of the data files that they read."""
    digest = sha256()
    for name in modules:
        file = source(name)
        for path in (file, *(file.parent / data for data in DATA.get(name, ()))):
            digest.update(f"{name}\0{path.name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()
