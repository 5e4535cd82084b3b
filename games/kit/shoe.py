"""The shoe, or the deck: which cards have come out since the last shuffle, and what cannot come out."""

from __future__ import annotations

from msgspec import Struct, field


class Shoe(Struct):
    """The cards since `shuffled`. A deck that is shuffled every round counts within the round alone."""

    decks: int
    every_round: bool
    shuffled: bool = False
    resting: bool = False
    """The shoe goes on from before the table opened: its rules rest until it is shuffled."""
    counts: dict[str, int] = field(default_factory=dict)
    dealt: int = 0
    cut_shown: bool = False
    missed_shuffle: bool = False
    overrun: bool = False

    def shuffle(self) -> None:
        """All cards are in again."""
        self.shuffled = True
        self.resting = False
        self.counts.clear()
        self.dealt = 0
        self.cut_shown = self.missed_shuffle = self.overrun = False

    def begin_round(self) -> None:
        """A one-deck game counts its cards from the round's first card on."""
        if self.every_round:
            self.counts.clear()
            self.dealt = 0
            self.overrun = self.missed_shuffle = False

    def draw(self, card: str | None) -> int:
        """A card leaves the shoe, face down where it is None. The copies of it that have come out."""
        self.dealt += 1
        if card is None:
            return 0
        copies = self.counts[card] = self.counts.get(card, 0) + 1
        return copies
