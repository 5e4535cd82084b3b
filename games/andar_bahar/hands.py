"""The state of a round of Andar Bahar: the joker, the cards dealt after it, and the match."""

from __future__ import annotations

from games.kit import events as e
from games.kit.events import Event
from games.kit.protocols import RoundTable
from games.kit.round import BEFORE, OPEN, Round


class AndarBaharRound(Round):
    """One round of Andar Bahar: the joker, the cards after it, and the match, which is the first card with
    the joker's value.
    """

    __slots__ = ("cards", "joker", "joker_late", "last", "match", "unread", "words")

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.windows = dict.fromkeys(table.game.wagers, BEFORE)
        self.joker: int | None = None
        self.last: e.Deal | None = None
        self.cards = 0
        self.match: e.Deal | None = None
        self.unread = False
        """True after a card that could not be read or is impossible. It may have been the match, so the
        outcome is not judged.
        """
        self.joker_late = False
        """True if the joker came after the first cards. One of these may have been the match, so the winners
        are not known.
        """
        self.words: list[e.Announce] = []
        """Outcomes that were declared before the match."""

    def must_close(self, event: Event) -> bool:
        return self.windows["andar"] != BEFORE and isinstance(event, e.Deal) and event.to != "joker"

    def betting_closed(self, event: Event) -> None:
        if self.windows["andar"] == OPEN:
            self.close(event, *self.table.game.wagers)

    def decided(self, spot: str, wager: str) -> bool:
        return self.match is not None

    def undecided(self) -> bool:
        return self.match is None

    def undecided_because(self) -> str:
        if self.windows["andar"] == BEFORE:
            return "No joker was dealt."
        if self.joker_late:
            return "The joker was dealt after the first cards."
        return (
            f"{self.cards} card{' was' if self.cards == 1 else 's were'} dealt after the joker and none"
            " matched it."
        )

    def outcome_unread(self) -> bool:
        return self.unread and self.match is None and self.windows["andar"] != BEFORE

    def dealt(self, event: e.Deal, pip: int | None) -> None:
        if event.to == "joker":
            if self.windows["andar"] == BEFORE:
                self.open(event, *self.table.game.wagers)
                self.joker = pip
                self.unread = self.unread or pip is None
                self.joker_late = self.cards > 0
            return
        self.betting_closed(event)
        if self.match is not None:
            return
        self.last = event
        self.cards += 1
        if pip is None:
            self.unread = True
        elif pip == self.joker and not self.unread and not self.joker_late:
            self.match = event
            self.deciding(event)

    def announce(self, event: e.Announce) -> None:
        if event.what == "outcome" and self.match is None:
            self.words.append(event)
