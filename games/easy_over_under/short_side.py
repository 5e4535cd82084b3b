"""When players of Easy Over Under may bet on the Short Side: from its offer to the wave or the first card."""

from __future__ import annotations

from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.protocols import RoundTable
from games.kit.round import BEFORE, OPEN, Round
from games.kit.steps import Steps


class ShortSideWindow(Round):
    """The betting windows of one hand of play (EOU Game Rules 1 to 4, Dealer Instructions 8 to 10)."""

    __slots__ = ("early_wave", "first_wave", "on_early_wave", "rolled", "steps", "total")

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.windows = {"over": OPEN, "under": OPEN, "spread": OPEN, "short-side": BEFORE}
        self.rolled = False
        self.total: int | None = None
        self.steps = Steps("roll", "dice word", "mark", "short side", "cards")
        self.first_wave: e.NoMoreBets | None = None
        """The first wave before the roll: it closes nothing, and if no other comes it came too soon."""
        self.early_wave: e.NoMoreBets | None = None
        """The wave that came before the dealer had offered the Short Side, as long as he has not."""
        self.on_early_wave: list[tuple[Event, Line]] = []
        """Short Side bets after that wave: late only if the offer never comes."""

    def offer(self) -> None:
        """Offer the Short Side: a wave before it closed nothing, and nobody who bet on the Short Side after
        it was late.
        """
        if self.early_wave is not None and "cards" not in self.steps.came:
            self.windows["short-side"] = OPEN
        self.early_wave, self.on_early_wave = None, []

    def no_more_bets(self, event: e.NoMoreBets) -> None:
        """Close the Short Side; before the dealer has offered it, that may still turn out to be too early."""
        if not self.rolled and self.first_wave is None:
            self.first_wave = event
        open_before = self.windows["short-side"] == OPEN
        super().no_more_bets(event)
        if (
            open_before
            and "short side" not in self.steps.came
            and "announce" in self.table.sees
            and self.total is not None
        ):
            self.early_wave = event

    def betting_closed(self, event: Event) -> None:
        if self.windows["short-side"] == OPEN:
            self.close(event, "short-side")

    def window(self, spot: str, wager: str) -> str:
        """Return the state of a wager's window; a wave before the offer does not close the Short Side until
        the first card.
        """
        return OPEN if wager == "short-side" and self.waits_for_the_offer else super().window(spot, wager)

    @property
    def waits_for_the_offer(self) -> bool:
        """Return True after a wave before the offer, until the offer or the first card."""
        return self.early_wave is not None and "cards" not in self.steps.came

    def untimely(self, event: Event, line: Line) -> None:
        """Judge a bet outside an open window; one after a wave before the offer is late only if the offer
        never comes.
        """
        if line.wager == "short-side" and self.waits_for_the_offer:
            self.on_early_wave.append((event, line))
        else:
            super().untimely(event, line)

    def must_close(self, event: Event) -> bool:
        """Return True if the dealer has to wave before this card: not on a seven (Dealer Instructions 8), nor
        on a roll that is not known.

        A wave that came before the roll, and none after the offer, came too soon and is not missing.
        """
        return self.total is not None and self.total != 7 and not self.waved_too_soon

    @property
    def waved_too_soon(self) -> bool:
        """Return True if the only wave came before the roll, and the Short Side was offered after it."""
        return self.first_wave is not None and self.no_more is None and "short side" in self.steps.came
