"""The small charts of the hold page: the win of each table by gaming day.

A day whose win is outside the range that chance allows is marked. The report *Hold* by table and day has the
same figures as a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Any, NamedTuple

from audit.queries.span import Span
from casino.presentation.charts.multiples import Column, Multiples, Rows, small_multiples
from casino.presentation.formatting import digits, display, grouped
from casino.reports import catalog
from casino.reports.columns import Absent, RowChance, RowChances
from casino.reports.row_links import Scope, details_address
from casino.reports.verdict_words import not_judged_in_words, outside_in_words

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


class WinsByDay(NamedTuple):
    """The rows of the report by table and day, by basis and currency, and how all of them compare with
    chance. Each row has its own comparison under the key `chance`.
    """

    groups: dict[Group, Days]
    chances: RowChances

    def of(self, group: Group) -> Days:
        """Return the rows of one basis and currency."""
        return self.groups.get(group, {})


def rows_by_day(span: Span, tables: int) -> WinsByDay | None:
    """Return the rows of the report by table and day, or None if the page would have too few or too many of
    them.

    Args:
        tables: the number of tables on the page.
    """
    number = len(_days(_scope(span)))
    if not 1 < number <= MOST_DAYS or number * tables > MOST_WINS:
        return None
    sheet = catalog.report("hold").sheet(span, BY)
    assert sheet.chances is not None
    chances = sheet.chances()
    keys = [column.key for column in sheet.columns]
    groups: dict[Group, Days] = {}
    for cells in sheet.rows:
        row = dict(zip(keys, cells, strict=True)) | {"chance": chances.judge(cells)}
        of_group = groups.setdefault((row["basis"], row["currency"]), {})
        of_group.setdefault(str(row["table"]), {})[str(row["day"])] = row
    return WinsByDay(groups, chances)


def charts(
    span: Span, rows: Sequence[Mapping[str, Any]], by_day: Days, every: str, chances: RowChances
) -> Multiples | None:
    """Return a small chart for each row of a section of the hold page, or None if no day has a win.

    Args:
        rows: the rows by table, with the address of their details.
        by_day: the rows of the same section by table and day.
        every: the address of the report that has all days of all tables.
        chances: how all rows by table and day compare with chance.
    """
    days_of = [by_day.get(str(row["table"]), {}) for row in rows[:SHOWN]]
    judged = [row["chance"] for of_day in days_of for row in of_day.values()]
    drawn = [_rows(_scope(span), row, of_day) for row, of_day in zip(rows, days_of, strict=False)]
    if not any(value for chart in drawn for value in chart.values):
        return None
    return small_multiples(
        drawn,
        "Win by gaming day and table",
        note=f"A column for each gaming day. {_in_words(judged, chances)}",
        total=len(rows),
        every=every,
        own_scales=True,
    )


def _in_words(judged: Sequence[RowChance], chances: RowChances) -> str:
    """Return what the drawing means, how many wins are outside the range of chance, and how many are not
    judged and why.
    """
    drawing = f"{chances.words[:1].upper()}{chances.words[1:]}."
    return " ".join(filter(None, (drawing, outside_in_words(judged), not_judged_in_words(judged))))


def _rows(scope: Scope, row: Mapping[str, Any], of_table: Mapping[str, dict[str, Any]]) -> Rows:
    """Return what the small chart of one table shows. A day whose win is not known has no column."""
    days = _days(scope)
    known = [of_table.get(day, {}) for day in days]
    wins = [_win(of_day) for of_day in known]
    chances = [of_day["chance"] if of_day else RowChance() for of_day in known]
    scale = 10 ** digits(str(row["currency"]))
    in_units = [
        None
        if chance.expected_win is None or win is None
        else (chance.expected_win / scale, chance.reach / scale)
        for chance, win in zip(chances, wins, strict=True)
    ]
    return Rows(
        display("table", row["table"]),
        str(row["win"]) if isinstance(row["win"], Absent) else grouped(row["win"]),
        str(row["address"]),
        [win or Fraction(0) for win in wins],
        frozenset(place for place, chance in enumerate(chances) if chance.is_outside),
        [
            Column(
                display("day", day),
                "" if win is None else ", ".join((grouped(known[place]["win"]), *chances[place].state)),
                details_address(scope, {"table": row["table"], "day": day}),
            )
            for place, (day, win) in enumerate(zip(days, wins, strict=True))
        ],
        [None if ends is None else ends[0] for ends in in_units],
        [None if ends is None else (ends[0] - ends[1], ends[0] + ends[1]) for ends in in_units],
        frozenset(place for place, chance in enumerate(chances) if chance.reason),
    )


def _win(row: Mapping[str, Any]) -> Fraction | None:
    """Return the win of a row in whole units of its currency, or None if it is not known."""
    win = row.get("win", "")
    return None if win == "" or isinstance(win, Absent) else Fraction(str(win))


def _scope(span: Span) -> Scope:
    assert span.property is not None
    assert span.begins is not None
    assert span.ends is not None
    return Scope(span.property, span.begins, span.ends - timedelta(days=1))


def _days(scope: Scope) -> list[str]:
    number = (scope.last - scope.begins).days + 1
    return [(scope.begins + timedelta(days=place)).isoformat() for place in range(number)]
