"""The state of a round of Lucky 7: the burned cards, the dealt card, and the wagers that win with it."""

from __future__ import annotations

from games.kit import events as e
from games.kit.events import Event
from games.kit.protocols import RoundTable
from games.kit.round import OPEN, Round

SEVEN = 7
RED = frozenset("hd")


def winners(card: str, pip: int) -> frozenset[str]:
    """Return the wagers that win with this card."""
    main = "7-up" if pip > SEVEN else "7-down" if pip < SEVEN else "7"
    return frozenset((main, "red" if card[1] in RED else "black", "odd" if pip % 2 else "even"))


class Lucky7Round(Round):
    """One round of Lucky 7: the burned cards and the card of the round."""

    __slots__ = ("burned", "card", "pip", "winners", "words")

    counts_unread = True

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.windows = dict.fromkeys(table.game.wagers, OPEN)
        self.burned = 0
        self.card: e.Deal | None = None
        """The first card that was dealt. A second card belongs to no hand."""
        self.pip: int | None = None
        self.winners: frozenset[str] = frozenset()
        """The winning wagers. If the card could not be read or is impossible, the set is empty and no wager
        is judged.
        """
        self.words: list[e.Announce] = []
        """Outcomes that were declared before the card was dealt."""

    def betting_closed(self, event: Event) -> None:
        if self.windows["7"] == OPEN:  # all wagers close together
            self.close(event, *self.table.game.wagers)

    def decided(self, spot: str, wager: str) -> bool:
        return self.card is not None

    def undecided_because(self) -> str:
        return "No card was dealt."

    def burn(self, event: e.Burn) -> None:
        super().burn(event)
        self.betting_closed(event)
        self.burned += 1

    def dealt(self, event: e.Deal, pip: int | None) -> None:
        self.betting_closed(event)
        if self.card is not None:
            return
        self.card, self.pip = event, pip
        if event.card is not None and pip is not None:
            self.winners = winners(event.card, pip)
        self.deciding(event)

    def announce(self, event: e.Announce) -> None:
        if event.what == "outcome" and self.card is None:
            self.words.append(event)
