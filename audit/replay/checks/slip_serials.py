"""Check that the slips of a series are numbered without a gap, that no number is used twice, and that each
table uses its own series.

A series is a table's own if it contains the table's code, as `F-EOU02-2026` for EOU-02. A table with such
slips must not use a series without its code. Any other series belongs to the table that used it first, or to
the table of this property whose code it contains.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.facts.input_parsing import whole
from audit.replay.checks import Ledger, LedgerCheck
from audit.replay.results import Finding
from audit.replay.serials import SERIALS, Series
from audit.replay.voids import came_late
from games.kit.events import Event

CITE = {
    "slip-serial-gap": cite("SL-04"),
    "slip-serial-twice": cite("SL-01"),
    "slip-wrong-series": cite("SL-02"),
}
Slip = f.FillSent | f.CreditSent | f.MarkerIssued | f.SlipVoided


class State(Struct):
    """The recorded numbers of each series, and the table to which each series belongs."""

    series: dict[str, Series] = field(default_factory=dict)
    of_table: dict[str, str] = field(default_factory=dict)
    """For each series: the table that used it first."""
    by_code: list[str] = field(default_factory=list)
    """The tables that have used a series whose name contains the code of the table."""


class SlipSerials(LedgerCheck):
    name = "slip-serials"
    codes = ("slip-serial-gap", "slip-serial-twice", "slip-wrong-series")
    cite = CITE["slip-serial-gap"]
    kinds = SERIALS
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        """Yield a finding if a slip has no serial, if its number leaves a gap or was used before, or if its
        series belongs to another table. The number of a voided slip is not a gap.
        """
        state = self.state
        assert isinstance(state, State)
        assert isinstance(event, f.FillSent | f.CreditSent | f.MarkerIssued | f.SlipVoided)
        name, _, digits = event.slip.rpartition("-")
        number = whole(digits)
        if number is None:
            says = f"Slip {event.slip} of {event.table} has no serial: a series, `-` and a number."
            yield self.finding("slip-wrong-series", ledger.place, says, cite=CITE["slip-wrong-series"])
            return
        code, says = self.enter(state, event, name, number)
        other = self.foreign_series(state, event.table, name, ledger)
        if code:
            yield self.finding(code, ledger.place, f"Slip {event.slip}: {says}", cite=CITE[code])
        if other and code != "slip-serial-twice":
            says = f"Slip {event.slip} was written at {event.table}. {other}"
            yield self.finding("slip-wrong-series", ledger.place, says, cite=CITE["slip-wrong-series"])

    def enter(self, state: State, event: Slip, name: str, number: int) -> tuple[str, str]:
        """Record a number of a series. Return a code and a sentence for what is wrong with it, or two empty
        texts.
        """
        series, stream = state.series.setdefault(name, Series()), f"{event.table}/{event.day.isoformat()}"
        if isinstance(event, f.SlipVoided):
            if not series.has(number):
                series.voided[number] = (stream, event.at)
        elif (
            number in series.voided
            and series.voided[number][0] == stream
            and came_late(event.at, series.voided[number][1])
        ):
            del series.voided[number]
            return "", ""
        series.write(event.slip.rpartition("-")[2])
        return series.enter(number, voids=isinstance(event, f.SlipVoided))

    def foreign_series(self, state: State, table: str, series: str, ledger: Ledger) -> str:
        """Return a sentence that says why a table must not use a series. Return an empty text if the table
        may use it. A series that belonged to no table belongs to this one from then on.
        """
        own = state.of_table.get(series)
        if own is not None:
            return f"The series {series} belongs to {own}." if own != table else ""
        if names(series, table):
            if table not in state.by_code:
                state.by_code.append(table)
        elif named := next((live_table for live_table in ledger.days.live if names(series, live_table)), ""):
            return f"The series {series} belongs to {named}."
        elif table in state.by_code:
            return f"The series {series} does not name {code_of(table)}, as the table's own series do."
        state.of_table[series] = table
        return ""


def code_of(table: str) -> str:
    """Return a table's code, without the property."""
    return table.partition("/")[2]


def names(series: str, table: str) -> bool:
    """Return True if a series contains a table's code as one or more of its parts, regardless of case and
    hyphens.
    """
    parts, code = series.lower().split("-"), code_of(table).lower().replace("-", "")
    return any(
        "".join(parts[begins:ends]) == code
        for begins in range(len(parts))
        for ends in range(begins + 1, len(parts) + 1)
    )


CHECK = SlipSerials
