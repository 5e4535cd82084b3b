"""The three cards of one spot of Casino Over Under, and how far their settlement has come."""

from __future__ import annotations

from games.kit import events as e
from games.kit.events import Event

WHOLE = 3
"""Cards in a hand."""


def worth(pip: int | None) -> int | None:
    """What a card counts: ace 11, a face card 10; None where it could not be read."""
    return 11 if pip == 1 else min(pip, 10) if pip is not None else None


class Hand:
    """The three cards of one spot, burned ones included, and how far its settlement has come."""

    __slots__ = (
        "bonus_moved", "burns", "cards", "cleared", "early_words", "extra", "next_card", "passed_by", "said", "seconds", "silent",
        "spot", "values",
    )  # fmt: skip

    def __init__(self, spot: str, seconds: int) -> None:
        self.spot, self.seconds = spot, seconds
        """How many second cards had been dealt when this hand began."""
        self.cards: list[e.Deal | e.Burn] = []
        self.values: list[int | None] = []
        self.burns = 0
        self.extra = 0
        """Cards too many: they belong to no hand, but the hand is misdealt."""
        self.passed_by: Event | None = None
        self.next_card: Event | None = None
        """The first card for another hand, between the second and third of this one, and after its third."""
        self.cleared: Event | None = None
        self.bonus_moved: Event | None = None
        self.said: set[str] = set()
        self.silent: set[str] = set()
        """Of `base` and `bonus`: outcomes announced, and those found missing."""
        self.early_words: list[e.Announce] = []

    @property
    def whole(self) -> bool:
        """Whether all three cards have come."""
        return len(self.cards) == WHOLE

    @property
    def total(self) -> int | None:
        """The sum of the three cards; None before the third, or where one could not be read."""
        read = [value for value in self.values if value is not None]
        return sum(read) if len(read) == WHOLE else None
