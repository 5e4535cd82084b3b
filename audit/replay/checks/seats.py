"""Check that a dealer deals at one table at a time, that a supervisor watches one table at a time, and that
nobody is dealer and supervisor of the same table.

A supervisor may have several tables if the register of people (`tables` of the person) or, for all
supervisors, the register `thresholds` (key `tables-per-supervisor`) says so. A rotation is recorded as
several facts. A person who sits down at a table is still seated at the previous one until the relief is
recorded there. Therefore a rotation is judged when the dealer opens another round at the previous table, when
another kind of fact is recorded at one of the two tables, or when the relief is late.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Place
from audit.replay.registers import Registers
from audit.replay.results import Finding
from games.kit import events as e
from games.kit.events import Event

CITE = {"person-at-two-tables": cite("MI-09"), "supervises-himself": cite("MI-08")}
RELIEF = timedelta(minutes=15)
"""The time within which the relief must be recorded at the previous table, after a person sat down at another
one.
"""


class Seat(Struct):
    """The people seated at a table."""

    place: Place
    at: datetime
    dealer: str
    supervisor: str

    def role_of(self, person: str) -> str:
        """Return a person's role at this table for a sentence, or an empty text if the person is not seated
        there.
        """
        return "dealer" if person == self.dealer else "supervisor" if person == self.supervisor else ""


class Doubt(Struct):
    """A person who sat down at one table while seated at others."""

    person: str
    seat: Seat
    others: list[Seat]


class State(Struct):
    """`seats`: for each open table, the people seated there. `doubts`: people seated at two tables at once
    who are not judged yet.
    """

    seats: dict[str, Seat] = field(default_factory=dict)
    doubts: list[Doubt] = field(default_factory=list)


class Seats(LedgerCheck):
    name = "seats"
    codes = ("person-at-two-tables", "supervises-himself")
    cite = CITE["person-at-two-tables"]
    kinds = (
        e.DealerSeated,
        e.RoundOpened,
        e.TableOpened,
        e.TableClosed,
        f.DayClosed,
        *f.AT_THE_CAGE,
        e.Void,
        e.Corrected,
        e.AlarmAnswered,
    )
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, e.RoundOpened):
            yield from self.deal_on(state, event.table)
        elif isinstance(event, e.DealerSeated):
            yield from self.seat(state, event, ledger)
        elif isinstance(event, e.TableClosed | f.DayClosed):
            yield from self.leave(state, event.table, event.at)
            state.seats.pop(event.table, None)
        elif isinstance(event, e.TableOpened):
            for doubt in [pending for pending in state.doubts if pending.seat.place.day < event.day]:
                state.doubts.remove(doubt)  # No relief was recorded on that day.
                yield self.found(doubt)
            seat = state.seats.get(event.table)
            if seat is not None and seat.place.stream != ledger.place.stream:
                yield from self.leave(state, event.table, event.at)
                del state.seats[event.table]
        else:
            for doubt in list(state.doubts):
                if event.table in (doubt.seat.place.table, *(other.place.table for other in doubt.others)):
                    state.doubts.remove(doubt)
                    yield self.found(doubt)

    def seat(self, state: State, event: e.DealerSeated, ledger: Ledger) -> Iterator[Finding]:
        """Record the people who sit down at a table. They replace the people who sat there before.

        Yield a finding if one person is dealer and supervisor, and the findings about the people who leave.
        """
        seat = Seat(ledger.place, event.at, event.dealer, event.supervisor)
        yield from self.leave(state, event.table, event.at)
        state.seats[event.table] = seat
        if event.dealer == event.supervisor:
            says = (
                f"{event.dealer} was seated at {event.table} as dealer and as supervisor: nobody supervises"
                " himself."
            )
            yield self.finding("supervises-himself", ledger.place, says, cite=CITE["supervises-himself"])
        for person in dict.fromkeys((event.dealer, event.supervisor)):
            others = [
                other
                for other in state.seats.values()
                if other.role_of(person) and other is not seat and other.place.day == event.day
            ]
            supervises = all(other.role_of(person) == "supervisor" for other in (*others, seat))
            if others and not (supervises and len(others) < tables_of(ledger.registers, person, event.day)):
                state.doubts.append(Doubt(person, seat, others))

    def deal_on(self, state: State, table: str) -> Iterator[Finding]:
        """Yield a finding for each dealer who opens a further round at this table although the dealer has
        already sat down at a different table.
        """
        for doubt in list(state.doubts):
            if any((other.place.table, other.dealer) == (table, doubt.person) for other in doubt.others):
                state.doubts.remove(doubt)
                yield self.found(doubt)

    def leave(self, state: State, table: str, at: datetime) -> Iterator[Finding]:
        """Record that the people seated at a table left it, and judge each person who was seated there and
        elsewhere at the same time. Yield a finding for each person who had been at two tables for too long.
        """
        for doubt in list(state.doubts):
            others = [other for other in doubt.others if other.place.table != table]
            if doubt.seat.place.table == table or len(others) < len(doubt.others):
                state.doubts.remove(doubt)
                if at - doubt.seat.at > RELIEF:
                    yield self.found(doubt)
                elif doubt.seat.place.table != table and others:
                    state.doubts.append(Doubt(doubt.person, doubt.seat, others))

    def found(self, doubt: Doubt) -> Finding:
        seat = doubt.seat
        places = ", ".join(
            f"at {other.place.table} as {other.role_of(doubt.person)}" for other in doubt.others
        )
        says = (
            f"{doubt.person} was seated at {seat.place.table} as {seat.role_of(doubt.person)} while seated"
            f" {places}."
        )
        return self.finding("person-at-two-tables", seat.place, says)


def tables_of(registers: Registers, person: str, day: date) -> int:
    """Return how many tables a person may supervise at the same time. It is 1 if the registers do not say."""
    entry = registers.value("people", person, day)
    general = registers.value("thresholds", "tables-per-supervisor", day)
    for value in (entry, general):
        tables = value.get("tables") if isinstance(value, dict) else None
        if isinstance(tables, int) and not isinstance(tables, bool):
            return tables
    return 1


CHECK = Seats
