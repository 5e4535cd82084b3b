"""Check that a table's opener equals its last closer in the same currency, from the previous day or the
previous shift.

If a tray is counted again, its last count is valid (docs/how-facts-are-judged.md). An opener is therefore not
judged at once, but when the next fact of its table's day is recorded. If this fact is another opener in the
same currency and shift, the judgment waits for the fact after it. If an opener follows another opener, there
is no closer to compare it with.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Place
from audit.replay.results import Finding
from audit.replay.tally import shift_at
from games.kit import events as e
from games.kit.amounts import say
from games.kit.events import Event

TRAYS = 8
"""Maximum number of counted trays that are remembered for each table and currency. The latest by gaming day
are remembered. One is not enough: if a day is recorded late, its opener is compared with the last closer
before that day.
"""


class Tray(Struct):
    """A tray as it was counted."""

    place: Place
    is_closer: bool
    shift: str
    amount: int
    by: str
    second: str


class State(Struct):
    """The last counted trays of each table and currency, and the openers that may still be counted again."""

    trays: dict[str, dict[str, list[Tray]]] = field(default_factory=dict)
    waiting: dict[str, dict[str, tuple[Tray, Tray]]] = field(default_factory=dict)
    """{stream: {currency: (opener, closer)}} of the openers that are not judged yet, each with the closer
    that it must equal.
    """


class OpenerDiffers(LedgerCheck):
    name = "opener-differs"
    codes = ("opener-differs",)
    cite = cite("OC-05")
    kinds = (*f.AT_THE_CAGE, f.DayClosed, e.TableOpened, e.TableClosed, e.DealerSeated)
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state, place = self.state, ledger.place
        assert isinstance(state, State)
        if isinstance(event, e.TableOpened):
            for stream in [waiting for waiting in state.waiting if is_over(waiting, event)]:
                yield from self.judge(state.waiting.pop(stream))
        if isinstance(event, f.OpenerCounted | f.CloserCounted):
            yield from self.count(state, event, ledger)
        else:
            yield from self.judge(state.waiting.pop(place.stream, {}))

    def count(
        self, state: State, event: f.OpenerCounted | f.CloserCounted, ledger: Ledger
    ) -> Iterator[Finding]:
        place, currency = ledger.place, ledger.currency
        day = ledger.days.open.get(place.stream)
        shift = shift_at(day.shifts, event.at) if day is not None else ""
        tray = Tray(place, isinstance(event, f.CloserCounted), shift, event.amount, event.by, event.second)
        waiting = state.waiting.setdefault(place.stream, {})
        earlier = waiting.get(currency)
        if tray.is_closer or earlier is None or earlier[0].shift != shift:
            yield from self.judge(waiting)
            waiting.clear()
        trays = state.trays.setdefault(event.table, {}).setdefault(currency, [])
        at = next(
            (number for number in range(len(trays), 0, -1) if trays[number - 1].place.day <= place.day), 0
        )
        before = trays[at - 1] if at else None
        if before is not None and (before.place.stream, before.is_closer, before.shift) == (
            place.stream,
            tray.is_closer,
            shift,
        ):
            trays[at - 1] = tray  # The tray was counted again.
            before = trays[at - 2] if at > 1 else None
        else:
            trays.insert(at, tray)
            del trays[:-TRAYS]
        if not tray.is_closer and before is not None and before.is_closer:
            waiting[currency] = (tray, before)
        if not waiting:
            del state.waiting[place.stream]

    def judge(self, waiting: dict[str, tuple[Tray, Tray]]) -> Iterator[Finding]:
        """Yield a finding for each opener that differs from the closer before it.

        Args:
            waiting: {currency: (opener, closer before it)}.
        """
        for currency, (opener, closer) in waiting.items():
            difference = opener.amount - closer.amount
            if difference:
                of = f"{closer.place.day}{f', shift {closer.shift}' if closer.shift else ''}"
                says = (
                    f"The opener of {opener.place.table} is {in_words(opener, currency)};"
                    f" the closer before it, of {of}, is "
                )
                says += (
                    f"{in_words(closer, currency)}: {say(abs(difference), currency)}"
                    f" {'over' if difference > 0 else 'short'}."
                )
                yield self.finding("opener-differs", opener.place, says, owed=0, moved=-difference)


def is_over(stream: str, opened: e.TableOpened) -> bool:
    """Return True if the opening of a table shows that the day of `stream` is over. The day is over if the
    same table is opened for another day, or if any table is opened for a later gaming day.
    """
    table, _, day = stream.rpartition("/")
    return day < opened.day.isoformat() or (table == opened.table and day != opened.day.isoformat())


def in_words(tray: Tray, currency: str) -> str:
    """Return the count of a tray and who counted it, for a sentence."""
    return f"{say(tray.amount, currency)}, counted by {tray.by} and {tray.second}"


CHECK = OpenerDiffers
