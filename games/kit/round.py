"""One round: what was bet, what was dealt, what moved. Each game adds what its own manual remembers."""

from __future__ import annotations

from games.kit import events as e
from games.kit.betting import BEFORE as BEFORE
from games.kit.betting import CLOSED as CLOSED
from games.kit.betting import NOT_OFFERED as NOT_OFFERED
from games.kit.betting import OPEN as OPEN
from games.kit.betting import Key as Key
from games.kit.cards import PIP
from games.kit.events import Event
from games.kit.feed import unread_card
from games.kit.money import Money


class Round(Money):
    """The round as far as it has come. Effects of facts are methods; what a fact breaks is found on the table."""

    __slots__ = ()

    # -- what a game says about itself -------------------------------------------------------------

    def must_close(self, event: Event) -> bool:
        """Whether betting must have been closed before this card."""
        return True

    def dealt(self, event: e.Deal, pip: int | None) -> None:
        """A card reaches its place; `pip` is None where it could not be read or cannot be."""

    def unplayed(self) -> bool:
        """Whether nothing but bets and words came: no card lies, and no money has moved."""
        return self.first_card is None and all(line.touch is None for line in self.lines.values())

    def undecided(self) -> bool:
        """Whether the round ended in a way after which nothing is owed and no settlement is judged."""
        return False

    def price_class(self, wager: str) -> str:
        """What the exact odds of the wager hang on besides its pay table."""
        return ""

    # -- cards -----------------------------------------------------------------------------------

    def deal(self, event: e.Deal) -> None:
        pip = self.draw(event, event.card)
        if event.card is None:
            self.table.find("card-not-read", event, unread_card(event))
        self.dealt(event, pip)

    def burn(self, event: e.Burn) -> None:
        self.draw(event, event.card)
        if event.raw_text is not None:
            self.table.find("card-not-read", event, unread_card(event))

    def draw(self, event: Event, card: str | None) -> int | None:
        """A card leaves the shoe. Its pip, or None where it is not readable or cannot be."""
        table, shoe = self.table, self.table.shoe
        if self.first_card is None:
            self.first_card = event
            table.first_card(event, self.after_cut)
        if self.no_more is None and not self.unclosed and self.must_close(event):
            self.unclosed = True
            table.find("bets-not-closed", event, "A card came out before betting was closed.")
        pip = PIP.get(card) if card is not None else None
        copies = shoe.draw(card if pip is not None else None)
        if shoe.dealt > 52 * shoe.decks or copies > shoe.decks:
            table.too_many_cards(event, card, copies)
        if pip is None and card is not None:
            table.find("impossible-card", event, f"{card} is no card of a deck of 52.")
        return pip

    # -- the end of a round ------------------------------------------------------------------------

    def void(self, event: e.Void) -> None:
        """The round is dead: from here on only stakes go back."""
        self.table.check_void(event)
        if self.voided is not None:
            return
        self.voided, self.stopped = event, True
        for line in self.lines.values():
            line.taken_before_void, line.paid_before_void = line.taken, line.paid

    def return_(self, event: e.Return) -> None:
        line = self.lines.get((event.spot, event.wager)) or self.line(event.spot, event.wager)
        line.returned += event.amount
        if self.voided is None:
            self.table.find("out-of-order", event, f"A stake went back to spot {event.spot}, {event.wager}, and no void had been called.")

    def pause(self, event: e.Paused) -> None:
        self.paused, self.stopped = event, True

    def resume(self, event: e.Resumed) -> None:
        self.paused, self.stopped = None, self.voided is not None
