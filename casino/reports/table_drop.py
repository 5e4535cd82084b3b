"""Drop by table, day and shift: the count, the recount and their difference, beside the chips that were bought.

A shift is that in which the box was pulled. A box that was pulled and not counted is pending, never nothing.
"""

from __future__ import annotations

from audit import queries
from audit.queries import Span, TableDay
from casino.reports import Absent, Column, Row, Sheet, grouped
from games.kit.amounts import decimal

TITLE = "Table drop"
BY = ("property", "table", "day", "shift")
DEFAULT_BY = ("table", "day", "shift")
CHART = "drop"


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group and currency; a total for each currency."""
    days = [day for day in queries.table_days(span, by_shift=True) if day.pulled or day.counted or day.verified or day.bought]
    columns = (
        *(Column(name, name, "day" if name == "day" else "text") for name in by),
        Column("currency", "currency"), Column("boxes_pulled", "boxes pulled", "count"), Column("boxes_counted", "counted", "count"),
        Column("drop", "drop (count 1)", "money"), Column("verified", "verified (count 2)", "money"),
        Column("difference", "difference", "money"), Column("chips_bought", "chips bought", "money"), Column("note", "note"),
    )  # fmt: skip

    def group(day: TableDay) -> tuple[str, ...]:
        return (*(day.day.isoformat() if name == "day" else str(getattr(day, name)) for name in by), day.currency)

    rows = [_row(values, part) for values, part in grouped(days, group)]
    blank = ("total",) + ("",) * (len(by) - 1) if by else ()
    totals = [_row((*blank, currency), part) for currency, part in grouped(days, lambda day: day.currency)]
    return Sheet(TITLE, columns, rows, tuple(totals) if by else ())


def _row(values: tuple[str, ...], days: list[TableDay]) -> Row:
    currency = values[-1]
    pulled, counted, verified = (sum(part) for part in zip(*((day.pulled, day.counted, day.verified) for day in days), strict=True))
    drop, second, bought = (sum(part) for part in zip(*((day.drop, day.verified_drop, day.bought) for day in days), strict=True))
    uncounted = sum(max(day.pulled - day.counted, 0) for day in days)
    notes = [f"pending: {uncounted} box{'es' if uncounted > 1 else ''} not counted"] if uncounted else []
    both = counted > 0 and all(day.verified == day.counted for day in days)
    if counted and not both:
        notes.append(f"{verified} of {counted} counts verified")
    return (
        *values, pulled, counted,
        decimal(drop, currency) if counted else Absent("pending" if uncounted else "n/a"),
        decimal(second, currency) if verified else Absent("n/a"),
        decimal(second - drop, currency) if both else Absent("n/a"),
        decimal(bought, currency), "; ".join(notes),
    )  # fmt: skip
