"""Fingerprints of the rules by which facts are judged: hashes over the source of all modules that judge them.

The modules are the imports, direct or indirect, of the table fold and the ledger fold. A stream is judged by
the rules of its own game. The ledger is judged by the rules of all games, because its checks need to know
what approvals cover.
"""

from __future__ import annotations

from functools import cache

from audit.source_closure import closure, fingerprint
from games import GAMES

TABLE, LEDGER = "audit.replay.fold", "audit.replay.ledger_fold"
"""The modules of the table fold and of the ledger fold."""


@cache
def rules_of(game: str) -> str:
    """Return the hash of the rules by which a stream of this game is judged.

    `game` is empty for a stream without a table.
    """
    return fingerprint(modules_of(game))


def modules_of(game: str) -> list[str]:
    """Return the names of the modules that judge a stream of this game."""
    return closure([TABLE, GAMES[game].module] if game in GAMES else [TABLE], every_game=False)


@cache
def rules_of_ledger() -> str:
    """Return the hash of the rules by which a property's ledger is judged."""
    return fingerprint(modules_of_ledger())


def modules_of_ledger() -> list[str]:
    """Return the names of the modules that judge a property's ledger."""
    return closure([LEDGER])
