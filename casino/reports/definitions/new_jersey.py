"""The monthly form as New Jersey prints it: units, win, drop and percentage of each game at felt tables.

If the days are not whole months, the note of each row says which gaming days it has, in every format.

This is the only report that shows zero over zero as `0.0`, because the form prints it so. All others, such as
`hold`, show n/a.
"""

from __future__ import annotations

from typing import NamedTuple

from audit.queries.cache.aggregates import Aggregate, Exact, merge
from audit.queries.span import Span
from casino.presentation.formatting import dates_in_words
from casino.reports.columns import Column, Row, Sheet
from casino.reports.definitions import hold
from casino.reports.hold_figure import FELT
from casino.reports.limits import NO_LIMITS, Limits, chosen
from casino.reports.part_of_month import days_of_month, parts_of_months

TITLE = "New Jersey form: win and drop by game"
DEPARTMENT = "Accounting"
NEEDED = "Each month, for the form of the regulator."
BY: tuple[str, ...] = ("month",)
DEFAULT_BY: tuple[str, ...] = ("month",)
CHART = "percentage"
LIMITED_BY = ("table", "game", "month")
LEADS = ("win", "drop", "percentage")
"""The columns that the page of the report shows first, after the game."""
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
    return limited_by(span, by, NO_LIMITS)


def limited_by(span: Span, by: tuple[str, ...], limits: Limits) -> Sheet:
    """Return the form limited to one table, game or month."""
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
    names = (*by, "game", "table", *(name for name in limits if name == "month" and name not in by))
    every = [row for row in hold.sums(span, names) if row.key[-2] == FELT]
    tables = chosen(every, limits, lambda row, name: row.key[names.index(name)])
    by_game = [
        Aggregate((*row.key[: len(by) + 1], row.key[-1]), FormFigures(*row.figures, units=1), row.notes)
        for row in tables
    ]
    totals = merge(row._replace(key=(*row.key[: len(by)], SUBTOTAL, row.key[-1])) for row in by_game)
    return Sheet(
        TITLE,
        columns,
        [_row(row, span) for row in merge(by_game)],
        tuple(_row(row, span) for row in totals),
        has_absent=True,
        leads=("game", *LEADS, *by),
        notes=() if by else tuple(f"{dates_in_words(part)}." for part in _parts(span)),
    )


def _parts(span: Span) -> list[str]:
    """Return the months of which the span has only a part, with their gaming days."""
    return [f"{month}: {days}" for month, days in parts_of_months(span)]


def _row(row: FormRow, span: Span) -> Row:
    *key, currency = row.key
    parts = [days_of_month(span, row.key[0])] if len(row.key) > 2 else _parts(span)
    figures = row.figures
    of_hold = hold.HoldFigures(figures.rounds, figures.win, figures.over, figures.known, figures.pending)
    win, drop, percentage, note = hold.format_figures(Aggregate((*key, FELT, currency), of_hold, row.notes))
    if figures.win == figures.over == 0 and percentage == hold.NOT_APPLICABLE:
        percentage = "0.0"
    note = "; ".join(filter(None, (*parts, note)))
    return (*row.key, figures.units, win, drop, percentage, note)
