"""The slips of a series are numbered without a gap, and no number is used twice."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.checks import Ledger, LedgerCheck
from audit.controls import cite
from audit.outcome import Finding
from audit.serials import SERIALS, Series
from audit.voiding import came_late
from audit.written import whole
from games.kit.events import Event

CITE = {"slip-serial-gap": cite("SL-04"), "slip-serial-twice": cite("SL-01")}


class Kept(Struct):
    """The numbers of each series that have come."""

    series: dict[str, Series] = field(default_factory=dict)


class SlipSerials(LedgerCheck):
    name = "slip-serials"
    codes = ("slip-serial-gap", "slip-serial-twice")
    cite = CITE["slip-serial-gap"]
    kinds = SERIALS
    Kept = Kept

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        """Each series counts up by one; a voided slip fills its number (rounds.md 22, 25)."""
        kept = self.kept
        assert isinstance(kept, Kept)
        assert isinstance(event, f.FillSent | f.CreditSent | f.MarkerIssued | f.SlipVoided)
        name, _, digits = event.slip.rpartition("-")
        number = whole(digits)
        if number is None:
            return
        series, stream = kept.series.setdefault(name, Series()), f"{event.table}/{event.day.isoformat()}"
        if isinstance(event, f.SlipVoided):
            if not series.has(number):
                series.voided[number] = (stream, event.at)
        elif number in series.voided and series.voided[number][0] == stream and came_late(event.at, series.voided[number][1]):
            del series.voided[number]
            return
        series.write(digits)
        code, says = series.enter(number, voids=isinstance(event, f.SlipVoided))
        if code:
            yield self.finding(code, ledger.place, f"Slip {event.slip}: {says}", cite=CITE[code])


CHECK = SlipSerials
