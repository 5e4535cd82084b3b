"""The shoe or deck: the cards that have been drawn since the last shuffle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from games.kit.card_order import FIRST, LETTER, NEVER

LONG = 1040
"""The number of cards that are remembered if no shuffle is recorded. No shoe contains this many."""


@dataclass(slots=True)
class Shoe:
    """The cards drawn since the last shuffle. In a game whose deck is shuffled every round, cards are counted
    within the round.
    """

    decks: int
    every_round: bool
    shuffled: bool = False
    resting: bool = False
    """True if the shoe was in use before the table opened. Its rules do not apply until it is shuffled."""
    counts: dict[str, int] = field(default_factory=dict)
    dealt: int = 0
    cut_shown: bool = False
    missed_shuffle: bool = False
    overrun: bool = False
    misdealt: bool = False
    """True if the previous round was voided because of a wrong number of cards. In that case a shuffle is
    required.
    """
    shuffled_at: datetime | None = None
    """The time of the last shuffle by the clock of its source, or None if no shuffle was recorded."""
    cut: int | None = None
    """The number of cards in front of the cut card, if the shuffle reported it."""
    cut_by_hand: bool = False
    """True if a person entered `cut`; False if a device counted it."""
    unplaced: int = 0
    """The number of cards drawn since the shuffle that belong to no round. They are not counted
    in `dealt`.
    """
    unseen: bool = False
    """True if facts are missing since the shuffle, so that cards may have been drawn without a fact."""
    cards: list[str] = field(default_factory=list)
    """The latest cards that were read since the shuffle. They are not in `order` yet."""
    order: str = ""
    """The cards that were read since the shuffle, but before those in `cards`. Each is one letter."""
    before: str = ""
    """The cards of the previous shoe, in the order in which they were dealt."""
    look: int = NEVER
    """The number of cards after which the order is compared next. It is `NEVER` if no shuffle was recorded or
    if a breach was already reported.
    """

    def shuffle(self, at: datetime | None = None, cut: int | None = None, by_hand: bool = False) -> None:
        """Put all cards back into the shoe, in a new order."""
        self.shuffled = True
        self.resting = False
        self.counts.clear()
        self.dealt = self.unplaced = 0
        self.cut_shown = self.missed_shuffle = self.overrun = self.misdealt = self.unseen = False
        self.shuffled_at, self.cut, self.cut_by_hand = at, cut, by_hand
        self.before = self.in_order() or self.before
        self.order, self.look = "", FIRST

    def begin(self, before: Shoe | None, continues: bool) -> None:
        """Continue the shoe that was in use before the table opened, or begin a new one and store the order
        of the previous shoe for comparison.
        """
        if continues:
            self.resting = True
        elif before is not None:
            self.before = before.in_order() or before.before

    def begin_round(self) -> None:
        """Begin to count cards from zero if the deck is shuffled every round. Called when a round begins."""
        if self.every_round:
            self.counts.clear()
            self.dealt = self.unplaced = 0
            self.overrun = self.missed_shuffle = False
        if len(self.cards) > LONG:
            self.order, self.look = self.in_order()[-LONG:], NEVER

    def draw(self, card: str | None) -> int:
        """Count a card as drawn, and return how many copies of it have been drawn.

        Args:
            card: the card, or None if it is not known.
        """
        self.dealt += 1
        if card is None:
            return 0
        self.cards.append(card)
        copies = self.counts[card] = self.counts.get(card, 0) + 1
        return copies

    def in_order(self) -> str:
        """Return all cards that were read since the shuffle, in their order, one letter each."""
        if self.cards:
            self.order += "".join([LETTER[card] for card in self.cards])
            self.cards.clear()
        return self.order

    def leave_out(self, cards: Iterable[str | None]) -> None:
        """Count the cards that were on the table during the shuffle as drawn. After this, neither the cut
        card nor the order of the cards is judged.
        """
        for card in cards:
            self.draw(card)
        self.cut, self.look = None, NEVER
