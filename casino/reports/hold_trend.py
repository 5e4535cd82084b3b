"""The trend of "Where the hold went" by week: dealt win, dealer errors and unexplained amounts of the last
weeks, compared with the weeks before them.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, NamedTuple

from casino.presentation.charts.series import Plot, Point, column_chart
from casino.presentation.formatting import grouped
from casino.reports.columns import Absent
from casino.reports.definitions import where_the_hold_went as report
from casino.reports.grouping import PLAY_ALONE, monday
from casino.reports.hold_attribution_request import AttributionRequest, narrowed

FEWEST, MOST = 8, 26
"""The smallest and the largest number of weeks in the charts."""
WEEK = timedelta(days=7)
DRAWN = {"dealt": "Dealt win", "errors": "Dealer errors", "unexplained": "Unexplained"}
"""The parts of the win that are drawn, with the titles of their charts."""
Weeks = dict[date, dict[str, Any]]
"""{first day of a week: the row of its figures}."""


class Trend(NamedTuple):
    """The charts of one kind of table and one currency. `weeks` is their number of weeks."""

    weeks: int
    last: date
    plots: list[Plot]


def trends(wanted: AttributionRequest) -> dict[tuple[str, str], Trend]:
    """Return {(kind of table, currency): charts by week}, with the filters of the page. The last week ends
    with the last day of the page. A page that is limited to a day or a month has no trend.
    """
    if {"day", "month"} & set(wanted.within):
        return {}
    last = monday(wanted.last)
    number = min(MOST, max(FEWEST, (last - monday(wanted.begins)).days // 7 + 1))
    weeks = [last - WEEK * (number - 1 - place) for place in range(number)]
    all_days = wanted._replace(begins=weeks[0] - WEEK * number)
    headings = [column.key for column in report.headings(("week",))]
    play_alone = bool(PLAY_ALONE & set(wanted.within))
    rows: dict[tuple[str, str], Weeks] = {}
    for row in narrowed(all_days, (*wanted.within, "week")):
        figures = dict(zip(headings, report.format_row(row, play_alone=play_alone), strict=True))
        rows.setdefault((row.key[-2], row.key[-1]), {})[date.fromisoformat(row.key[0])] = figures
    return {
        group: Trend(number, wanted.last, list(_plots(wanted, weeks, of_group, group[1])))
        for group, of_group in rows.items()
        if sum(week in of_group for week in weeks) > 1
    }


def _plots(wanted: AttributionRequest, weeks: list[date], rows: Weeks, currency: str) -> list[Plot]:
    plots = []
    for part, title in DRAWN.items():
        points = [_point(wanted, week, rows, part, len(weeks)) for week in weeks]
        if any(point.value is not None for point in points):
            plots.append(
                column_chart(
                    points,
                    f"{title} by week",
                    unit=currency,
                    note="week from",
                    money=True,
                    is_count=False,
                )
            )
    return plots


def _point(wanted: AttributionRequest, week: date, rows: Weeks, part: str, number: int) -> Point:
    """Return the point of one week. Its link leads to this page for the days of the week."""
    name, ends = f"{week.day} {week:%b}", min(week + WEEK - timedelta(days=1), wanted.last)
    href = wanted.of_days(week.isoformat(), ends.isoformat())
    before = rows.get(week - WEEK * number)
    earlier = _amount(before, part)
    has_theory = part == "dealt" and week in rows and not _amount(rows[week], "undivided")
    expected = _amount(rows[week], "theoretical") if has_theory else None
    tips = [f"theoretical {grouped(rows[week]['theoretical'])}"] if expected is not None else []
    if before is not None and earlier is not None:
        tips.append(f"{number} weeks before: {grouped(before[part])}")
    if ends < week + WEEK - timedelta(days=1):
        tips.append(f"only {(ends - week).days + 1} of 7 days")
    value = _amount(rows.get(week), part)
    written = grouped(rows[week][part]) if week in rows else "no play"
    return Point(name, value, written, href, expected, before=earlier, tip=tuple(tips))


def _amount(row: Mapping[str, Any] | None, part: str) -> Fraction | None:
    """Return an amount of a row, or None if the row has no such amount."""
    if row is None or isinstance(row[part], Absent):
        return None
    return Fraction(str(row[part]))
