"""Check that a round is opened within its gaming day. Nothing is checked if the register `day-begins` has no
entry.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.controls import event_reference
from audit.replay.checks import Ledger, LedgerCheck, Nothing
from audit.replay.results import Finding
from games.kit import events as e
from games.kit.events import Event


class GamingDay(LedgerCheck):
    name = "gaming-day"
    codes = ("wrong-day",)
    cite = event_reference("Fields of every fact")
    kinds = (e.RoundOpened,)
    rests_on = "day-begins"
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        day = ledger.registers.day(event.day)
        if day is not None and not day[0] <= event.at < day[1]:
            says = (
                f"The round was opened at {event.at.isoformat()}; its day runs from {day[0].isoformat()} to"
                f" {day[1].isoformat()}."
            )
            yield self.finding("wrong-day", ledger.place, says)


CHECK = GamingDay
