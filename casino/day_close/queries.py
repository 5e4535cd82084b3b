"""Read gaming days before and after their close: blockers, open variances, and boxes without a
count.

A table's day is ready only if the table is closed and its closer counted, no slip is pending, every box is
counted twice, and no variance is open. A variance is open until surveillance has given its verdict, or until
an adjustment names one of the counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import NamedTuple

from audit import facts as f
from audit.queries import cage_facts, closed_books
from audit.queries.adjustments import restating
from audit.queries.span import Span
from audit.replay.results import Tray
from audit.replay.tally import counted_again, shift_of
from audit.review import verdicts
from casino.cage.services import slips as slip_services
from casino.cage.slips import pending as pending_slips
from casino.cage.slips.pending import PendingSlip
from casino.count_room import queries as count_room
from casino.presentation.formatting import code_label, money
from casino.reference.calendar import gaming_day
from games import GAMES
from games.kit.events import Event, TableClosed, TableOpened, kind_of

LOOK_BACK_DAYS = 35
"""Number of gaming days before today among which open days are listed."""
KINDS = count_room.KINDS | {"opener-counted", "closer-counted", "table-closed"}
WHAT = {
    "drop": "Drop",
    "opener": "Opener",
    "closer": "Closer",
    "fill": "Fill",
    "credit": "Credit",
    "settlement": "Settlement of wagers",
}
SETTLES = frozenset({"confirmed", "dismissed"})
"""The verdicts that settle a variance."""


class Blocker(NamedTuple):
    """A sentence about what still prevents closing a table's day, and its area: `play`, `slip`, `count` or
    `variance`.
    """

    about: str
    says: str


class TableDay(NamedTuple):
    """A table's gaming day, and what is needed to close it."""

    table: str
    day: date
    closed: bool
    blockers: list[Blocker]
    currency: str
    live_dealer: bool
    stays: bool
    """True if a tray was counted but no box was pulled. The contents of the box are counted with a later day,
    and the win is pending until then.
    """
    unopened: bool
    """True if a closer or a box was counted, but no opener. The win is then pending until an adjustment gives
    the amount that was in the tray when the table opened.
    """
    variances: dict[str, str]
    """For each count with an open variance: its uid, and a sentence about the variance."""
    disputed_counts: frozenset[str]
    """The uids of all counts with an open variance. On an open day, an adjustment must name a count in this
    set.
    """
    uncounted: list[tuple[str, str, str]]
    """Box, shift and uid of each pull without a count."""
    closing: f.DayClosed | None = None
    """The fact that closed the day, if it is closed."""
    open_before: tuple[date, ...] = ()
    """Earlier gaming days of the table that are not closed. Closing this day before them requires a reason.
    """

    @property
    def code(self) -> str:
        """Return the name of the table without the property."""
        return self.table.partition("/")[2]

    @property
    def adjusts(self) -> dict[str, str]:
        """Return what may be adjusted on this day, as {key: label}.

        At a live-dealer table, the revenue from wagers may be adjusted, but never the drop. On an open day,
        only the drop may be adjusted, and only if two counts differ.
        """
        if self.live_dealer:
            return {"settlement": WHAT["settlement"]}
        return WHAT if self.closed else {"drop": WHAT["drop"]}

    @property
    def ready(self) -> bool:
        """Return True if the day is not closed and nothing blocks its close."""
        return not self.closed and not self.blockers


class OpenItems(NamedTuple):
    """What still prevents closing some tables of a gaming day: the numbers of open variances, of slips that
    wait for signatures, and of boxes without a count or a recount.
    """

    variances: int
    slips: int
    counts: int


def open_items(table_days: Sequence[TableDay]) -> OpenItems:
    """Return what still prevents closing these tables."""
    areas = Counter(blocker.about for table_day in table_days for blocker in table_day.blockers)
    return OpenItems(sum(len(table_day.variances) for table_day in table_days), areas["slip"], areas["count"])


