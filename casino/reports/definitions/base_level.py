"""Hold against its base level, as regulators ask: points from the year before, the interval of its months,
and three points for a month.

The base level is the hold of the calendar year before the span, and where that has none, of the month before
it. The interval is base plus and minus 1.96 standard deviations of the base's months (two months or more).
The register `thresholds`, key `statistics`, may say otherwise with `confidence` (percent) and `points`. A
base of less than 14 days of play is named and asks for nothing. Bases and currencies stay apart as in `hold`;
people decide what is investigated, and what came of it is on record (`investigations`).
"""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

from audit.queries.cache.aggregates import Aggregate, days_of, open_days
from audit.queries.tallies import Span
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.definitions import hold
from casino.reports.expected_win import Bounds, bounds_of, root
from casino.reports.grouping import columns_of, last_day, rounded

TITLE = "Hold against its base level"
BY = ("property", "table", "game", "pit", "shift")
DEFAULT_BY = ("table",)
CHART = "points"
NOTHING = Absent("n/a")
FEW = 14
"""Days of play below which a base says nothing yet: what differs from it is shown and is no reason to
investigate.
"""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group, basis and currency of the span that has a hold."""
    bounds = bounds_of(span)
    columns = (
        *columns_of(by),
        Column("basis", "basis"),
        Column("currency", "currency"),
        Column("hold_percent", "hold %", "percent"),
        Column("base_percent", "base level %", "percent"),
        Column("points", "points from base", "percent"),
        Column("months", "months of base", "count"),
        Column("days", "days of base", "count"),
        Column("deviation", "their deviation", "percent"),
        Column("low_percent", f"{bounds.confidence} % from", "percent"),
        Column("high_percent", "to", "percent"),
        Column("verdict", "verdict"),
        Column("base", "base"),
    )
    last = last_day(span)
    if last is None:
        return Sheet(TITLE, columns, [])
    begins = span.begins or last.replace(day=1)
    year = span._replace(begins=date(begins.year - 1, 1, 1), ends=date(begins.year, 1, 1))
    before = (begins.replace(day=1) - timedelta(days=1)).replace(day=1)
    month = span._replace(begins=before, ends=begins.replace(day=1))
    base, name = (year, str(begins.year - 1)) if any(days_of(year)) else (month, f"{before:%Y-%m}")
    months: dict[tuple[str, ...], list[Aggregate]] = {}
    for row in hold.sums(base, (*by, "month")):
        months.setdefault((*row.key[: len(by)], *row.key[len(by) + 1 :]), []).append(row)
    now = hold.sums(span._replace(begins=begins), by)
    played = open_days(base)
    rows = [
        _row(row, months.get(row.key, []), name, bounds, played) for row in now if int(row.numbers[2]) > 0
    ]
    return Sheet(TITLE, columns, rows)


def _row(row: Aggregate, months: list[Aggregate], base: str, bounds: Bounds, played: int) -> Row:
    """`played`: on how many days of the base the house was open; several tables of one day are one."""
    held = _percent(row)
    known = [month for month in months if int(month.numbers[2]) > 0]
    if not known:
        return (*row.key, rounded(held, 2), *(NOTHING,) * 7, "no base level", "")
    level = (
        100
        * sum((Fraction(each.numbers[1]) for each in known), Fraction(0))
        / sum(int(each.numbers[2]) for each in known)
    )
    points, cells = held - level, [NOTHING] * 3
    verdict = f"more than {bounds.points} points" if abs(points) > bounds.points else ""
    if len(known) > 1:
        parts = [_percent(month) for month in known]
        mean = sum(parts, Fraction(0)) / len(parts)
        deviation = root(sum(((part - mean) ** 2 for part in parts), Fraction(0)) / (len(parts) - 1), 6)
        cells = [
            rounded(figure, 2)  # type: ignore[misc]
            for figure in (deviation, level - bounds.sure * deviation, level + bounds.sure * deviation)
        ]
        if abs(points) > bounds.sure * deviation:
            verdict = "; ".join(filter(None, (f"outside {bounds.confidence} %", verdict)))
    days = min(sum(int(month.numbers[3]) for month in known), played)
    if days < FEW:
        verdict = f"base of {days} day{'s' if days != 1 else ''}"
    return (
        *row.key,
        rounded(held, 2),
        rounded(level, 2),
        rounded(points, 2),
        len(known),
        days,
        *cells,
        verdict,
        base,
    )


def _percent(row: Aggregate) -> Fraction:
    return 100 * Fraction(row.numbers[1]) / int(row.numbers[2])
