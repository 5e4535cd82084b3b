"""Small charts over time on the page of a report that is grouped by a time and something else. By table and
gaming day, there is a small chart for each table, with a column for each gaming day.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from casino.exports.report_charts import IN_TIME, Drawn, Group, Mark, groups_of, names_of
from casino.presentation.charts.multiples import Column, Multiples, Rows, small_multiples
from casino.presentation.formatting import grouped
from casino.reports.catalog import Report
from casino.reports.columns import ExpectedRange, Row, Sheet
from casino.reports.row_links import details_address

SORTED = frozenset({"day", "month"})
"""Times whose values are sorted as texts."""
SHOWN = 40
"""Number of small charts of a currency and basis. The page can show all of them."""
ADDED_UP = ("money", "count")
"""Types of columns whose figures are added up. Of other figures, the lowest and the highest are named."""


class SmallCharts(NamedTuple):
    """Small charts with their title and unit, ready to be drawn."""

    says: str
    unit: str
    multiples: Multiples


class Times(NamedTuple):
    """The columns that are a time, the other columns that name a row, and all times of a group."""

    of_time: list[str]
    others: list[str]
    moments: list[str]


def small_charts_of(report: Report, sheet: Sheet, rows: Iterable[Row], drawn: Drawn) -> list[SmallCharts]:
    """Return small charts of the column that the report names in `CHART`. Return none if the report is not
    grouped by a time and something else, or if a chart would have only one column.
    """
    keys = names_of(sheet, drawn.by) if drawn.by else []
    of_time, others = (
        [key for key in keys if (key in IN_TIME) is is_time and (is_time or key in drawn.by)]
        for is_time in (True, False)
    )
    if not of_time or not others:
        return []
    adds_up = any(column.key == report.CHART and column.type in ADDED_UP for column in sheet.columns)
    charts = []
    for group in groups_of(report, sheet, rows, drawn.by):
        moments = _moments(group.marks, of_time)
        if len(moments) > 1:
            times = Times(of_time, others, moments)
            drawing = _multiples(group, times, drawn, sheet.expected, adds_up=adds_up)
            charts.append(SmallCharts(group.title, group.unit, drawing))
    return charts


def _moments(marks: Iterable[Mark], of_time: list[str]) -> list[str]:
    """Return the names of all times, the earliest first. Shifts and hours have the order of the rows."""
    names = {mark.name(of_time): [mark.named[key] for key in of_time] for mark in marks}
    return sorted(names, key=names.__getitem__) if SORTED.issuperset(of_time) else list(names)


def _multiples(
    group: Group, times: Times, drawn: Drawn, expected: ExpectedRange | None, *, adds_up: bool
) -> Multiples:
    by_name: dict[str, list[Mark]] = {}
    for mark in group.marks:
        by_name.setdefault(mark.name(times.others), []).append(mark)
    shown = list(by_name.items())[: None if drawn.every_bar else SHOWN]
    part = " Only the rows of this page." if drawn.is_part else ""
    range_words = f" Red with a triangle: outside; {group.words}" if group.words else ""
    order = "the earliest first" if SORTED.issuperset(times.of_time) else "in the order of the table"
    return small_multiples(
        [_small(name, marks, times, drawn, adds_up=adds_up) for name, marks in shown],
        group.title,
        note=f"A column for each {' and '.join(times.of_time)}, {order}.{part}{range_words}",
        total=len(by_name),
        every=drawn.every,
        unit=group.unit,
        # One table with a hold of -358 % on one day would make the columns of all others too low to be read.
        own_scales=expected is None,
    )


def _small(name: str, marks: Sequence[Mark], times: Times, drawn: Drawn, *, adds_up: bool) -> Rows:
    """Return what one small chart shows. If there is no figure for a time, it has no column."""
    by_time = {mark.name(times.of_time): mark for mark in marks}
    in_order = [by_time.get(moment) for moment in times.moments]
    columns = [
        Column(moment, _in_words(mark), details_address(drawn.scope, mark.named))
        if mark is not None
        else Column(moment, "")
        for moment, mark in zip(times.moments, in_order, strict=True)
    ]
    amounts = [Decimal(str(mark.cell)) for mark in marks]
    written = [sum(amounts)] if adds_up else sorted({min(amounts), max(amounts)})
    return Rows(
        name,
        " to ".join(grouped(str(amount)) for amount in written),
        details_address(drawn.scope, {key: marks[0].named[key] for key in times.others}),
        [mark.value if mark else 0 for mark in in_order],
        frozenset(place for place, mark in enumerate(in_order) if mark and mark.chance.is_outside),
        columns,
        [mark.chance.expected if mark else None for mark in in_order],
        [mark.chance.bounds if mark else None for mark in in_order],
        frozenset(place for place, mark in enumerate(in_order) if mark and mark.chance.reason),
    )


def _in_words(mark: Mark) -> str:
    """Return the figure of a column, and if it is outside its bounds or not judged."""
    return ", ".join((grouped(str(mark.cell)), *mark.chance.state))
