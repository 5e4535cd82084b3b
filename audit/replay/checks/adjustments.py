"""Check that an adjustment is of a closed day of a table of this property, and that no count is adjusted
twice.

On a day that is not closed, only the drop may be adjusted, and only for a box whose two counts differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Place
from audit.replay.checks.counts import worth
from audit.replay.recounts import Recounts
from audit.replay.results import Finding
from audit.replay.table_days import keep_latest
from games.kit.events import Event
from games.kit.signatures import signers


class Counted(Struct):
    """The counts of a day that is not closed, and the uids of counts that differ."""

    recounts: Recounts = field(default_factory=Recounts)
    differ: list[str] = field(default_factory=list)


class State(Struct):
    """The adjustments so far, and the counts of days that are not closed."""

    of: dict[str, Place] = field(default_factory=dict)
    """{uid of an adjusted fact: place of the adjustment}."""
    same: dict[str, Place] = field(default_factory=dict)
    """{table, day, field and amount: place} of the adjustments that do not name a fact."""
    counted: dict[str, Counted] = field(default_factory=dict)


class Adjustments(LedgerCheck):
    name = "adjustments"
    codes = ("adjusted-twice", "adjusted-elsewhere", "adjusted-open-day")
    cite = cite("AU-04")
    kinds = (f.Adjusted, f.DropCounted, f.CountVerified, f.DayClosed)
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, f.Adjusted):
            yield from self.adjust(state, event, ledger)
        elif isinstance(event, f.DayClosed):
            state.counted.pop(ledger.place.stream, None)
        else:
            assert isinstance(event, f.DropCounted | f.CountVerified)
            counted = state.counted.setdefault(ledger.place.stream, Counted())
            keep_latest(state.counted, ledger.place.stream)
            other = counted.recounts.other(event)
            if other is not None and other.amount != event.amount:
                counted.differ += [other.uid, event.uid]
            elif event.notes is not None and worth(event.notes, event.papers) != event.amount:
                counted.differ.append(event.uid)

    def adjust(self, state: State, event: f.Adjusted, ledger: Ledger) -> Iterator[Finding]:
        by = signers(event.by, event.second)
        subject = f"{by} adjusted the {event.what} of {event.of_table} on {event.of_day}"
        key = event.of or f"{event.of_table} {event.of_day} {event.what} {event.amount}"
        known = state.of if event.of else state.same
        before = known.setdefault(key, ledger.place)
        if before != ledger.place:
            names = (
                f"names the same fact, {event.of}" if event.of else "is of the same amount and names no fact"
            )
            says = f"{subject}. The adjustment {before.uid} of {before.day} {names}."
            yield self.finding("adjusted-twice", ledger.place, says)
        if says := self.elsewhere(event, ledger):
            yield self.finding("adjusted-elsewhere", ledger.place, f"{subject}. {says}")
        elif not ledger.days.is_closed(event.of_table, event.of_day):
            counted = state.counted.get(f"{event.of_table}/{event.of_day.isoformat()}")
            if event.what != "drop" or counted is None or event.of not in counted.differ:
                says = f"{subject}. The day is still open. Only a closed day is adjusted."
                yield self.finding("adjusted-open-day", ledger.place, says)

    def elsewhere(self, event: f.Adjusted, ledger: Ledger) -> str:
        """Return a sentence if the adjusted day is not a day of a table of this property, or if its table has
        no tray. Otherwise return an empty text.
        """
        property = event.table.partition("/")[0]
        if event.of_table.partition("/")[0] != property:
            return f"{event.of_table} is not a table of {property}."
        if not ledger.days.is_known(event.of_table, event.of_day):
            return f"{event.of_table} was not open on {event.of_day}."
        if ledger.days.live.get(event.of_table) and event.what != "settlement":
            return f"{event.of_table} is a live-dealer table, which has no tray and no drop box."
        return ""


CHECK = Adjustments
