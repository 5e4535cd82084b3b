"""The shoe or deck: the cards that have come since the last shuffle."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct, field

from games.kit.card_order import FIRST, LETTER, NEVER

LONG = 1040
"""The number of cards that are kept if no shuffle is recorded; no shoe has as many."""


class Shoe(Struct):
    """The cards since the last shuffle. A deck that is shuffled every round counts within the round only."""

    decks: int
    every_round: bool
    shuffled: bool = False
    resting: bool = False
    """True if the shoe continues from before the table opened; its rules are suspended until it is
    shuffled.
    """
    counts: dict[str, int] = field(default_factory=dict)
    dealt: int = 0
    cut_shown: bool = False
    missed_shuffle: bool = False
    overrun: bool = False
    misdealt: bool = False
    """True if the previous round was void because of its cards, so that they must be shuffled again."""
    shuffled_at: datetime | None = None
    """When it was shuffled, by the clock of the source; None if no shuffle was recorded."""
    cut: int | None = None
    """The number of cards in front of the cut card, if the shuffle named it."""
    cut_by_hand: bool = False
    """True if a person entered `cut` and no device counted it."""
    unplaced: int = 0
    """Cards since the shuffle that belong to no round, so that they are not counted in `dealt`."""
    unseen: bool = False
    """True if facts are missing since the shuffle, so that cards may have come unreported."""
    cards: list[str] = field(default_factory=list)
    """The last cards that were read since the shuffle."""
    order: str = ""
    """The cards before those, one letter each."""
    before: str = ""
    """The order of the shoe before."""
    look: int = NEVER
    """The number of cards at which their order is compared next; `NEVER` if no shuffle was recorded or the
    finding has been made.
    """

    def shuffle(self, at: datetime | None = None, cut: int | None = None, by_hand: bool = False) -> None:
        """Put all cards in again; they come in a new order."""
        self.shuffled = True
        self.resting = False
        self.counts.clear()
        self.dealt = self.unplaced = 0
        self.cut_shown = self.missed_shuffle = self.overrun = self.misdealt = self.unseen = False
        self.shuffled_at, self.cut, self.cut_by_hand = at, cut, by_hand
        self.before = self.in_order() or self.before
        self.order, self.look = "", FIRST

    def begin(self, before: Shoe | None, continues: bool) -> None:
        """Continue the shoe from before the table opened, or begin a new one whose first shuffle is compared
        with it.
        """
        if continues:
            self.resting = True
        elif before is not None:
            self.before = before.in_order() or before.before

    def begin_round(self) -> None:
        """Count the cards of a one-deck game from the round's first card on."""
        if self.every_round:
            self.counts.clear()
            self.dealt = self.unplaced = 0
            self.overrun = self.missed_shuffle = False
        if len(self.cards) > LONG:
            self.order, self.look = self.in_order()[-LONG:], NEVER

    def draw(self, card: str | None) -> int:
        """Take a card out of the shoe, None where it is not known. Return how many copies of it have come
        out.
        """
        self.dealt += 1
        if card is None:
            return 0
        self.cards.append(card)
        copies = self.counts[card] = self.counts.get(card, 0) + 1
        return copies

    def in_order(self) -> str:
        """Return the order of all cards that were read since the shuffle."""
        if self.cards:
            self.order += "".join([LETTER[card] for card in self.cards])
            self.cards.clear()
        return self.order

    def leave_out(self, cards: Iterable[str | None]) -> None:
        """Count cards that lay on the table during the shuffle. Without them neither the cut nor the order of
        the others is judged.
        """
        for card in cards:
            self.draw(card)
        self.cut, self.look = None, NEVER
