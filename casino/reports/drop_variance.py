"""Count against recount: every shift of a table whose boxes were counted differently, or not twice, with the finding that says so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from audit import queries
from audit.queries import Span, TableDay
from audit.queries import cage as found
from audit.queries.summed import Sum, merged
from casino.figures import percent
from casino.reports import Absent, Column, Row, Sheet
from games.kit.amounts import decimal

TITLE = "Drop variance"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "variance"
NOTHING = Absent("n/a")


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each table, day and shift that does not tie; a total of what both counts say for each currency."""
    columns = (
        Column("table", "table"), Column("day", "day", "day"), Column("shift", "shift"), Column("currency", "currency"),
        Column("boxes_counted", "boxes counted", "count"), Column("counted", "count 1", "money"), Column("verified", "count 2", "money"),
        Column("variance", "variance", "money"), Column("variance_percent", "variance %", "percent"),
        Column("findings", "findings", "count"), Column("note", "note"),
    )  # fmt: skip
    differ = found.findings_of(span, ("count-differs",))
    loose = [day for day in queries.table_days(span, by_shift=True, play="nowhere") if _open(day)]
    twice = merged(Sum((day.currency,), (day.drop, day.verified_drop)) for day in loose if _twice(day))
    totals = [
        ("total", "", "", currency, "", decimal(int(drop), currency), decimal(int(second), currency),
         decimal(int(second) - int(drop), currency), percent(int(second) - int(drop), int(drop)) if int(drop) else NOTHING, "", "")
        for (currency,), (drop, second), _ in twice
    ]  # fmt: skip
    return Sheet(TITLE, columns, list(_rows(loose, differ)), tuple(totals))


def _open(day: TableDay) -> bool:
    """Whether its counts do not tie."""
    return day.verified_drop != day.drop or not day.pulled <= day.counted == day.verified


def _twice(day: TableDay) -> bool:
    return 0 < day.counted == day.verified


def _rows(days: list[TableDay], differ: dict[tuple[str, date, str], int]) -> Iterator[Row]:
    for day in days:
        currency, both = day.currency, _twice(day)
        apart = day.verified_drop - day.drop
        uncounted = day.pulled - day.counted
        notes = [f"pending: {uncounted} box{'es' if uncounted > 1 else ''} not counted"] if uncounted > 0 else []
        if day.counted != day.verified:
            notes.append(f"{day.verified} of {day.counted} counts verified")
        yield (
            day.table, day.day.isoformat(), day.shift, currency, day.counted,
            decimal(day.drop, currency) if day.counted else Absent("pending" if uncounted > 0 else "n/a"),
            decimal(day.verified_drop, currency) if day.verified else NOTHING, decimal(apart, currency) if both else NOTHING,
            percent(apart, day.drop) if both and day.drop else NOTHING,
            differ.get((day.table, day.day, "count-differs"), 0), "; ".join(notes),
        )  # fmt: skip
