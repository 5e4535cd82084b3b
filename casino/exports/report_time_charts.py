"""The chart over time on the page of a report that is grouped by gaming day alone: a column for each day, and
dots for the same number of days before.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from casino.exports.report_charts import Drawn, Group, Mark, groups_of
from casino.presentation.charts.series import Plot, Point, column_chart
from casino.presentation.formatting import grouped
from casino.reports.catalog import Report
from casino.reports.columns import Row, Sheet
from casino.reports.row_links import Scope, details_address

BY = ("day",)
MOST_DAYS = 92
"""Longer ranges have no chart over time, because its columns would be too narrow."""


class TimeChart(NamedTuple):
    """A chart over time.

    Attributes:
        compared: with which days its dots compare it, or why it has no dots.
        words: what the drawing of the expected figures and of their bounds means, and how many days are
            outside or not judged.
    """

    plot: Plot
    compared: str
    words: str


def is_drawn(scope: Scope, by: Iterable[str]) -> bool:
    """Return True if the report has a chart over time."""
    return tuple(by) == BY and 1 < len(_days(scope)) <= MOST_DAYS


def earlier_scope(scope: Scope) -> Scope:
    """Return the same number of days before those of a scope."""
    number = timedelta(days=len(_days(scope)))
    return scope._replace(begins=scope.begins - number, last=scope.last - number)


def time_charts_of(
    report: Report, sheet: Sheet, rows: Iterable[Row], drawn: Drawn, earlier: Sheet
) -> list[TimeChart]:
    """Return charts of the column that the report names in `CHART`: one for each currency and basis of the
    hold. Return none if not all rows are on the page, or if a day has several rows.

    Args:
        rows: the rows of the page.
        earlier: the report on the days of `earlier_scope`.
    """
    column = next((column for column in sheet.columns if column.key == report.CHART), None)
    groups = list(groups_of(report, sheet, rows, drawn.by))
    if column is None or drawn.is_part or any(len(_by_day(group)) < len(group.marks) for group in groups):
        return []
    before = {group.title: group for group in groups_of(report, earlier, earlier.rows, drawn.by)}
    charts = []
    for group in groups:
        earlier_group = before.get(group.title)
        known, days = len(earlier_group.marks) if earlier_group is not None else 0, len(_days(drawn.scope))
        is_compared = 3 * known >= days
        points = _points(group, earlier_group if is_compared else None, drawn.scope)
        plot = column_chart(
            points,
            group.title,
            unit=group.unit,
            note="gaming day",
            money=column.type == "money",
            is_count=column.type == "count",
        )
        compared = f"dots: the {days} days before" if is_compared else _not_compared(known, days)
        charts.append(TimeChart(plot, compared, group.words))
    return charts


def _not_compared(known: int, days: int) -> str:
    """Return why a chart has no dots, or empty text if there are no earlier figures at all. A few dots would
    look like an error of the drawing.
    """
    if not known:
        return ""
    return f"not compared: {known} of the {days} days before {'has' if known == 1 else 'have'} figures"


def _points(group: Group, before: Group | None, scope: Scope) -> list[Point]:
    marks = _by_day(group)
    earlier = _by_day(before) if before is not None else {}
    points = []
    for day, day_before in zip(_days(scope), _days(earlier_scope(scope)), strict=True):
        mark, mark_before = marks.get(str(day)), earlier.get(str(day_before))
        in_words = (f"{day_before.day} {day_before:%b}: {grouped(mark_before.cell)}",) if mark_before else ()
        earlier_value = mark_before.value if mark_before else None
        point = Point(f"{day.day} {day:%b}", None, "no figure", before=earlier_value, tip=in_words)
        points.append(point if mark is None else _with_figure(point, mark, scope))
    return points


def _with_figure(point: Point, mark: Mark, scope: Scope) -> Point:
    """Return the point of a day with its figure, its expected value and its bounds."""
    return point._replace(
        value=mark.value,
        written=grouped(mark.cell),
        href=details_address(scope, {"day": mark.named["day"]}),
        expected=mark.chance.expected,
        bounds=mark.chance.bounds,
        outside=mark.chance.is_outside,
        not_judged=mark.chance.reason,
        tip=(*mark.chance.tip, *point.tip),
    )


def _by_day(group: Group) -> dict[str, Mark]:
    return {str(mark.named["day"]): mark for mark in group.marks}


def _days(scope: Scope) -> list[date]:
    number = (scope.last - scope.begins).days + 1
    return [scope.begins + timedelta(days=place) for place in range(number)]
