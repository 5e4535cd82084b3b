"""Units of the journal: table days that are booked together. Most units are one day of a table. If a box
stayed on its table overnight, the unit is all days of that box. The adjustments of the days belong to the
unit.

A day is late if the ledger received it only after a later day of its table was closed, for example because a
feed was imported late or papers were missing. The documents of that later day never change, so its opener
remains compared with the count before the late day. The late day's opener is compared with its own closer.
Added up, the two differences are the same as if each opener had been compared with the closer before it. If
the box stayed on the table on the late day, it is counted with the later day as usual. A box of an earlier
day is never counted with the late day.

Units are read from the closed books of one property. The units of a span are its days and every day that was
adjusted in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from audit import facts as f
from audit.queries import cage_facts
from audit.queries.adjustments import Adjustment, adjustments, restating
from audit.queries.cage_lists import Stay, stays
from audit.queries.closed_books import Stream, open_days, streams
from audit.queries.span import CLOSED, Span
from audit.queries.table_day import TableDay
from audit.queries.tray_differences import TrayDifference, tray_differences
from casino.count_room.queries import pairs_of
from casino.journals.cache.days import (
    DayAndPapers,
    of_streams,
    table_days_and_papers,
)
from casino.journals.postings import OtherAmounts

COUNTS = frozenset({"drop-counted", "count-verified"})
Place = tuple[str, str, str]
"""A stream, a currency and a shift. The shift is empty text if amounts are booked by whole days."""


class Box(NamedTuple):
    """A counted box.

    Attributes:
        shift: the shift in which it was pulled.
        counted: the uid of its first count.
        difference: the second count minus the first, or 0 without a second count.
    """

    name: str
    shift: str
    counted: str
    difference: int


class Why(NamedTuple):
    """The reason why an entry cannot be booked: a code, and a sentence.

    Attributes:
        day: the gaming day on which the problem can be fixed, or empty if it can be fixed on the entry's own
            day.
    """

    about: str
    says: str
    day: str = ""


class Unit(NamedTuple):
    """Table days that are booked in one document. `streams` are in the order of their days, and the unit is
    booked on the last day.

    A late unit is booked by itself. If its box stayed on the table, the box is counted with the later day.

    Attributes:
        waits: why the unit cannot be booked yet, or None if it can.
        late: True if the ledger received the unit only after a later day of the table was closed.
    """

    streams: tuple[Stream, ...]
    rows: tuple[TableDay, ...]
    adjustments: tuple[Adjustment, ...]
    other_amounts: Mapping[Place, OtherAmounts]
    boxes: Mapping[str, Box]
    waits: Why | None = None
    late: bool = False

    @property
    def last(self) -> Stream:
        return self.streams[-1]

    @property
    def position(self) -> int:
        """Return the position in the ledger at which the last of the unit's days was closed."""
        return max(stream.closed or 0 for stream in self.streams)


def units(span: Span, *, by_shift: bool) -> tuple[list[Unit], list[Stream]]:
    """Return two lists from the closed books of one property: the units that are booked or adjusted in the
    span, and the streams of the span whose days are not closed yet.
    """
    span = span._replace(books=CLOSED)
    adjusted = {adjustment.stream for adjustment in adjustments(span) if adjustment.closed}
    inside = list(streams(span))
    known = {
        stream.name: stream
        for stream in (*inside, *_streams_named(span, adjusted - {stream.name for stream in inside}))
    }
    held = stays(
        _extended(span, [stream for stream in known.values() if not _within(stream.day, span)]), booked=True
    )
    overnight_names = {
        f"{stay.table}/{day}" for stay in held for day in (*stay.days, stay.counted_with) if day is not None
    }
    known |= {stream.name: stream for stream in _streams_named(span, overnight_names - known.keys())}
    closed = [stream for stream in known.values() if stream.closed is not None]
    return list(_Reading(span, closed, held, by_shift).units()), [
        stream for stream in inside if stream.closed is None
    ]


def _within(day: date, span: Span) -> bool:
    return (span.begins is None or day >= span.begins) and (span.ends is None or day < span.ends)


def _streams_named(span: Span, names: set[str]) -> list[Stream]:
    """Return the streams with these names. They may be of any day, also outside the span."""
    return list(streams(span._replace(begins=None, ends=None), sorted(names))) if names else []


