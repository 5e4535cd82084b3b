"""Master game report: fills, credits, drop, win and hold of felt tables by game and table, with subtotals of
each game. Openers and closers are added up: the sums of several shifts are more than the tables held at any
time.

A day is pending if its count or its closer is missing. Pending days are in no sum, and a note gives their
number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from audit.queries.cache import table_days as cached_days
from audit.queries.cache.aggregates import Aggregate, Exact, ReadRows, aggregate, exact_number, merge
from audit.queries.span import Span
from casino.reports import overnight_boxes
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.definitions import hold
from casino.reports.grouping import (
    Pits,
    columns_of,
    month_from_tables,
    name_of_sums,
    of_day,
    percent,
    pits_for,
    with_differences,
)
from casino.reports.hold_figure import FELT, HoldFigure, figure, missing_counts
from casino.reports.overnight_boxes import OvernightBoxes
from games.kit.amounts import decimal

TITLE = "Master game report"
DEPARTMENT = "Accounting"
NEEDED = "Each day, for the figures of all felt tables."
BY = ("property", "game", "table", "pit", "day", "month", "shift")
DEFAULT_BY = ("game", "table")
CHART = "win"
LEADS = ("win", "drop", "hold_percent")
"""The figures that a page shows first. On a narrow screen, the others are beyond its edge."""


class GameFigures(NamedTuple):
    """The number of complete days and the number of pending days of felt tables. Amounts are those counted on
    the complete days, in minor units.
    """

    days: int = 0
    pending: int = 0
    opener: int = 0
    fills: int = 0
    credits: int = 0
    closer: int = 0
    drop: int = 0
    win: Exact = 0


GameRow = Aggregate[GameFigures]
AMOUNTS = {
    "win": "win",
    "drop": "drop",
    "opener": "openers",
    "fills": "fills",
    "credits": "credits",
    "closer": "closers",
}
"""The amounts of GameFigures, with their names in a note."""


COLUMNS = (
    Column("currency", "currency"),
    Column("days", "table days", "count"),
    Column("opener", "sum of openers", "money"),
    Column("fills", "fills", "money"),
    Column("credits", "credits", "money"),
    Column("closer", "sum of closers", "money"),
    Column("drop", "drop", "money"),
    Column("win", "win", "money"),
    Column("hold_percent", "hold %", "percent"),
    Column("note", "note"),
)


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each group and currency, subtotals by the first name in `by`, and a total for each
    currency.
    """
    columns = (*columns_of(by), *COLUMNS)
    pits, overnight = pits_for(by), OvernightBoxes(span)

    def rows_by(names: tuple[str, ...]) -> list[GameRow]:
        read_rows = month_from_tables("master-game-report", names, GameFigures, lambda of: _read_by(of, pits))
        name = name_of_sums("master-game-report", names, pits)
        return merge(
            [
                *aggregate(name, span, read_rows, GameFigures, overnight.periods),
                *overnight_boxes.rows(
                    overnight,
                    names,
                    pits,
                    lambda day, reason: _of_day(figure(day), reason, names, pits),
                    missing_counts,
                ),
            ]
        )

    def subtotals(names: tuple[str, ...], label: tuple[str, ...]) -> list[GameRow]:
        """Return rows that are grouped only by these names; the cells of other names are blank. They are not
        sums of the rows of the sheet: a day of several shifts, or the days of a box that stayed overnight,
        may be pending in single rows but complete together.
        """
        is_changed = ("shift" in by and "shift" not in names) or bool(overnight)
        narrow = merge(row._replace(key=(*row.key[: len(names)], row.key[-1])) for row in rows)
        wider = _noted(rows_by(names), narrow) if is_changed else narrow
        blanks = ("",) * (len(by) - len(label) - len(names))
        return merge(row._replace(key=(*label, *row.key[:-1], *blanks, row.key[-1])) for row in wider)

    rows = rows_by(by)
    by_first = subtotals(by[:1], ()) if len(by) > 1 else []
    total = subtotals((), ("total",)) if by else []
    return Sheet(
        TITLE,
        columns,
        [_row(row) for row in rows],
        tuple(map(_row, (*by_first, *total))),
        has_absent=True,
        leads=(*by, "currency", *LEADS),
    )


def _noted(totals: list[GameRow], sums: list[GameRow]) -> list[GameRow]:
    """Return totals with a note on each that is not the sum of its rows. `sums` are the sums of the rows."""
    return with_differences(totals, sums, GameFigures(), lambda key: AMOUNTS, lambda figures: figures.days)


def _read_by(by: tuple[str, ...], pits: Pits | None) -> ReadRows[GameFigures]:
    """Return a function that reads the rows of a span in this grouping, one for each table's day or shift."""

    def read_rows(span: Span) -> Iterator[GameRow]:
        for day in cached_days.table_days(span, by_shift="shift" in by):
            own = figure(day)
            if own.basis == FELT and not overnight_boxes.box_not_pulled(day):
                yield _of_day(own, own.pending, by, pits)

    return read_rows


def _of_day(own: HoldFigure, pending: str, by: tuple[str, ...], pits: Pits | None) -> GameRow:
    day = own.day
    key = (*of_day(day, by, pits), day.currency)
    if pending:
        return Aggregate(key, GameFigures(pending=1))
    figures = GameFigures(
        days=1,
        opener=day.opener,
        fills=day.fills,
        credits=day.credits,
        closer=day.closer,
        drop=day.drop,
        win=exact_number(own.win),
    )
    return Aggregate(key, figures)


def _row(row: GameRow) -> Row:
    currency, figures = row.key[-1], row.figures
    note = "; ".join((*row.notes, *([f"{figures.pending} pending"] if figures.pending else [])))
    if not figures.days:
        return (*row.key, figures.days, *(hold.PENDING,) * 7, note)
    drop, win = figures.drop, int(figures.win)
    amounts = (figures.opener, figures.fills, figures.credits, figures.closer, drop, win)
    return (
        *row.key,
        figures.days,
        *(decimal(amount, currency) for amount in amounts),
        percent(win, drop) if drop > 0 else Absent("n/a"),
        note,
    )
