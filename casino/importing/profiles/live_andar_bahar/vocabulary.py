"""What this vendor's messages and captures share: names of rounds, sides and wagers, and which side wins with
given cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games import GAMES

SOURCE = "live_andar_bahar"
CURRENCY = "USD"
"""The currency if --currency is not given. The vendor's amounts name no currency."""
SPOT = "p-viewer"
"""The spot of the only account whose stakes are in a capture."""
SIDES = {"andar": "andar", "bahar": "bahar"}
WAGERS = {"AndarBet": "andar", "BaharBet": "bahar"}
"""For each known wager of the vendor: its name in Catwalk. A wager with another name is refused."""
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
"""A tuple for each contradiction: its subject, and the two values that contradict each other."""


def field(message: Mapping[str, Any], name: str) -> Any:
    """Return a field of a message. Raise ValueError if it is missing."""
    if name not in message:
        raise ValueError(f"{name} is missing")
    return message[name]


def round_name(message: Mapping[str, Any]) -> str:
    """Return the vendor's identifier of a round. It is the name of the round in facts. Raise ValueError if
    the identifier is missing or unusable.
    """
    name = field(message, "roundId")
    if isinstance(name, bool) or not isinstance(name, int | str):
        raise ValueError(f"roundId is {str(name)[:60]!r}; it must be a text or an integer")
    written = str(name)
    if not written.isprintable() or not 0 < len(written) <= 100 or written[0] == "#":
        raise ValueError(
            f"roundId is {written[:60]!r}; it must have 1 to 100 printable characters and not begin with #"
        )
    return written


def side(sent: object, known: Mapping[str, str], name: str) -> str:
    """Return the side that the value of a field names. Raise ValueError if it is unknown."""
    sides = known.get(sent.lower()) if isinstance(sent, str) else None
    if sides is None:
        raise ValueError(f"unknown {name} {str(sent)[:60]!r}")
    return sides


def winner_of(joker: str | None, cards: Mapping[str, Sequence[str | None]]) -> str | None:
    """Return the side that has a card of the joker's rank. Return None if neither side or both sides have
    one, or if the joker is unknown.
    """
    if joker is None:
        return None
    sides = [
        name
        for name in SIDES
        if any(card is not None and card[0] == joker[0] for card in cards.get(name, ()))
    ]
    return sides[0] if len(sides) == 1 else None


def with_contradictions(fields: dict[str, Any], contradictions: Contradictions) -> dict[str, Any]:
    """Return the fields of a fact. If its message contains contradictions, add them to the fields."""
    return fields | {"contradicts": contradictions} if contradictions else fields
