"""The monthly form as New Jersey prints it: units, win, drop and percentage of each game at felt tables.

It is the one place where nothing over nothing is `0.0`: the form prints it so. Everywhere else it is n/a
(`hold`).
"""

from __future__ import annotations

from audit.queries.cache.aggregates import Aggregate, merge
from audit.queries.tallies import Span
from casino.reports.columns import Column, Row, Sheet
from casino.reports.definitions import hold
from casino.reports.hold_figure import FELT

TITLE = "New Jersey form: win and drop by game"
BY: tuple[str, ...] = ("month",)
DEFAULT_BY: tuple[str, ...] = ("month",)
CHART = "percentage"
SUBTOTAL = "Subtotal table games"


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each month, game and currency, and the subtotals behind them."""
    columns = (
        *(Column(name, name) for name in by),
        Column("game", "game"),
        Column("currency", "currency"),
        Column("units", "units", "count"),
        Column("win", "win", "money"),
        Column("drop", "drop", "money"),
        Column("percentage", "percentage", "percent"),
        Column("note", "note"),
    )
    tables = [row for row in hold.sums(span, (*by, "game", "table")) if row.key[-2] == FELT]
    ones = [Aggregate((*row.key[:-3], row.key[-1]), (*row.numbers, 1), row.words) for row in tables]
    totals = merge(
        Aggregate((*row.key[: len(by)], SUBTOTAL, row.key[-1]), row.numbers, row.words) for row in ones
    )
    return Sheet(TITLE, columns, [_row(row) for row in merge(ones)], tuple(map(_row, totals)))


def _row(row: Aggregate) -> Row:
    *key, currency = row.key
    win, drop, percentage, note = hold.written(Aggregate((*key, FELT, currency), row.numbers, row.words))
    if row.numbers[1] == row.numbers[2] == 0 and percentage == hold.NOT_APPLICABLE:
        percentage = "0.0"
    return (*row.key, row.numbers[-1], win, drop, percentage, note)
