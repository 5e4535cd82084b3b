"""Boxes that stayed on their table overnight. Their drop is counted with a later day, but their play belongs
to each day.

Such a box holds the drop of several days and is counted on the last of them. None of these days has a win of
its own: each is pending, and a note names the day with which it is counted. A row that contains all of these
days shows their sum. If rows are grouped by shift, two shifts are pending: the one whose box stayed, and the
one in which the box was pulled. The other shifts of these days have their own boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cached_property
from typing import NamedTuple

from audit.queries.adjustments import Adjustment, restating
from audit.queries.cache.aggregates import Aggregate, F, Periods, negate, periods_of
from audit.queries.cache.stamps import Stamp, stamps_of
from audit.queries.cage_lists import Stay, stays
from audit.queries.span import Span
from audit.queries.table_day import TableDay, restate
from audit.queries.table_days import table_days
from casino.reports.grouping import Pits, of_day

RowOfDay = Callable[[TableDay, str], Aggregate[F]]
"""A function that returns a report's row for a day. Its second parameter is the reason why the day's win is
not known yet, or an empty text if the win is known.
"""
MissingCounts = Callable[[TableDay], str]
"""A function that returns why a day's win is not known. It does not look for boxes that stayed on their
tables.
"""


class StayRows(NamedTuple):
    """One overnight box and the rows of its days. If the rows are by shift, a day has a row for each shift.

    Attributes:
        without_box: the rows in which the box stayed on the table.
        with_box: the rows in which it was pulled.
    """

    stay: Stay
    without_box: list[TableDay]
    with_box: list[TableDay]


class OvernightBoxes:
    """The boxes that stayed on their tables in a span. The rows of their days and the cache periods of the
    span are read only once, for all aggregates.
    """

    def __init__(
        self, span: Span, closed: OvernightBoxes | None = None, changes: Sequence[Adjustment] = ()
    ) -> None:
        """Find the boxes that stayed on their tables in a span. Two arguments are for restated books.

        Args:
            closed: the overnight boxes of the closed books, which are then not read again.
            changes: all adjustments of the span's days.
        """
        self.span, self._closed, self._changes = span, closed, changes
        self.stays: list[Stay] = stays(span) if closed is None else closed.stays
        self._stay_rows: dict[bool, list[StayRows]] = {}
        self._counted: dict[bool, list[TableDay]] = {}

    def __bool__(self) -> bool:
        return bool(self.stays)

    @cached_property
    def periods(self) -> Periods:
        """Return the periods into which the span is divided for the cache."""
        changes = (
            None
            if self._closed is None
            else [(change.property, change.of_day, change.position) for change in self._changes]
        )
        return periods_of(self.span, changes, self._stamps)

    @cached_property
    def _stamps(self) -> list[Stamp]:
        return stamps_of(self.span) if self._closed is None else self._closed._stamps

    @property
    def streams(self) -> list[str]:
        """Return the streams of all days on which one of these boxes was on its table."""
        return sorted({f"{stay.table}/{day}" for stay in self.stays for day in days_of_stay(stay)})

    def rows(self, *, by_shift: bool) -> list[StayRows]:
        """Return the rows of each overnight box."""
        if by_shift not in self._stay_rows:
            self._stay_rows[by_shift] = list(self._read(by_shift)) if self.stays else []
        return self._stay_rows[by_shift]

    def _read(self, by_shift: bool) -> Iterator[StayRows]:
        counted: dict[tuple[str, date], list[TableDay]] = {}
        for row in self._table_days(by_shift):
            counted.setdefault((row.table, row.day), []).append(row)
        for stay in self.stays:
            rows = [row for day in days_of_stay(stay) for row in counted.get((stay.table, day), [])]
            yield StayRows(
                stay,
                [row for row in rows if box_not_pulled(row)],
                [
                    row
                    for row in rows
                    if row.day != stay.days[0] and not box_not_pulled(row) and box_from_previous_day(row)
                ],
            )

    def _table_days(self, by_shift: bool) -> list[TableDay]:
        all_days, streams = self.span._replace(begins=None, ends=None), self.streams
        if by_shift not in self._counted and self._closed is not None:
            inside = all(_within(date.fromisoformat(stream[-10:]), self.span) for stream in streams)
            changes = (
                [change for change in self._changes if change.stream in streams]
                if inside
                else restating(all_days, streams)
            )
            self._counted[by_shift] = restate(self._closed._table_days(by_shift), changes, by_shift=by_shift)
        elif by_shift not in self._counted:
            self._counted[by_shift] = list(table_days(all_days, by_shift=by_shift, streams=streams))
        return self._counted[by_shift]


def days_of_stay(stay: Stay) -> list[date]:
    """Return the days on which the box stayed on the table. If the day with which it is counted is known, add
    this day at the end.
    """
    return [*stay.days, *([] if stay.counted_with is None else [stay.counted_with])]


def box_not_pulled(day: TableDay) -> bool:
    """Return True if the box of this day or shift stayed on its table. Rows of such days are not in cached
    aggregates. Reports add them to the aggregates with the function `rows`.
    """
    return day.boxes == 0 or (day.stays and not (day.shift and (day.pulled or day.counted)))


def box_from_previous_day(day: TableDay) -> bool:
    """Return True if this row contains the box from the previous day, if there is such a box. It is the first
    box of the day. The row is that of the whole day, or of the shift in which the first box was pulled.
    """
    return day.boxes > 0 and (not day.shift or day.shift == day.first_box)


def pending_reason(day: TableDay) -> str:
    """Return why a day has no win of its own, if its box stayed on the table. Return an empty text if no box
    stayed.
    """
    if not box_not_pulled(day):
        return ""
    return "its last box is not counted" if day.counted else "no count"


def rows(
    overnight: OvernightBoxes,
    by: Sequence[str],
    pits: Pits | None,
    row_of_day: RowOfDay[F],
    missing_counts: MissingCounts,
) -> Iterator[Aggregate[F]]:
    """Yield the rows of the days of overnight boxes, which a report adds to its cached aggregates. The
    aggregates do not contain the days whose box stayed on the table. They contain the days on which such a
    box was pulled, as if it held only the drop of that day.

    Args:
        overnight: the overnight boxes of the span.
        by: the grouping.
        pits: the pits, if rows are grouped by them.
        row_of_day: returns the report's row for a day.
        missing_counts: returns why a day's win is not known. It does not look for boxes that stayed.
    """
    span = overnight.span
    for stay_rows in overnight.rows(by_shift="shift" in by):
        days = (*stay_rows.without_box, *stay_rows.with_box)
        groups = {(of_day(day, by, pits), day.currency) for day in days}
        is_known = bool(stay_rows.with_box) and len(groups) == 1 and "shift" not in by
        is_known = is_known and _inside(stay_rows.stay, span) and not any(map(missing_counts, days))
        for day in stay_rows.without_box:
            if _within(day.day, span):
                yield row_of_day(day, "" if is_known else _why(stay_rows.stay, day, missing_counts))
        if not is_known:
            yield from _pending_rows(stay_rows, span, row_of_day, missing_counts)


def _pending_rows(
    stay_rows: StayRows, span: Span, row_of_day: RowOfDay[F], missing_counts: MissingCounts
) -> Iterator[Aggregate[F]]:
    """Yield rows that make the days pending on which an overnight box was pulled. The win of such a day is
    not known, because the box also holds the drop of earlier days. There are two rows for each day: the first
    subtracts the day from the aggregates, and the second adds it again as pending.
    """
    for day in stay_rows.with_box:
        if _within(day.day, span) and day.counted and not missing_counts(day):
            yield negate(row_of_day(day, ""))
            yield row_of_day(day, f"its box was on the table since {min(stay_rows.stay.days)}")


def _why(stay: Stay, day: TableDay, missing_counts: MissingCounts) -> str:
    own = missing_counts(day)
    if stay.counted_with is None:
        return ", ".join(filter(None, (own, pending_reason(day))))
    return ", ".join(filter(None, (own, f"counted with the box of {stay.counted_with}")))


def _within(day: date, span: Span) -> bool:
    return (span.begins is None or day >= span.begins) and (span.ends is None or day < span.ends)


def _inside(stay: Stay, span: Span) -> bool:
    return stay.counted_with is not None and all(
        _within(day, span) for day in (*stay.days, stay.counted_with)
    )
