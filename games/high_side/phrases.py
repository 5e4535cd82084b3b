"""What a sentence about High Side says of the dice and the card."""

from __future__ import annotations

from games.kit import events as e
from games.kit.events import Event


def dealt(card: Event | None) -> str:
    """Return the card that was drawn, for a sentence."""
    return getattr(card, "card", None) or "not read"


def dice_of(*rolls: tuple[e.Roll, int | None]) -> str:
    """Return what these dice show, for a sentence."""
    return " and ".join(str(value) if value is not None else "a die that cannot be" for _, value in rolls)
