"""The monthly form as New Jersey prints it: units, win, drop and percentage of each game at felt tables.

This is the only report that shows zero over zero as `0.0`, because the form prints it so. All others, such as
`hold`, show n/a.
"""

from __future__ import annotations

from typing import NamedTuple

from audit.queries.cache.aggregates import Aggregate, Exact, merge
from audit.queries.span import Span
from casino.reports.columns import Column, Row, Sheet
from casino.reports.definitions import hold
from casino.reports.hold_figure import FELT

TITLE = "New Jersey form: win and drop by game"
DEPARTMENT = "Accounting"
NEEDED = "Each month, for the form of the regulator."
BY: tuple[str, ...] = ("month",)
DEFAULT_BY: tuple[str, ...] = ("month",)
CHART = "percentage"
SUBTOTAL = "Subtotal table games"


class FormFigures(NamedTuple):
    """The figures of a game's hold, as in `hold.HoldFigures`, and its number of tables."""

    rounds: int
    win: Exact
    over: int
    known: int
    pending: int
    units: int


FormRow = Aggregate[FormFigures]


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each month, game and currency, and their subtotals."""
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
    by_game = [
        Aggregate((*row.key[:-3], row.key[-1]), FormFigures(*row.figures, units=1), row.notes)
        for row in tables
    ]
    totals = merge(row._replace(key=(*row.key[: len(by)], SUBTOTAL, row.key[-1])) for row in by_game)
    return Sheet(
        TITLE, columns, [_row(row) for row in merge(by_game)], tuple(map(_row, totals)), has_absent=True
    )


def _row(row: FormRow) -> Row:
    *key, currency = row.key
    figures = row.figures
    of_hold = hold.HoldFigures(figures.rounds, figures.win, figures.over, figures.known, figures.pending)
    win, drop, percentage, note = hold.format_figures(Aggregate((*key, FELT, currency), of_hold, row.notes))
    if figures.win == figures.over == 0 and percentage == hold.NOT_APPLICABLE:
        percentage = "0.0"
    return (*row.key, figures.units, win, drop, percentage, note)
