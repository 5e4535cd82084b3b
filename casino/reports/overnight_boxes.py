"""Boxes that stayed on their table over night: drop follows the box, play follows the clock.

What such a box holds was dropped on several days and is counted on the last. None of them has a win of its
own: each is pending, and says with which day it belongs. Whatever holds them all adds them up. By shift it is
the shift whose box stayed, and the one in which it was pulled: the other shifts of these days have boxes of
their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from audit.queries import tallies
from audit.queries.cache.aggregates import Aggregate, CachePeriod, Stamp, periods_of, stamps_of
from audit.queries.cage_lists import Stay, stays
from audit.queries.tallies import Adjustment, Span, TableDay
from casino.reports.grouping import Pits, of_day

Say = Callable[[TableDay, str], Aggregate]
"""A report's row of a day, with why its win is not known yet; empty text: it is known."""
Pending = Callable[[TableDay], str]
"""Why a day's win is not known, its own box aside."""


class Days(NamedTuple):
    """The rows of one stay as they were counted, by shift where shifts are asked for: those whose box stayed,
    and those that have it.
    """

    stay: Stay
    without: list[TableDay]
    last: list[TableDay]


class OvernightBoxes:
    """The stays of a span. The rows of their days are read once, however much is added up of them; so are the
    units of the span.
    """

    def __init__(
        self, span: Span, closed: OvernightBoxes | None = None, changes: Sequence[Adjustment] = ()
    ) -> None:
        """Of the restated books, where both are asked for: the same of the `closed` ones, and every
        adjustment of the span's days.
        """
        self.span, self._closed, self._changes = span, closed, changes
        self.found: list[Stay] = stays(span) if closed is None else closed.found
        self._days: dict[bool, list[Days]] = {}
        self._counted: dict[bool, list[TableDay]] = {}

    def __bool__(self) -> bool:
        return bool(self.found)

    @cached_property
    def units(self) -> dict[str, list[CachePeriod]]:
        """What sums of the span are kept by."""
        changes = (
            None
            if self._closed is None
            else [(one.property, one.of_day, one.position) for one in self._changes]
        )
        return periods_of(self.span, changes, self._stamps)

    @cached_property
    def _stamps(self) -> list[Stamp]:
        return stamps_of(self.span) if self._closed is None else self._closed._stamps

    @property
    def streams(self) -> list[str]:
        """Every table's day on which one of their boxes was on the table."""
        return sorted(
            {
                f"{stay.table}/{day}"
                for stay in self.found
                for day in (*stay.days, stay.counted_with)
                if day is not None
            }
        )

    def days(self, *, by_shift: bool) -> list[Days]:
        """What was counted on their days."""
        if by_shift not in self._days:
            self._days[by_shift] = list(self._read(by_shift)) if self.found else []
        return self._days[by_shift]

    def _read(self, by_shift: bool) -> Iterator[Days]:
        counted: dict[tuple[str, date], list[TableDay]] = {}
        for day in self._rows(by_shift):
            counted.setdefault((day.table, day.day), []).append(day)
        for stay in self.found:
            of = [
                one
                for day in (*stay.days, stay.counted_with)
                if day is not None
                for one in counted.get((stay.table, day), [])
            ]
            has_it = [
                one
                for one in of
                if one.day != stay.days[0] and not box_not_pulled(one) and box_from_previous_day(one)
            ]
            yield Days(stay, [one for one in of if box_not_pulled(one)], has_it)

    def _rows(self, by_shift: bool) -> list[TableDay]:
        whole, streams = self.span._replace(begins=None, ends=None), self.streams
        if by_shift not in self._counted and self._closed is not None:
            inside = all(_within(date.fromisoformat(stream[-10:]), self.span) for stream in streams)
            changes = (
                [one for one in self._changes if one.stream in streams]
                if inside
                else tallies.restating(whole, streams)
            )
            self._counted[by_shift] = tallies.restate(
                self._closed._rows(by_shift), changes, by_shift=by_shift
            )
        elif by_shift not in self._counted:
            self._counted[by_shift] = list(tallies.table_days(whole, by_shift=by_shift, streams=streams))
        return self._counted[by_shift]


def box_not_pulled(day: TableDay) -> bool:
    """Whether the box of this day, or shift of it, stayed on its table: what `rows` gives, and no cache of
    sums holds.
    """
    return day.boxes == 0 or (day.stays and not (day.shift and (day.pulled or day.counted)))


def box_from_previous_day(day: TableDay) -> bool:
    """Whether the first box of this day is in this row: where one had stayed the night before, it is that."""
    return day.boxes > 0 and (not day.shift or day.shift == day.first_box)


def word(day: TableDay) -> str:
    """Why a day is not known by itself whose box stayed; empty text: it did not."""
    if not box_not_pulled(day):
        return ""
    return "its last box is not counted" if day.counted else "no count"


def rows(
    held: OvernightBoxes, by: Sequence[str], pits: Pits | None, say: Say, pending: Pending
) -> Iterator[Aggregate]:
    """What the days of stays add to sums in which those that wait are left out and all others stand as they
    were counted.
    """
    span = held.span
    for days in held.days(by_shift="shift" in by):
        whole = {(of_day(day, by, pits), day.currency) for day in (*days.without, *days.last)}
        known = days.last and len(whole) == 1 and "shift" not in by and _inside(days.stay, span)
        known = known and not any(map(pending, (*days.without, *days.last)))
        for day in days.without:
            if _within(day.day, span):
                yield say(day, "" if known else _why(days.stay, day, pending))
        if not known:
            yield from _taken_out(days, span, say, pending)


def _taken_out(days: Days, span: Span, say: Say, pending: Pending) -> Iterator[Aggregate]:
    """What has the box is known by itself, but holds what was dropped before: its row is taken back and said
    anew, as pending.
    """
    for day in days.last:
        if _within(day.day, span) and day.counted and not pending(day):
            known = say(day, "")
            yield Aggregate(
                known.key,
                tuple(
                    -number if isinstance(number, int) else str(-Fraction(number)) for number in known.numbers
                ),
            )
            yield say(day, f"its box was on the table since {min(days.stay.days)}")


def _why(stay: Stay, day: TableDay, pending: Pending) -> str:
    own = pending(day)
    if stay.counted_with is None:
        return ", ".join(filter(None, (own, word(day))))
    return ", ".join(filter(None, (own, f"counted with the box of {stay.counted_with}")))


def _within(day: date, span: Span) -> bool:
    return (span.begins is None or day >= span.begins) and (span.ends is None or day < span.ends)


def _inside(stay: Stay, span: Span) -> bool:
    return stay.counted_with is not None and all(
        _within(day, span) for day in (*stay.days, stay.counted_with)
    )
