"""Stiff sheet: what accounting holds against the count room's papers, a line for each table and shift, with room for three signatures."""

from __future__ import annotations

from audit import queries
from audit.queries import Span, TableDay
from audit.queries.cage import stays
from audit.queries.summed import Sum, merged
from casino.reports import Absent, Column, Row, Sheet, hold
from games.kit.amounts import decimal

TITLE = "Stiff sheet"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "drop"
SIGNED = (Column("counted_by", "counted by"), Column("verified_by", "verified by"), Column("audited_by", "audited by"))


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each table, day and shift with any fact of cage or count room; a total of the slips and the drop for each currency."""
    columns = (
        Column("table", "table"), Column("game", "game"), Column("day", "day", "day"), Column("shift", "shift"),
        Column("currency", "currency"), Column("boxes", "boxes", "count"), Column("counted", "counted", "count"),
        Column("opener", "opener", "money"), Column("fills", "fills", "money"), Column("credits", "credits", "money"),
        Column("closer", "closer", "money"), Column("drop", "drop", "money"), Column("verified", "recount", "money"),
        Column("win", "win", "money"), *SIGNED,
    )  # fmt: skip
    lines = [day for day in queries.table_days(span, by_shift=True, play="live") if day.cage]
    sums = merged(
        Sum((day.currency,), (day.pulled, day.counted, day.fills, day.credits, day.drop, day.verified_drop)) for day in lines
    )  # fmt: skip
    totals = [
        ("total", "", "", "", currency, boxes, counted, "", *(decimal(int(part), currency) for part in (fills, credits)), "",
         *(decimal(int(part), currency) for part in (drop, verified)), "", "", "", "")
        for (currency,), (boxes, counted, fills, credits, drop, verified), _ in sums
    ]  # fmt: skip
    held = {(stay.table, stay.counted_with) for stay in stays(span)}
    return Sheet(TITLE, columns, [_row(day, longer=(day.table, day.day) in held) for day in lines], tuple(totals))


def _row(day: TableDay, *, longer: bool) -> Row:
    """`longer`: the box of this day was on its table before, and what it holds is no win of one day."""

    def money(amount: int, there: int) -> str:
        return decimal(amount, day.currency) if there else Absent("n/a")

    figure = hold.figure(day)
    return (
        day.table, day.game, day.day.isoformat(), day.shift, day.currency, day.pulled, day.counted, money(day.opener, day.openers),
        decimal(day.fills, day.currency), decimal(day.credits, day.currency), money(day.closer, day.closers),
        money(day.drop, day.counted) if day.counted or not day.pulled else hold.PENDING, money(day.verified_drop, day.verified),
        hold.PENDING if figure.pending or longer else decimal(figure.win, day.currency), "", "", "",
    )  # fmt: skip
