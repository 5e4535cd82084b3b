"""The time at which players of Easy Over Under may bet on the Short Side: from the dealer's announcement of
it to the gesture for no more bets or the first card.
"""

from __future__ import annotations

from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.protocols import RoundTable
from games.kit.round import BEFORE, OPEN, Round
from games.kit.steps import Steps


class ShortSideWindow(Round):
    """A round with the betting windows of its wagers (EOU Game Rules 1 to 4, Dealer Instructions 8 to 10)."""

    __slots__ = ("early_wave", "first_wave", "on_early_wave", "rolled", "steps", "total")

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.windows = {"over": OPEN, "under": OPEN, "spread": OPEN, "short-side": BEFORE}
        self.rolled = False
        self.total: int | None = None
        self.steps = Steps("roll", "dice word", "mark", "short side", "cards")
        self.first_wave: e.NoMoreBets | None = None
        """The first gesture for no more bets before the roll. It closes nothing. If no other gesture follows,
        it is reported as too early.
        """
        self.early_wave: e.NoMoreBets | None = None
        """The gesture for no more bets that was made before the dealer offered the Short Side. None once the
        Short Side is offered.
        """
        self.on_early_wave: list[tuple[Event, Line]] = []
        """Short Side bets after `early_wave`. They are late only if the Short Side is never offered."""

    def offer(self) -> None:
        """Record that the dealer offers the Short Side. If the gesture for no more bets came before this
        offer, the gesture has no effect: betting opens again, and bets after the gesture are not late.
        """
        if self.early_wave is not None and "cards" not in self.steps.came:
            self.windows["short-side"] = OPEN
        self.early_wave, self.on_early_wave = None, []

    def no_more_bets(self, event: e.NoMoreBets) -> None:
        """Close betting on the Short Side. If the dealer has not offered the Short Side yet, store the
        gesture in `early_wave`. An offer that follows cancels its effect.
        """
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
        """Return the state of a wager's betting window. If the gesture for no more bets came before the
        offer, the Short Side stays open until the first card.
        """
        return OPEN if wager == "short-side" and self.waits_for_the_offer else super().window(spot, wager)

    @property
    def waits_for_the_offer(self) -> bool:
        """Return True if the gesture for no more bets came before the offer, and the offer can still come.
        The offer can come until the first card.
        """
        return self.early_wave is not None and "cards" not in self.steps.came

    def untimely(self, event: Event, line: Line) -> None:
        """Judge a bet that was made outside its betting window. A bet between an early gesture for no more
        bets and the offer is late only if the offer never comes.
        """
        if line.wager == "short-side" and self.waits_for_the_offer:
            self.on_early_wave.append((event, line))
        else:
            super().untimely(event, line)

    def must_close(self, event: Event) -> bool:
        """Return True if the dealer must close betting before this card. This is not required after a seven
        (Dealer Instructions 8), or if the roll is not known.

        If the only gesture came before the roll, it is reported as too early and not as missing.
        """
        return self.total is not None and self.total != 7 and not self.waved_too_soon

    @property
    def waved_too_soon(self) -> bool:
        """Return True if the Short Side was offered and the only gesture for no more bets came before the
        roll.
        """
        return self.first_wave is not None and self.no_more is None and "short side" in self.steps.came
