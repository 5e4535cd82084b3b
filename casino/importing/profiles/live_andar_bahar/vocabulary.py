"""What messages and captures of this vendor share: names of rounds, sides and wagers, and which side a list
of cards lets win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games import GAMES

SOURCE = "live_andar_bahar"
CURRENCY = "USD"
"""The vendor's amounts name no currency; --currency says which, or it is this one."""
SPOT = "p-viewer"
"""The one account whose stakes a capture knows."""
SIDES = {"andar": "andar", "bahar": "bahar"}
WAGERS = {"AndarBet": "andar", "BaharBet": "bahar"}
"""The vendor's names of wagers that we have seen; another is refused."""
GAME = "andar_bahar"
SETTINGS = {
    "game": GAME,
    "pay_tables": dict.fromkeys(GAMES[GAME].pay_tables, "ezugi"),
    "decks": 1,
    "spots": 0,
    "limits": {},
    "chip": 1,
    "readings": {},
}
Contradictions = list[tuple[str, str, str]]
"""What is said twice and differently, the one value, the other."""


def field(message: Mapping[str, Any], name: str) -> Any:
    """Return a field of a message. Raise ValueError if it is missing."""
    if name not in message:
        raise ValueError(f"{name} is missing")
    return message[name]


def round_name(message: Mapping[str, Any]) -> str:
    """Return the vendor's number of the round, which is its name. Raise ValueError if it names none."""
    name = field(message, "roundId")
    if isinstance(name, bool) or not isinstance(name, int | str):
        raise ValueError(f"roundId {str(name)[:60]!r} names no round")
    written = str(name)
    if not written.isprintable() or not 0 < len(written) <= 100 or written[0] == "#":
        raise ValueError(f"roundId {written[:60]!r} names no round")
    return written


def side(sent: object, known: Mapping[str, str], name: str) -> str:
    """Return the side that a field names. Raise ValueError if it is unknown."""
    found = known.get(sent.lower()) if isinstance(sent, str) else None
    if found is None:
        raise ValueError(f"unknown {name} {str(sent)[:60]!r}")
    return found


def winner_of(joker: str | None, cards: Mapping[str, Sequence[str | None]]) -> str | None:
    """Return the side on which the joker's rank lies; None where no side has it, both have it, or the joker
    is unknown.
    """
    if joker is None:
        return None
    sides = [
        name
        for name in SIDES
        if any(card is not None and card[0] == joker[0] for card in cards.get(name, ()))
    ]
    return sides[0] if len(sides) == 1 else None


def with_contradictions(fields: dict[str, Any], found: Contradictions) -> dict[str, Any]:
    """Return the fields of a fact and what its message contradicts itself about."""
    return fields | {"contradicts": found} if found else fields
