"""The shoe, or the deck: which cards have come out since the last shuffle, and what cannot come out."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from games.kit.card_order import FIRST, LETTER, NEVER


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
    misdealt: bool = False
    """The round before was void because of its cards: they must be shuffled again."""
    shuffled_at: str = ""
    """When it was shuffled, by the clock that reported it; empty where no shuffle was recorded."""
    cut: int | None = None
    """The number of cards in front of the cut card, where the shuffle named it."""
    cut_by_hand: bool = False
    """A person entered `cut`; no device counted it."""
    unplaced: int = 0
    """Cards since the shuffle that belong to no round, so that they are not counted in `dealt`."""
    unseen: bool = False
    """Facts are missing since the shuffle: cards may have come that nobody reported."""
    order: str = ""
    """The cards that were read since the shuffle, one letter each."""
    before: str = ""
    """The same of the shoe before."""
    look: int | None = None
    """The length of `order` at which it is compared again; None where no shuffle was recorded or the finding has been made."""
    alert: int = 0
    """The number of cards dealt at which the table looks at the shoe."""

    def shuffle(self, at: str = "", cut: int | None = None, by_hand: bool = False) -> None:
        """Put all cards in again; they come in a new order."""
        self.shuffled = True
        self.resting = False
        self.counts.clear()
        self.dealt = self.unplaced = 0
        self.cut_shown = self.missed_shuffle = self.overrun = self.misdealt = self.unseen = False
        self.shuffled_at, self.cut, self.cut_by_hand = at, cut, by_hand
        self.before, self.order, self.look, self.alert = self.order or self.before, "", FIRST, FIRST

    def begin(self, before: Shoe | None, continues: bool) -> None:
        """Go on from before the table opened, or begin a new shoe, whose first shuffle is compared with the cards of the last one."""
        if continues:
            self.resting = True
        elif before is not None:
            self.before = before.order or before.before

    def begin_round(self) -> None:
        """Count the cards of a one-deck game from the round's first card on, and keep no more of the order than the shoe holds."""
        if self.every_round:
            self.counts.clear()
            self.dealt = self.unplaced = 0
            self.alert = 0 if self.order else FIRST
            self.overrun = self.missed_shuffle = False
        if len(self.order) > self.full:
            self.order, self.look = self.order[-self.full :], None

    @property
    def full(self) -> int:
        """The number of cards that the shoe holds; that of one deck where the table named no deck."""
        return 52 * max(self.decks, 1)

    def set_alert(self) -> None:
        """Look again when the order is long enough to be compared, or when there are more cards than the shoe holds."""
        to_come = NEVER if self.look is None else max(self.look - len(self.order), 1)
        self.alert = min(self.dealt + to_come, max(52 * self.decks, self.dealt) + 1)

    def draw(self, card: str | None) -> int:
        """Take a card out of the shoe, None where it is not known. Return how many copies of it have come out."""
        self.dealt += 1
        if card is None:
            return 0
        self.order += LETTER[card]
        copies = self.counts[card] = self.counts.get(card, 0) + 1
        return copies

    def leave_out(self, cards: Iterable[str | None]) -> None:
        """Count cards that lay on the table during the shuffle. Without them neither the cut nor the order of the others is judged."""
        for card in cards:
            self.draw(card)
        self.order, self.cut, self.look = "", None, None