def _extended(span: Span, outside: Sequence[Stream]) -> Span:
    """Return the span, extended so that it includes the days of the streams in `outside`."""
    first = min((stream.day for stream in outside), default=None)
    if first is None or span.begins is None:
        return span
    ends = (
        span.ends
        if span.ends is None
        else max(span.ends, *(stream.day + timedelta(days=1) for stream in outside))
    )
    return span._replace(begins=min(span.begins, first), ends=ends)


class _Reading:
    """Reads all data from which the units of these streams are built. It reads each part only once."""

    def __init__(self, span: Span, closed: Sequence[Stream], held: Sequence[Stay], by_shift: bool) -> None:
        """Read the closed streams of the span. Also read streams outside the span: those that are booked
        together with a stream of the span, and those that were adjusted in the span.
        """
        self.span, self.whole, self.by_shift, self.stays = (
            span,
            span._replace(begins=None, ends=None),
            by_shift,
            held,
        )
        self.streams = {stream.name: stream for stream in closed}
        names = sorted(self.streams)
        self.property = span.property or ""
        self.rows: dict[str, list[TableDay]] = defaultdict(list)
        self.other_amounts: dict[str, dict[Place, OtherAmounts]] = defaultdict(dict)
        for day, papers in self._days(closed):
            self.rows[day.stream].append(day)
            if any(papers):
                self._add((day.stream, day.currency, day.shift), OtherAmounts(0, 0, *papers))
        self.adjustments: dict[str, list[Adjustment]] = defaultdict(list)
        for change in self._changes(closed):
            self.adjustments[change.stream].append(change)
        self.before: dict[str, date] = {}
        self.late = {stream.name for stream in closed if stream.late}
        for tray in self._trays(closed):
            self._open(tray)
        for row in (row for name in self.late for row in self.rows[name] if not row.live_dealer):
            self._add((row.stream, row.currency, row.shift), OtherAmounts(opened=row.opener - row.closer))
        self.open_days = self._open_days()
        self.boxes = self._boxes([name for name in names if self.adjustments[name]])

    def _days(self, closed: Sequence[Stream]) -> Iterator[DayAndPapers]:
        yield from table_days_and_papers(self.span, by_shift=self.by_shift)
        if outside := self._outside(closed):
            yield from of_streams(self.whole, outside, by_shift=self.by_shift)

    def _changes(self, closed: Sequence[Stream]) -> Iterator[Adjustment]:
        yield from (change for change in restating(self.span) if change.stream in self.streams)
        if outside := self._outside(closed):
            yield from restating(self.whole, outside)

    def _trays(self, closed: Sequence[Stream]) -> Iterator[TrayDifference]:
        """Yield the counts of trays of the days that are read, compared with the counts before them. The
        count before may be of a day that is still open.
        """
        yield from tray_differences(self.span)
        if outside := self._outside(closed):
            yield from tray_differences(self.whole, outside)

    def _outside(self, closed: Sequence[Stream]) -> list[str]:
        """Return the names of the streams that are read although they are outside the span. A stream is read
        if it is booked together with days of the span, or if it was adjusted in the span.
        """
        return [stream.name for stream in closed if not _within(stream.day, self.span)]

    def _open(self, tray: TrayDifference) -> None:
        """Record the day of the count before a tray, and by how much an opener differs from a closer before
        it.
        """
        if not tray.stream.endswith(f"{tray.day_before}"):
            self.before[tray.stream] = tray.day_before
        if tray.opened:
            place = (tray.stream, tray.currency, tray.shift if self.by_shift else "")
            self._add(place, OtherAmounts(opened=tray.opened))

    def _add(self, place: Place, amounts: OtherAmounts) -> None:
        of_stream = self.other_amounts[place[0]]
        known = of_stream.get(place)
        of_stream[place] = (
            amounts if known is None else OtherAmounts._make(map(sum, zip(known, amounts, strict=True)))
        )

    def _open_days(self) -> dict[str, list[date]]:
        """Return {table: days that are not closed yet}. An open day can prevent a later day from being
        booked, because trays are compared with the count before them. Days before the earliest of these
        counts are left out.
        """
        days = [*self.before.values(), *(min(stay.days) for stay in self.stays)]
        return open_days(self.whole._replace(begins=min(days))) if days else {}

    def _boxes(self, names: Sequence[str]) -> dict[str, dict[str, Box]]:
        """Return {stream: {uid of a count: the box that was counted}}."""
        counts: dict[str, list[f.DropCounted | f.CountVerified]] = defaultdict(list)
        for fact in cage_facts.facts(self.property, names, COUNTS) if names else ():
            if isinstance(fact.event, f.DropCounted | f.CountVerified):
                counts[fact.stream].append(fact.event)
        return {stream: _boxes_of(events) for stream, events in counts.items()}

    def units(self) -> Iterator[Unit]:
        """Yield the units. Every stream is in one unit. All days on which the same box stayed on the table
        form one unit, except late days.
        """
        of_stay = {
            f"{stay.table}/{day}": stay
            for stay in self.stays
            for day in (*stay.days, stay.counted_with)
            if day is not None
        }
        for name, stream in self.streams.items():
            stay = of_stay.get(name)
            if stay is None or name in self.late:
                yield self._unit((stream,), self._reason_to_wait(stream, ()))
            elif stay.counted_with is None:
                yield self._unit(
                    (stream,),
                    Why(
                        "box",
                        "the box is still on the table: this day is booked with the day on which the box"
                        " is counted",
                    ),
                )
            elif stay.counted_with == stream.day:
                days = [day for day in sorted(stay.days) if f"{stay.table}/{day}" not in self.late]
                yield self._unit(
                    (*(self.streams[f"{stay.table}/{day}"] for day in days), stream),
                    self._reason_to_wait(stream, days),
                )

    def _unit(self, of: tuple[Stream, ...], waits: Why | None) -> Unit:
        names = [stream.name for stream in of]
        rows = tuple(row for name in names for row in self.rows[name])
        if waits is None and not of[-1].live_dealer and not any(row.cage for row in rows):
            waits = Why("uncounted", "neither tray nor box was counted: there is nothing to book")
        changes = sorted(
            (change for name in names for change in self.adjustments[name]),
            key=lambda change: change.position,
        )
        amounts = {place: part for name in names for place, part in self.other_amounts[name].items()}
        boxes = {uid: box for name in names for uid, box in self.boxes.get(name, {}).items()}
        return Unit(of, rows, tuple(changes), amounts, boxes, waits, of[-1].name in self.late)

    def _reason_to_wait(self, stream: Stream, joint_days: Sequence[date]) -> Why | None:
        """Return the reason why this stream cannot be booked yet: an earlier day of the same table must be
        closed first. Return None if there is no such day.

        Args:
            joint_days: the other days of the unit.
        """
        since = min(self.before.get(f"{stream.table}/{day}", day) for day in (*joint_days, stream.day))
        first = next((day for day in self.open_days.get(stream.table, ()) if since <= day < stream.day), None)
        if first is None:
            return None
        says = (
            f"the previous day of this table, {first}, is not closed, and the opener is compared with the"
            " closer of that day"
        )
        return Why("order", says, str(first))


def _boxes_of(events: Sequence[f.DropCounted | f.CountVerified]) -> dict[str, Box]:
    """Return the box of each count of a stream, by the uid of the count and of its recount."""
    pairs = pairs_of(events)
    boxes = {event.uid: Box(event.box, event.shift or "", event.uid, 0) for event in events}
    for event in events:
        if (recount := pairs.get(event.uid)) is not None:
            boxes[event.uid] = boxes[recount.uid] = boxes[event.uid]._replace(
                difference=recount.amount - event.amount
            )
    return boxes


def settled(unit: Unit, changes: Iterable[Adjustment], *, by_shift: bool) -> dict[Place, int]:
    """Return {(stream, currency, shift): sum of differences}. A difference is the second count minus the
    first count of a box that one of these adjustments names.
    """
    named: dict[tuple[str, str], tuple[Place, int]] = {}
    for change in changes:
        box = unit.boxes.get(change.of) if change.what == "drop" else None
        if box is not None:
            named[change.stream, box.counted] = (
                (change.stream, change.currency, box.shift if by_shift else ""),
                box.difference,
            )
    sums: dict[Place, int] = defaultdict(int)
    for place, difference in named.values():
        sums[place] += difference
    return sums
