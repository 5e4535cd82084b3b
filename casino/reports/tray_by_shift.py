"""Compute what the tray and the box of a table should hold on one gaming day, and compare it with the counts.

Each shift has its own counts of the tray and its own box, so each has a column. Counts of the tray are not
added up over shifts, because the chips of two shifts are never on the table together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

from audit.queries.span import Span
from audit.queries.table_day import TableDay, dealt, tray_before_closers
from audit.queries.table_days import table_days
from casino.reports.shift_order import LAST, place_of_shifts


class Line(NamedTuple):
    """One line of the calculation, with an amount for each column. An amount that is not known, or that means
    nothing for the whole day, is None.

    Attributes:
        is_sum: True if the line is the result of the lines before it.
        is_unexplained: True if the line is the unexplained amount.
    """

    name: str
    amounts: list[Fraction | None]
    is_sum: bool = False
    is_unexplained: bool = False


class Reckoning(NamedTuple):
    """The calculation in one currency.

    Attributes:
        columns: the names of the shifts and `whole day`, or nothing if there is a single column.
        tray: what the tray should hold, compared with its count.
        box: the drop compared with the chips bought, or nothing if no box was counted.
    """

    currency: str
    columns: list[str]
    tray: list[Line]
    box: list[Line]

    @property
    def holes(self) -> list[tuple[str, str, Fraction]]:
        """Return the place, the shift and the unexplained amount of each column that has one."""
        return [
            (place, column, amount)
            for place, lines in (("tray", self.tray), ("box", self.box))
            for line in lines
            if line.is_unexplained
            for column, amount in zip(self.columns[:-1], line.amounts, strict=False)
            if amount
        ]


def reckonings(property: str, stream: str, day: date) -> Iterator[Reckoning]:
    """Yield the calculation for each currency of a table's gaming day."""
    span = Span(day, day + timedelta(days=1), property)
    places = place_of_shifts(span)
    by_shift = sorted(
        table_days(span, by_shift=True, streams=[stream]),
        key=lambda row: places.get(row.shift, (LAST, row.shift)),
    )
    for table_day in table_days(span, streams=[stream]):
        if table_day.live_dealer:
            continue
        shifts = [row for row in by_shift if row.currency == table_day.currency]
        if len(shifts) > 1 and all(_has_own_tray(row) for row in shifts):
            yield _by_shift(shifts)
        else:
            yield _whole_day(table_day)


def _has_own_tray(shift: TableDay) -> bool:
    """Return True if the tray was counted once at the beginning of this shift and at most once at its end."""
    return shift.openers == 1 and shift.closers <= 1


def _by_shift(shifts: Sequence[TableDay]) -> Reckoning:
    tray = [_tray(shift) for shift in shifts]
    boxes = [_box(shift) for shift in shifts]
    names = [*(shift.shift or "no shift" for shift in shifts), "whole day"]
    box = _lines(boxes) if any(shift.counted for shift in shifts) else []
    return Reckoning(shifts[0].currency, names, _lines(tray), box)


def _whole_day(day: TableDay) -> Reckoning:
    tray = [
        line._replace(name=_counted(line.name, counts))
        for line, counts in zip(_tray(day), (day.openers, 1, 1, 1, 1, 1, max(day.closers, 1), 1), strict=True)
    ]
    return Reckoning(day.currency, [], tray, _box(day) if day.counted else [])


def _counted(name: str, counts: int) -> str:
    """Return the name of a line that is the sum of this number of counts of the tray."""
    return f"{name}s, {counts} counts" if counts > 1 else name


def _lines(columns: Sequence[Sequence[Line]]) -> list[Line]:
    """Return the lines of all columns side by side, each with its sum over the whole day. What the tray holds
    at one moment has no such sum.
    """
    lines = []
    for parts in zip(*columns, strict=True):
        amounts = [amount for line in parts for amount in line.amounts]
        known = [amount for amount in amounts if amount is not None]
        is_moment = parts[0].name in (OPENER, EXPECTED, CLOSER)
        total = None if is_moment or len(known) < len(amounts) else sum(known, Fraction(0))
        lines.append(parts[0]._replace(amounts=[*amounts, total]))
    return lines


OPENER, CLOSER, EXPECTED = "Opener", "Closer", "The tray should hold"


def _tray(day: TableDay) -> list[Line]:
    """Return the lines of the tray in one column. What the tray should hold is known if it was counted once,
    or if each opener has its closer. The unexplained amount is known only if each opener has its closer.
    """
    expected = Fraction(tray_before_closers(day))
    is_counted = 0 < day.closers == day.openers
    is_known = is_counted or day.openers <= 1 > day.closers
    return [
        Line(OPENER, [Fraction(day.opener)]),
        Line("Fills", [Fraction(day.fills)]),
        Line("Credits", [Fraction(-day.credits)]),
        Line("Chips bought", [Fraction(-day.bought)]),
        Line("Dealt win", [Fraction(dealt(day))]),
        Line(EXPECTED, [expected if is_known else None], is_sum=True),
        Line(CLOSER, [Fraction(day.closer) if day.closers else None]),
        Line(
            "Unexplained in the tray",
            [day.closer - expected if is_counted else None],
            is_sum=True,
            is_unexplained=True,
        ),
    ]


def _box(day: TableDay) -> list[Line]:
    is_counted = bool(day.counted)
    return [
        Line("Drop", [Fraction(day.drop) if is_counted else None]),
        Line("Chips bought", [Fraction(-day.bought)]),
        Line(
            "Unexplained in the box",
            [Fraction(day.drop - day.bought) if is_counted else None],
            is_sum=True,
            is_unexplained=True,
        ),
    ]
