"""Master game report: opener, fills, credits, closer, drop, win and hold of felt tables by game and table,
with subtotals of each game.

Only days that are whole are in a row; a day without its count or its closer is named as pending and in no
sum.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.queries.cache import table_days as kept_days
from audit.queries.cache.aggregates import Aggregate, aggregate, exact_number, merge
from audit.queries.tallies import Span, TableDay
from casino.reports import overnight_boxes
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.definitions import hold
from casino.reports.grouping import Pits, columns_of, name_of_sums, of_day, percent, pits_for
from casino.reports.hold_figure import FELT, figure, wanting
from casino.reports.overnight_boxes import OvernightBoxes
from games.kit.amounts import decimal

TITLE = "Master game report"
BY = ("property", "game", "table", "pit", "day", "month", "shift")
DEFAULT_BY = ("game", "table")
CHART = "win"


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group and currency; subtotals of what stands first in `by`, then the total, for each
    currency.
    """
    columns = (
        *columns_of(by),
        Column("currency", "currency"),
        Column("days", "days", "count"),
        Column("opener", "opener", "money"),
        Column("fills", "fills", "money"),
        Column("credits", "credits", "money"),
        Column("closer", "closer", "money"),
        Column("drop", "drop", "money"),
        Column("win", "win", "money"),
        Column("hold_percent", "hold %", "percent"),
        Column("note", "note"),
    )
    pits, held = pits_for(by), OvernightBoxes(span)

    def found_by(by: tuple[str, ...]) -> list[Aggregate]:
        def adds(part: Span) -> Iterator[Aggregate]:
            for day in kept_days.table_days(part, by_shift="shift" in by):
                each = figure(day)
                if each.basis == FELT and not overnight_boxes.box_not_pulled(day):
                    yield _of_day(day, each.pending, by, pits)

        apart = overnight_boxes.rows(held, by, pits, lambda day, why: _of_day(day, why, by, pits), wanting)
        return merge(
            [*aggregate(name_of_sums("master-game-report", by, pits), span, adds, held.units), *apart]
        )

    def wider(less: tuple[str, ...], first: tuple[str, ...]) -> list[Aggregate]:
        """The same in larger parts: days of several shifts, or of a box that stayed over several rows, are
        whole there.
        """
        anew = ("shift" in by and "shift" not in less) or bool(held)
        rows = (
            found_by(less)
            if anew
            else [Aggregate((*row.key[: len(less)], row.key[-1]), row.numbers) for row in found]
        )
        return merge(
            Aggregate((*first, *row.key[:-1], *blanks[len(first) + len(less) :], row.key[-1]), row.numbers)
            for row in rows
        )

    found, blanks = found_by(by), ("",) * len(by)
    subtotals = wider(by[:1], ()) if len(by) > 1 else []
    total = wider((), ("total",)) if by else []
    return Sheet(TITLE, columns, [_row(row) for row in found], tuple(map(_row, (*subtotals, *total))))


def _of_day(day: TableDay, pending: str, by: tuple[str, ...], pits: Pits | None) -> Aggregate:
    key = (*of_day(day, by, pits), day.currency)
    if pending:
        return Aggregate(key, (0, 1, 0, 0, 0, 0, 0, 0))
    return Aggregate(
        key, (1, 0, day.opener, day.fills, day.credits, day.closer, day.drop, exact_number(figure(day).win))
    )


def _row(row: Aggregate) -> Row:
    currency = row.key[-1]
    days, pending, *amounts = map(int, row.numbers)
    note = f"{pending} pending" if pending else ""
    if not days:
        return (*row.key, days, *(hold.PENDING,) * 7, note)
    drop, win = amounts[-2:]
    return (
        *row.key,
        days,
        *(decimal(amount, currency) for amount in amounts),
        percent(win, drop) if drop > 0 else Absent("n/a"),
        note,
    )
