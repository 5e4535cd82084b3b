"""Check that the gaming days of a table are closed in order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Nothing
from audit.replay.results import Finding
from games.kit.events import Event

NAMED = 3
"""The maximum number of days that the sentence of a finding lists."""


class ClosingOrder(LedgerCheck):
    name = "closing-order"
    codes = ("closed-out-of-order",)
    cite = cite("AU-01")
    kinds = (f.DayClosed,)
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        assert isinstance(event, f.DayClosed)
        before = list(islice(ledger.days.open_before(event.table, event.day), NAMED + 1))
        if before:
            days = ", ".join(day.isoformat() for day in before[:NAMED]) + (
                " and more" if len(before) > NAMED else ""
            )
            reason = f" The reason given: {event.reason}" if event.reason else " No reason was given."
            clause = f"while {days} {'is' if len(before) == 1 else 'are'} still open"
            says = f"{event.by} closed the gaming day {event.day} of {event.table}, {clause}.{reason}"
            yield self.finding("closed-out-of-order", ledger.place, says)


CHECK = ClosingOrder
