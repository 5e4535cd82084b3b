"""By which rules a stream was judged: a hash over the source of its game and of all that judges it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path

_JUDGES = (
    "games.kit", "audit.boxes", "audit.checks", "audit.dividing", "audit.fold", "audit.on_markers", "audit.recounts", "audit.tallying",
    "audit.voiding", "audit.outcome",
)  # fmt: skip
_LEDGER = ("games.kit", "audit.ledger_fold", "audit.serials", "audit.voiding", "audit.registers", "audit.clock", "audit.outcome")


@cache
def rules_of(game: str) -> str:
    """The hash of the rules by which today's house judges a stream of this game; empty text: a stream without a table."""
    from games import GAMES

    return _hash((*_JUDGES, GAMES[game].module)) if game in GAMES else _hash(_JUDGES)


@cache
def rules_of_ledger() -> str:
    """The hash of the rules that span tables."""
    return _hash(_LEDGER)


def _hash(modules: tuple[str, ...]) -> str:
    digest = sha256()
    for name in modules:
        file = Path(import_module(name).__file__ or "")
        files = sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]
        for each in files:
            digest.update(each.name.encode() + b"\0" + each.read_bytes() + b"\0")
    return digest.hexdigest()
