"""The dice and the card of High Side, written for sentences."""

from __future__ import annotations

from games.kit import events as e
from games.kit.events import Event


def dealt(card: Event | None) -> str:
    """Return the drawn card as a word of a sentence: `Td`, or `not read`."""
    return getattr(card, "card", None) or "not read"


def dice_of(*rolls: tuple[e.Roll, int | None]) -> str:
    """Return the values of these dice for a sentence."""
    return " and ".join(str(value) if value is not None else "an impossible die" for _, value in rolls)