def open_days(property: str, today: date) -> dict[date, int]:
    """Return {gaming day: number of tables that are not closed} for the LOOK_BACK_DAYS gaming days before
    today. Days on which all tables are closed are left out.
    """
    span = Span(today - timedelta(days=LOOK_BACK_DAYS), today, property)
    days = Counter(day for table_days in closed_books.open_days(span).values() for day in table_days)
    return dict(sorted(days.items()))


def day_to_close(property: str) -> date:
    """Return the oldest gaming day before today on which a table is not closed. If all are closed, return the
    last gaming day before today on which a table was open, or yesterday if no table was ever open.
    """
    today = gaming_day(property)
    open_days = [day for days in cage_facts.open_before(property, today).values() for day in days]
    return min(open_days, default=None) or cage_facts.last_day(property, today) or today - timedelta(days=1)


def tables(property: str, day: date, *, with_open_before: bool = True) -> list[TableDay]:
    """Return every table with a stream on this gaming day, each with everything that blocks its close. All of
    this is read from the ledger.

    Args:
        property: the casino.
        day: the gaming day.
        with_open_before: False to leave `open_before` empty, for pages that do not close tables.
    """
    streams = [stream.stream for stream in cage_facts.streams(property, day)]
    events_of = {
        stream: [fact.event for fact in of]
        for stream, of in groupby(cage_facts.facts(property, streams, KINDS), lambda fact: fact.stream)
    }
    waits = {stream: count_room.counts_to_do(events) for stream, events in events_of.items()}
    settled = _settled(
        property,
        day,
        [(stream, uid) for stream, waiting in waits.items() for uid in waiting.differing],
        events_of,
    )
    slips: dict[str, list[PendingSlip]] = {}
    for slip in pending_slips.of_property(property):
        slips.setdefault(pending_slips.stream_of(slip), []).append(slip)
    earlier = cage_facts.open_before(property, day) if with_open_before else {}
    table_days = [
        _table(stream, day, events, waits[stream], settled, slips.get(stream, ()))
        for stream, events in events_of.items()
    ]
    return _without_late_counts(
        property,
        [
            table_day._replace(
                open_before=() if table_day.closed else tuple(earlier.get(table_day.table, ()))
            )
            for table_day in table_days
        ],
    )


def _without_late_counts(property: str, table_days: list[TableDay]) -> list[TableDay]:
    """Return these table days. A box of a closed day that was counted late is removed from `uncounted`."""
    named = count_room.late_counts(
        property,
        (
            f"{table_day.table}/{table_day.day}"
            for table_day in table_days
            if table_day.closed and table_day.uncounted
        ),
    )
    return [
        table_day._replace(uncounted=[box for box in table_day.uncounted if box[2] not in named])
        for table_day in table_days
    ]


def _count_blockers(waits: count_room.CountsToDo) -> Iterator[Blocker]:
    """Yield a blocker for each box without a count, and for each box without a recount."""
    for box, shift in waits.uncounted:
        yield Blocker("count", f"Box {box}{_shift_text(shift)} has not been counted.")
    for box, shift in waits.unverified:
        yield Blocker("count", f"Box {box}{_shift_text(shift)} has not been recounted.")


