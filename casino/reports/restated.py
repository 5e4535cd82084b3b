"""Closed and restated side by side: what each closed day won as it was closed, what was adjusted since, and what it won with that.

The closed figures read closed days alone and never change. An adjustment of a day that is not closed is named, and is in neither.
"""

from __future__ import annotations

from collections.abc import Iterable

from audit import queries
from audit.queries import CLOSED, RESTATED, Adjustment, Span, TableDay
from audit.queries.cage import stays
from audit.queries.summed import Sum, merged
from casino.reports import Absent, Column, Row, Sheet, hold
from games.kit.amounts import decimal

TITLE = "Closed and restated"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "restated_win"
NONE = Absent("none")
Key = tuple[str, str]


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each table's day and currency with an adjustment or a close; a total of what both know for each currency."""
    columns = (
        Column("table", "table"), Column("day", "day", "day"), Column("currency", "currency"), Column("basis", "basis"),
        Column("closed_drop", "drop or handle, closed", "money"), Column("closed_win", "win, closed", "money"),
        Column("closed_percent", "hold %, closed", "percent"), Column("adjustments", "adjustments", "count"),
        Column("adjusted", "adjusted", "money"), Column("restated_drop", "drop or handle, restated", "money"),
        Column("restated_win", "win, restated", "money"), Column("restated_percent", "hold %, restated", "percent"), Column("note", "note"),
    )  # fmt: skip
    closed, restated = (
        {(day.stream, day.currency): day for day in queries.table_days(span._replace(books=books))} for books in (CLOSED, RESTATED)
    )
    changes: dict[Key, list[Adjustment]] = {}
    for one in queries.restating(span):
        changes.setdefault((one.stream, one.currency), []).append(one)
    held = {(stay.table, day) for stay in stays(span._replace(books=CLOSED)) for day in (*stay.days, stay.counted_with)}
    rows, sums = [], []
    for key in sorted({*closed, *restated, *changes}):
        made = changes.get(key, [])
        longer = any((day.table, day.day) in held for day in (closed.get(key), restated.get(key)) if day is not None)
        rows.append(_row(key, closed.get(key), restated.get(key), made, longer=longer))
        sums += _sum(closed.get(key), restated.get(key), made, longer=longer)
    return Sheet(TITLE, columns, rows, tuple(_total(row) for row in merged(sums)))


def _row(key: Key, closed: TableDay | None, restated: TableDay | None, made: list[Adjustment], *, longer: bool) -> Row:
    stream, currency = key
    table, _, day = stream.rpartition("/")
    shown = restated or closed
    notes = [f"closed: {why}" for why in _pending(closed, longer=longer)] + [
        f"restated: {why}" for why in _pending(restated, longer=longer)
    ]
    if any(not one.closed for one in made):
        notes.append("this day is not closed: the adjustment is in neither")
    return (
        table, day, currency, hold.figure(shown).basis if shown is not None else "", *_figures(closed, longer=longer), len(made),
        decimal(sum(one.amount for one in made), currency) if made else NONE, *_figures(restated, longer=longer), "; ".join(notes),
    )  # fmt: skip


def _pending(day: TableDay | None, *, longer: bool) -> list[str]:
    """Why the day's win is not known; nothing where it is."""
    if day is None:
        return []
    why = hold.figure(day).pending or ("its box was on the table for more than this day" if longer else "")
    return [why] if why else []


def _figures(day: TableDay | None, *, longer: bool) -> tuple[str, str, str]:
    """What it is over, win and ratio."""
    if day is None:
        return (NONE, NONE, NONE)
    if _pending(day, longer=longer):
        return (hold.PENDING, hold.PENDING, hold.PENDING)
    each = hold.figure(day)
    if each.basis == hold.WAGERS:
        return (hold.NOT_APPLICABLE, decimal(each.win, day.currency), hold.NOT_APPLICABLE)
    ratio = hold.percent(each.win, each.over) if each.over > 0 else hold.NOT_APPLICABLE
    return (decimal(each.over, day.currency), decimal(each.win, day.currency), ratio)


def _sum(closed: TableDay | None, restated: TableDay | None, made: Iterable[Adjustment], *, longer: bool) -> list[Sum]:
    """Win closed and restated of a day that both know, by basis and currency."""
    if closed is None or restated is None or _pending(closed, longer=longer) or _pending(restated, longer=longer):
        return []
    before, after = hold.figure(closed), hold.figure(restated)
    adjusted = [one.amount for one in made]
    return [Sum((closed.currency, after.basis), (before.over, before.win, len(adjusted), sum(adjusted), after.over, after.win))]


def _total(row: Sum) -> Row:
    currency, basis = row.key
    over, win, number, adjusted, over_after, win_after = map(int, row.numbers)

    def ratio(part: int, whole: int) -> str:
        return hold.percent(part, whole) if whole > 0 else hold.NOT_APPLICABLE

    return (
        "total", "", currency, basis, decimal(over, currency), decimal(win, currency), ratio(win, over), number,
        decimal(adjusted, currency), decimal(over_after, currency), decimal(win_after, currency), ratio(win_after, over_after), "",
    )  # fmt: skip
