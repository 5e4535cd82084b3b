"""The small charts of the hold page: the win of each table by gaming day.

A day whose win is outside the range that chance allows is marked. The report *Hold* by table and day has the
same figures as a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Any

from audit.queries.span import Span
from casino.presentation.charts.multiples import Column, Multiples, Rows, small_multiples
from casino.presentation.formatting import display, grouped
from casino.reports import catalog
from casino.reports.columns import Absent
from casino.reports.grouping import rounded
from casino.reports.row_links import Scope, details_address

BY = ("table", "day")
MOST_DAYS = 31
"""The pages of longer ranges have no small charts, because their columns would be too narrow."""
MOST_WINS = 1_500
"""The pages with more wins (days times tables) have no small charts, because they would take too long."""
SHOWN = 40
"""Number of small charts of a section. The report has the figures of all tables."""
Group = tuple[str, str]
"""Basis of the hold and currency."""
Days = dict[str, dict[str, dict[str, Any]]]
"""The rows of the report by table, and then by gaming day."""
Judge = Callable[[dict[str, Any]], bool | None]
"""A function that judges the win of a row. It returns True if the win is outside the range that chance
allows, False if it is inside, and None if it is not judged.
"""


def rows_by_day(span: Span, tables: int) -> dict[Group, Days]:
    """Return the rows of the report by table and day, by basis and currency. Return nothing if the page would
    have too few or too many of them.

    Args:
        tables: the number of tables on the page.
    """
    number = len(_days(_scope(span)))
    if not 1 < number <= MOST_DAYS or number * tables > MOST_WINS:
        return {}
    sheet = catalog.report("hold").sheet(span, BY)
    keys = [column.key for column in sheet.columns]
    groups: dict[Group, Days] = {}
    for cells in sheet.rows:
        row = dict(zip(keys, cells, strict=True))
        of_group = groups.setdefault((row["basis"], row["currency"]), {})
        of_group.setdefault(str(row["table"]), {})[str(row["day"])] = row
    return groups


def charts(
    span: Span,
    rows: Sequence[Mapping[str, Any]],
    by_day: Days,
    every: str,
    judge: Judge,
    confidence: int,
) -> Multiples | None:
    """Return a small chart for each row of a section of the hold page, or None if no day has a win.

    Args:
        rows: the rows by table, with the address of their details.
        by_day: the rows of the same section by table and day.
        every: the address of the report that has all days of all tables.
        judge: tells of a day whether its win is outside the range of chance.
        confidence: how sure that range is, in percent.
    """
    days = _days(_scope(span))
    days_of = [by_day.get(str(row["table"]), {}) for row in rows[:SHOWN]]
    judged = {(name, day): judge(row) for name, of_day in enumerate(days_of) for day, row in of_day.items()}
    drawn = [
        _rows(_scope(span), row, days_of[name], frozenset(day for day in days if judged.get((name, day))))
        for name, row in enumerate(rows[:SHOWN])
    ]
    if not any(value for chart in drawn for value in chart.values):
        return None
    return small_multiples(
        drawn,
        "Win by gaming day and table",
        note=f"A column for each gaming day. {_in_words(list(judged.values()), confidence)}",
        total=len(rows),
        every=every,
        own_scales=True,
    )


def _in_words(judged: Sequence[bool | None], confidence: int) -> str:
    """Return how many wins are judged, how many of these are outside the range of chance, and how many would
    be by chance alone.
    """
    number = sum(result is not None for result in judged)
    if not number:
        return "No win of a day is judged."
    outside, open = sum(result is True for result in judged), len(judged) - number
    expected = rounded(Fraction(number * (100 - confidence), 100), 0)
    return (
        f"{outside} of {number} judged wins are outside the range of chance ({confidence} %): red with a"
        f" triangle. About {expected} would be by chance alone.{f' {open} are not judged.' if open else ''}"
    )


def _rows(
    scope: Scope, row: Mapping[str, Any], of_table: Mapping[str, dict[str, Any]], outside: frozenset[str]
) -> Rows:
    """Return what the small chart of one table shows. A day whose win is not known has no column."""
    days = _days(scope)
    wins = {day: of_day["win"] for day, of_day in of_table.items() if not isinstance(of_day["win"], Absent)}
    columns = [
        Column(
            display("day", day),
            grouped(wins[day]) if day in wins else "",
            details_address(scope, {"table": row["table"], "day": day}),
        )
        for day in days
    ]
    return Rows(
        display("table", row["table"]),
        str(row["win"]) if isinstance(row["win"], Absent) else grouped(row["win"]),
        str(row["address"]),
        [Fraction(str(wins.get(day, 0))) for day in days],
        frozenset(place for place, day in enumerate(days) if day in outside),
        columns,
    )


def _scope(span: Span) -> Scope:
    assert span.property is not None
    assert span.begins is not None
    assert span.ends is not None
    return Scope(span.property, span.begins, span.ends - timedelta(days=1))


def _days(scope: Scope) -> list[str]:
    number = (scope.last - scope.begins).days + 1
    return [(scope.begins + timedelta(days=place)).isoformat() for place in range(number)]
