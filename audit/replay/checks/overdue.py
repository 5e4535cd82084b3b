"""Find days that are overdue. Some days after a gaming day, its close, openers, closers, pulls, counts and
recounts must have been recorded. The check also finds days that are never closed.

The time is measured in gaming days, not by a clock. A day is overdue as soon as a fact is recorded whose
gaming day is more than n days later. The number n is in the register `thresholds` (key `day-closes`, value
`{"days": n}`). Without an entry, n is 7, because the count room lists a box for a week. A finding points at
the day's last fact that the ledger fold reads.

The check applies to days with a fact of the cage or the count room, and to all days of a table that has ever
closed a day. If a table's system reports neither cage facts nor closed days, the report `coverage` shows the
table as not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Place
from audit.replay.recounts import Recounts
from audit.replay.registers import Registers
from audit.replay.results import Finding
from audit.replay.table_days import Range, add, within
from games.kit import events as e
from games.kit.events import Event

DAYS = 7
CITE = {
    "close-missing": cite("AU-01"),
    "opener-missing": cite("OC-01"),
    "closer-missing": cite("OC-08"),
    "pull-missing": cite("DR-02"),
    "drop-missing": cite("DR-08"),
    "recount-missing": cite("CO-09"),
}


class Due(Struct):
    """The number of tray counts, and the pulls and counts of boxes, that have been recorded for a day that is
    not closed.
    """

    last: Place
    attached: bool = False
    openers: int = 0
    closers: int = 0
    pulled: list[tuple[str, str]] = field(default_factory=list)
    """Box and shift of every pull that has no count."""
    counted: bool = False
    recounts: Recounts = field(default_factory=Recounts)


class State(Struct):
    """`due`: for each stream whose day is not closed, what has been recorded for it. `latest`: the latest
    gaming day of all facts. `found`: for each table, the days that are already reported as overdue.
    """

    due: dict[str, Due] = field(default_factory=dict)
    latest: date | None = None
    found: dict[str, list[Range]] = field(default_factory=dict)


class Overdue(LedgerCheck):
    name = "overdue"
    codes = tuple(CITE)
    cite = CITE["close-missing"]
    kinds = (e.TableOpened, e.TableClosed, e.DealerSeated, *f.AT_THE_CAGE, f.DayClosed, *f.OF_THE_HOUSE)
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state, place = self.state, ledger.place
        assert isinstance(state, State)
        if state.latest is None or event.day > state.latest:
            state.latest = event.day
            yield from self.look(state, event.day, ledger)
        if type(event) in f.OF_THE_HOUSE or within(state.found.get(event.table, []), event.day.toordinal()):
            return
        if isinstance(event, f.DayClosed):
            state.due.pop(place.stream, None)
            return
        due = state.due.setdefault(place.stream, Due(place))
        due.last = place
        due.attached = due.attached or type(event) in f.AT_THE_CAGE
        note(due, event)

    def look(self, state: State, today: date, ledger: Ledger) -> Iterator[Finding]:
        """Yield findings for everything that is missing on the days that are overdue on the gaming day
        `today`. Each day is reported once.
        """
        limit = today - timedelta(days=allowed(ledger.registers, today))
        for stream, due in [(stream, due) for stream, due in state.due.items() if due.last.day < limit]:
            del state.due[stream]
            add(state.found.setdefault(due.last.table, []), due.last.day.toordinal())
            live = ledger.days.live.get(due.last.table, False)
            if (due.attached and not live) or ledger.days.closed.get(due.last.table):
                for code, says in lacks(due, live=live):
                    says = f"{due.last.table}, gaming day {due.last.day}: by {today} {says}."
                    yield self.finding(code, due.last, says, cite=CITE[code])


def note(due: Due, event: Event) -> None:
    """Update what has been recorded for a day with one of its facts."""
    if isinstance(event, f.OpenerCounted):
        due.openers += 1
    elif isinstance(event, f.CloserCounted):
        due.closers += 1
    elif isinstance(event, f.BoxPulled):
        due.pulled.append((event.box, event.shift))
        due.counted = True
    elif isinstance(event, f.DropCounted | f.CountVerified):
        due.recounts.other(event)
        due.counted = True
        if isinstance(event, f.DropCounted) and (event.box, event.shift) in due.pulled:
            due.pulled.remove((event.box, event.shift))


def lacks(due: Due, *, live: bool) -> Iterator[tuple[str, str]]:
    """Yield a code and a sentence for everything that a day lacks."""
    yield "close-missing", "the day had not been closed"
    if live:
        return
    if not due.openers:
        yield "opener-missing", "no opener had been counted"
    if not due.closers:
        yield "closer-missing", "no closer had been counted"
    if not due.counted:
        yield "pull-missing", "no box had been pulled"
    if due.pulled:
        yield "drop-missing", f"no count had come for box {', '.join(box for box, _ in due.pulled)}"
    if counted := [box for box, waits in due.recounts.counted.items() if waits]:
        yield "recount-missing", f"no recount had come for box {', '.join(counted)}"


def allowed(registers: Registers, day: date) -> int:
    """Return for how many gaming days after its own a day may stay open."""
    return days_of(registers.value("thresholds", "day-closes", day), DAYS)


def days_of(value: object, usual: int) -> int:
    """Return the number of gaming days in the value of a threshold, or `usual` if it has none."""
    days = value.get("days") if isinstance(value, dict) else None
    return days if isinstance(days, int) and not isinstance(days, bool) else usual


CHECK = Overdue