def _table(
    stream: str,
    day: date,
    events: Sequence[Event],
    waits: count_room.CountsToDo,
    settled: frozenset[str],
    slips: Sequence[PendingSlip],
) -> TableDay:
    closing = next((event for event in events if isinstance(event, f.DayClosed)), None)
    opening = next((event for event in reversed(events) if isinstance(event, TableOpened)), None)
    currency, game = (opening.currency, GAMES.get(opening.game)) if opening is not None else ("", None)
    live_dealer = game is not None and game.live_dealer
    opened, pulls = _last(events, TableOpened), [event for event in events if isinstance(event, f.BoxPulled)]
    blockers: list[Blocker] = []
    if opened > _last(events, TableClosed):
        blockers.append(Blocker("play", "The table is still open. Close it on the floor page."))
    openers, closers = _openers_and_closers(events)
    boxes = bool(pulls) or any(isinstance(event, f.DropCounted) for event in events)
    if closers < max(openers, int(boxes and not live_dealer)):
        blockers.append(Blocker("play", "The closer has not been counted."))
    blockers += [Blocker("slip", _missing_signatures(slip)) for slip in slips]
    blockers += _count_blockers(waits)
    variances = {uid: says for uid, says in waits.differing.items() if uid not in settled}
    blockers += [Blocker("variance", f"{says} The variance is open.") for says in variances.values()]
    pending = list(waits.uncounted)
    uncounted = []
    for pull in reversed(pulls):
        if (pull.box, pull.shift) in pending:
            pending.remove((pull.box, pull.shift))
            uncounted.append((pull.box, pull.shift, pull.uid))
    stays = bool(openers or closers) and not boxes
    unopened = not openers and (bool(closers) or boxes) and not live_dealer
    table = stream.rpartition("/")[0]
    disputed_counts = frozenset[str]().union(
        *(two for two in _count_pairs(events) if two & variances.keys()), variances
    )
    return TableDay(
        table,
        day,
        closing is not None,
        [] if closing else blockers,
        currency,
        live_dealer,
        stays,
        unopened,
        variances,
        disputed_counts,
        uncounted,
        closing,
    )


def _count_pairs(events: Sequence[object]) -> list[frozenset[str]]:
    """Return one set for each pair of count and recount: the uids of the two."""
    return [frozenset((count, recount.uid)) for count, recount in count_room.pairs_of(events).items()]


def _missing_signatures(slip: PendingSlip) -> str:
    signed = pending_slips.signatures_by_role(slip)
    missing = ", ".join(
        code_label(role).lower() for role in slip_services.ROLES[slip.kind] if role not in signed
    )
    over = "void" if "sent_by" in signed else "withdraw"
    subject = f"A {slip_services.NAMES[slip.kind]} of {money(slip.amount, slip.currency)} {slip.currency}"
    return f"{subject} is pending: {missing} missing. Have it signed, or {over} it, on the cage page."


def _openers_and_closers(events: Sequence[Event]) -> tuple[int, int]:
    """Return the number of openers and the number of closers. Repeated counts of one tray count once."""
    trays: list[Tray] = []
    opened: TableOpened | None = None
    for event in events:
        if isinstance(event, TableOpened):
            opened = event
        elif isinstance(event, f.OpenerCounted | f.CloserCounted):
            tray = (
                kind_of(event),
                opened.currency if opened is not None else "",
                shift_of(opened, event.at),
                event.amount,
            )
            if not counted_again(trays, tray):
                trays.append(tray)
    closers = sum(kind == "closer-counted" for kind, *_ in trays)
    return len(trays) - closers, closers


def _shift_text(shift: str) -> str:
    return f" of shift {shift}" if shift else ""


def _last(events: Sequence[Event], kind: type[Event]) -> int:
    return max((place for place, event in enumerate(events) if isinstance(event, kind)), default=-1)


def _settled(
    property: str, day: date, differing: Sequence[tuple[str, str]], events: Mapping[str, Sequence[Event]]
) -> frozenset[str]:
    """Return the uids of those counts in `differing` whose variance is no longer open: surveillance has given
    its verdict, or an adjustment names a count of the same box.
    """
    if not differing:
        return frozenset()
    judged = verdicts.latest(property, [f"{uid}:count-differs::" for _, uid in differing])
    settled = {uid for _, uid in differing if judged.get(f"{uid}:count-differs::") in SETTLES}
    named: dict[str, set[str]] = {}
    for adjustment in restating(Span(property=property), sorted({stream for stream, _ in differing})):
        named.setdefault(adjustment.stream, set()).add(adjustment.of)
    pairs = {stream: _count_pairs(events[stream]) for stream in {stream for stream, _ in differing}}
    for stream, uid in differing:
        if next((two for two in pairs[stream] if uid in two), {uid}) & named.get(stream, set()):
            settled.add(uid)
    return frozenset(settled)
