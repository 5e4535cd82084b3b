"""Win and hold of one gaming day, its month to date and its year to date, by table, game, pit, shift, dealer
or hour.

The gaming day is the last day of the span. If the span has no end, it is the last day on which any table
played. Win, drop or handle, pending days and ratios are computed as in the report `hold`. Pending days of the
month are left out of the month to date, and a note names them. If a box stays on its table overnight, each of
its days is pending. When the box is counted, the month to date includes the sum of these days.
"""

from __future__ import annotations

from datetime import date, timedelta

from audit.queries.span import Span
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.definitions import hold
from casino.reports.grouping import columns_of, last_day
from casino.reports.hold_chance import HoldChance
from casino.reports.overnight_boxes import OvernightBoxes

TITLE = "Win and hold: day, month and year to date"
DEPARTMENT = "Table games"
NEEDED = "Each morning, to compare the last day with the month and the year."
BY = tuple(name for name in hold.BY if name not in ("day", "month"))
DEFAULT_BY = ("table",)
CHART = "month_hold_percent"
LEADS = ("day_hold_percent", "month_hold_percent", "year_hold_percent", "basis")
"""The columns that the page of the report shows first, after those of the grouping."""
PERIODS = (("day", "day"), ("month", "month to date"), ("year", "year to date"))
NOTHING = Absent("n/a")


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each group, basis (such as `win / drop`) and currency of the year to date, and a
    total for each basis and currency.
    """
    columns = [
        *columns_of(by),
        Column("basis", "basis"),
        Column("currency", "currency"),
        Column("as_of", "as of", "day"),
    ]
    for key, heading in PERIODS:
        columns += [
            Column(f"{key}_win", f"win, {heading}", "money"),
            Column(f"{key}_denominator", f"drop or handle, {heading}", "money"),
        ]
        columns.append(Column(f"{key}_hold_percent", f"hold %, {heading}", "percent"))
    columns.append(Column("note", "note"))
    as_of = last_day(span)
    if as_of is None:
        return Sheet(TITLE, tuple(columns), [], has_absent=True)
    parts = periods(as_of, span)
    overnight = [OvernightBoxes(part) for part in parts]
    sums = [hold.sums(part, by, boxes) for part, boxes in zip(parts, overnight, strict=True)]
    rows = [{row.key: row for row in of_part} for of_part in sums]
    totals = [
        {row.key: row for row in hold.totals(part, by, of_part, boxes)}
        for part, of_part, boxes in zip(parts, sums, overnight, strict=True)
    ]
    month = [name for name, _ in PERIODS].index("month")
    chance = HoldChance(parts[month], by, sums[month], overnight[month].periods)
    return Sheet(
        TITLE,
        tuple(columns),
        [_row(key, rows, as_of) for key in sorted(rows[-1])],
        tuple(_row(key, totals, as_of) for key in sorted(totals[-1])) if by else (),
        has_absent=True,
        leads=(*by, "currency", *LEADS),
        chances=chance.of_rows,
    )


def periods(as_of: date, span: Span) -> tuple[Span, ...]:
    """Return three spans that end with the day: the day itself, its month to date, and its year to date."""
    ends = as_of + timedelta(days=1)
    return tuple(
        span._replace(begins=begins, ends=ends)
        for begins in (as_of, as_of.replace(day=1), as_of.replace(month=1, day=1))
    )


def _row(key: tuple[str, ...], rows: list[dict[tuple[str, ...], hold.HoldRow]], as_of: date) -> Row:
    cells: list[object] = []
    notes = []
    for (_, heading), of_period in zip(PERIODS, rows, strict=True):
        if key not in of_period:
            cells += [NOTHING] * 3
            continue
        *figures, note = hold.format_figures(of_period[key])
        cells += figures
        if note and note not in notes:
            notes.append(f"{heading}: {note}")
    return (*key, as_of.isoformat(), *cells, "; ".join(notes))
