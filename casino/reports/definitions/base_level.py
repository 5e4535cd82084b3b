"""Hold against its base level: the difference in percentage points, and an interval around the base level.
Regulators require this comparison. A hold outside the interval, or more than three points from its base
level, is marked for investigation.

The base level is the hold of the calendar year before the span. If there is no hold of that year, it is the
hold of the month before the span. The interval is the base level plus and minus 1.96 standard deviations of
the holds of its months (at least two months). The register `thresholds`, key `statistics`, may set
`confidence` (percent) and `points`. A base level from less than 14 days of play is shown as too short and
requires no investigation. Felt tables, live-dealer tables and currencies are separate, as in `hold`. People
decide what is investigated, and the results are recorded (`investigations`).
"""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

from audit.queries.cache.aggregates import count_open_days, last_open_days
from audit.queries.span import Span
from casino.reports.columns import Absent, Column, Row, RowChance, RowChances, Sheet
from casino.reports.definitions import hold
from casino.reports.expected_win import Bounds, bounds_of, root
from casino.reports.grouping import columns_of, last_day, money, rounded

TITLE = "Hold against its base level"
DEPARTMENT = "Accounting"
NEEDED = "At the end of a month, to find tables whose hold must be investigated."
BY = ("property", "table", "game", "pit", "shift")
DEFAULT_BY = ("table",)
CHART = "points"
NOTHING = Absent("n/a")
NO_BASE = "no base level"
FEW = 14
"""If a base level is from fewer days of play than this, the difference from it is shown, but need not be
investigated.
"""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each group, basis (such as `win / drop`) and currency that has a hold in
    the span.
    """
    bounds = bounds_of(span)
    columns = (
        *columns_of(by),
        Column("basis", "basis"),
        Column("currency", "currency"),
        Column("hold_percent", "hold %", "percent"),
        Column("base_percent", "base level %", "percent"),
        Column("points", "points from base", "percent"),
        Column("months", "months in the base", "count"),
        Column("days", "days in the base", "count"),
        Column("deviation", "standard deviation of months", "percent"),
        Column("low_percent", f"{bounds.confidence} % interval from", "percent"),
        Column("high_percent", "interval to", "percent"),
        Column("verdict", "verdict"),
        Column("base", "base"),
        Column("win", "win", "money"),
        Column("expected", "win at the base level", "money"),
    )
    last = last_day(span)
    if last is None:
        return Sheet(TITLE, columns, [], has_absent=True)
    begins = span.begins or last.replace(day=1)
    year = span._replace(begins=date(begins.year - 1, 1, 1), ends=date(begins.year, 1, 1))
    before = (begins.replace(day=1) - timedelta(days=1)).replace(day=1)
    month = span._replace(begins=before, ends=begins.replace(day=1))
    base, name = (year, str(begins.year - 1)) if any(last_open_days(year)) else (month, f"{before:%Y-%m}")
    months: dict[tuple[str, ...], list[hold.HoldRow]] = {}
    for row in hold.sums(base, (*by, "month")):
        months.setdefault((*row.key[: len(by)], *row.key[len(by) + 1 :]), []).append(row)
    current = hold.sums(span._replace(begins=begins), by)
    days_open = count_open_days(base)
    rows, compared = [], {}
    for row in current:
        if row.figures.over > 0:
            cells, compared[row.key] = _row(row, months.get(row.key, []), name, bounds, days_open)
            rows.append(cells)
    words = (
        f"zero: the base level; band: at most {bounds.points} points from it, and the {bounds.confidence} %"
        " interval of its months"
    )
    judged = sum(not chance.reason for chance in compared.values())
    chances = RowChances(
        lambda cells: compared[tuple(map(str, cells[: len(by) + 2]))], words, judged, bounds.confidence
    )
    return Sheet(TITLE, columns, rows, has_absent=True, chances=lambda: chances)


def _row(
    row: hold.HoldRow, months: list[hold.HoldRow], base: str, bounds: Bounds, days_open: int
) -> tuple[Row, RowChance]:
    """Return a row of the sheet, and how its difference from the base level compares with the bounds.

    Args:
        row: the hold of the span.
        months: the hold of each month of the base.
        base: the name of the base.
        bounds: how much the hold may differ from its base.
        days_open: the number of days of the base on which any table was open.
    """
    held = _percent(row)
    known = [month for month in months if month.figures.over > 0]
    if not known:
        win = money(Fraction(row.figures.win), row.key[-1])
        cells_of_row = (*row.key, rounded(held, 2), *(NOTHING,) * 7, NO_BASE, "", win, NOTHING)
        return cells_of_row, RowChance(reason=NO_BASE)
    level = (
        100
        * sum((Fraction(month.figures.win) for month in known), Fraction(0))
        / sum(month.figures.over for month in known)
    )
    points, cells = held - level, [NOTHING] * 3
    deviation = _deviation([_percent(month) for month in known])
    if deviation is not None:
        cells = [
            rounded(figure, 2)  # type: ignore[misc]
            for figure in (deviation, level - bounds.sure * deviation, level + bounds.sure * deviation)
        ]
    days = min(sum(month.figures.known for month in known), days_open)
    verdict, chance = _judged(points, deviation, days, bounds)
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
        money(Fraction(row.figures.win), row.key[-1]),
        money(level * row.figures.over / 100, row.key[-1]),
    ), chance


def _deviation(parts: list[Fraction]) -> Fraction | None:
    """Return the standard deviation of the holds of the months, or None if there is only one month."""
    if len(parts) < 2:
        return None
    mean = sum(parts, Fraction(0)) / len(parts)
    return root(sum(((part - mean) ** 2 for part in parts), Fraction(0)) / (len(parts) - 1), 6)


def _judged(points: Fraction, deviation: Fraction | None, days: int, bounds: Bounds) -> tuple[str, RowChance]:
    """Return the verdict on a difference from the base level, and how it compares with the bounds.

    Args:
        points: the difference in percentage points.
        deviation: the standard deviation of the months of the base, or None.
        days: the number of days of play in the base.
        bounds: how much the hold may differ from its base.
    """
    if days < FEW:
        verdict = f"base of {days} day{'s' if days != 1 else ''}"
        return verdict, RowChance(reason=verdict)
    limits = {f"more than {bounds.points} points": Fraction(bounds.points)}
    if deviation is not None:
        limits = {f"outside {bounds.confidence} %": bounds.sure * deviation} | limits
    reach = min(limits.values())
    verdict = "; ".join(words for words, limit in limits.items() if abs(points) > limit)
    return verdict, RowChance(Fraction(0), (-reach, reach), is_outside=bool(verdict))


def _percent(row: hold.HoldRow) -> Fraction:
    return 100 * Fraction(row.figures.win) / row.figures.over
