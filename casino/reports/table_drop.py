"""Drop by table, day and shift: the count, the recount and their difference, beside the chips that were bought.

A shift is that in which the box was pulled. A box that was pulled and not counted is pending, never nothing; so is the day of a box that
stayed on its table and is counted with a later one.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from audit import queries
from audit.queries import Span, TableDay
from audit.queries.cage import Stay, stays
from casino.reports import Absent, Column, Row, Sheet, grouped
from games.kit.amounts import decimal

TITLE = "Table drop"
BY = ("property", "table", "day", "shift")
DEFAULT_BY = ("table", "day", "shift")
CHART = "drop"
NAMED = 3
"""Boxes that stayed, named in a row."""
Stays = dict[tuple[str, date], Stay]


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group and currency; a total for each currency."""
    days = [day for day in queries.table_days(span, by_shift=True, play="nowhere") if _of_drop(day)]
    stay = {(one.table, day): one for one in stays(span) for day in (*one.days, one.counted_with) if day is not None}
    columns = (
        *(Column(name, name, "day" if name == "day" else "text") for name in by),
        Column("currency", "currency"), Column("boxes_pulled", "boxes pulled", "count"), Column("boxes_counted", "counted", "count"),
        Column("drop", "drop (count 1)", "money"), Column("verified", "verified (count 2)", "money"),
        Column("difference", "difference", "money"), Column("chips_bought", "chips bought", "money"), Column("note", "note"),
    )  # fmt: skip

    def group(day: TableDay) -> tuple[str, ...]:
        return (*(day.day.isoformat() if name == "day" else str(getattr(day, name)) for name in by), day.currency)

    rows = [_row(values, part, stay) for values, part in grouped(days, group)]
    blank = ("total",) + ("",) * (len(by) - 1) if by else ()
    totals = [_row((*blank, currency), part, stay) for currency, part in grouped(days, lambda day: day.currency)]
    return Sheet(TITLE, columns, rows, tuple(totals) if by else ())


def _of_drop(day: TableDay) -> bool:
    return bool(day.pulled or day.counted or day.verified or day.bought or day.boxes == 0)


def _said(days: list[TableDay], stay: Stays) -> Iterator[str]:
    """What is to be said of boxes that stayed longer than these days: one with all its days here needs no word."""
    here = {(day.table, day.day) for day in days}
    for one in dict.fromkeys(stay[place] for place in sorted(here) if place in stay):
        missing = [day for day in (*one.days, one.counted_with) if day is not None and (one.table, day) not in here]
        if (one.table, one.counted_with) not in here:
            day = next(day for day in one.days if (one.table, day) in here)
            yield f"{day}: counted with the box of {one.counted_with}" if one.counted_with else f"{day}: no box pulled yet"
        elif missing:
            yield f"{one.counted_with}: the box was on the table since {missing[0]}"


def _row(values: tuple[str, ...], days: list[TableDay], stay: Stays) -> Row:
    currency = values[-1]
    pulled, counted, verified = (sum(part) for part in zip(*((day.pulled, day.counted, day.verified) for day in days), strict=True))
    drop, second, bought = (sum(part) for part in zip(*((day.drop, day.verified_drop, day.bought) for day in days), strict=True))
    uncounted = sum(max(day.pulled - day.counted, 0) for day in days)
    notes = [f"pending: {uncounted} box{'es' if uncounted > 1 else ''} not counted"] if uncounted else []
    both = counted > 0 and all(day.verified == day.counted for day in days)
    if counted and not both:
        notes.append(f"{verified} of {counted} counts verified")
    told = list(_said(days, stay))
    notes += [*told[:NAMED], *([f"and {len(told) - NAMED} more"] if len(told) > NAMED else [])]
    pending = uncounted or any(day.boxes == 0 for day in days)
    return (
        *values, pulled, counted,
        decimal(drop, currency) if counted else Absent("pending" if pending else "n/a"),
        decimal(second, currency) if verified else Absent("n/a"),
        decimal(second - drop, currency) if both else Absent("n/a"),
        decimal(bought, currency), "; ".join(notes),
    )  # fmt: skip
