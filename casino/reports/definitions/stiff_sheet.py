"""Stiff sheet: what accounting holds against the count room's papers, a line for each table and shift, with
room for three signatures.

The shifts of a table's day stand in the order in which they begin, as its opening says.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from audit.queries.cache import table_days
from audit.queries.cache.aggregates import Aggregate, exact_number
from audit.queries.cache.lists import cached_list
from audit.queries.cage_lists import shifts_begun, stays
from audit.queries.tallies import Span, TableDay
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.definitions import hold
from casino.reports.grouping import name_of_sums
from casino.reports.hold_figure import figure
from games.kit.amounts import decimal

TITLE = "Stiff sheet"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "drop"
SIGNED = (
    Column("counted_by", "counted by"),
    Column("verified_by", "verified by"),
    Column("audited_by", "audited by"),
)
FIGURES = (
    "pulled",
    "counted",
    "openers",
    "opener",
    "fills",
    "credits",
    "closers",
    "closer",
    "drop",
    "verified",
    "verified_drop",
)
"""What a line has of its table's shift; its win, and whether that is pending, stand behind them."""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each table, day and shift with any fact of cage or count room; a total of the slips and the
    drop for each currency.
    """
    columns = (
        Column("table", "table"),
        Column("game", "game"),
        Column("day", "day", "day"),
        Column("shift", "shift"),
        Column("currency", "currency"),
        Column("boxes", "boxes", "count"),
        Column("counted", "counted", "count"),
        Column("opener", "opener", "money"),
        Column("fills", "fills", "money"),
        Column("credits", "credits", "money"),
        Column("closer", "closer", "money"),
        Column("drop", "drop", "money"),
        Column("verified", "recount", "money"),
        Column("win", "win", "money"),
        *SIGNED,
    )
    lines = cached_list(name_of_sums("stiff-sheet", (), None), span, _lines, itemgetter(0), _currency)
    totals = tuple(map(_total, lines.totals))
    held = {(stay.table, str(stay.counted_with)) for stay in stays(span)}
    return Sheet(TITLE, columns, Rows(lines, lambda line: _row(line, longer=line.key[:2] in held)), totals)


def _lines(span: Span) -> Iterator[Aggregate]:
    begun = shifts_begun(span)
    for day in table_days.counted(span, by_shift=True):
        if day.cage:
            yield _of_day(day, begun.get((day.stream, day.shift), 0))


def _of_day(day: TableDay, place: int) -> Aggregate:
    """A shift of a table's day, the so manieth of it."""
    each = figure(day)
    key = (day.table, day.day.isoformat(), f"{place:02}", day.shift, day.currency, day.game)
    return Aggregate(
        key, (*(getattr(day, name) for name in FIGURES), exact_number(each.win), int(bool(each.pending)))
    )


def _currency(line: Aggregate) -> tuple[str]:
    return (line.key[4],)


def _total(total: Aggregate) -> Row:
    (currency,), numbers = total.key, map(int, total.numbers[: len(FIGURES)])
    of = dict(zip(FIGURES, numbers, strict=True))
    fills, credits, drop, verified = (
        decimal(of[name], currency) for name in ("fills", "credits", "drop", "verified_drop")
    )
    return (
        "total",
        "",
        "",
        "",
        currency,
        of["pulled"],
        of["counted"],
        "",
        fills,
        credits,
        "",
        drop,
        verified,
        "",
        "",
        "",
        "",
    )


def _row(line: Aggregate, *, longer: bool) -> Row:
    """`longer`: the box of this day was on its table before, and what it holds is no win of one day."""
    table, day, _, shift, currency, game = line.key
    (
        pulled,
        counted,
        openers,
        opener,
        fills,
        credits,
        closers,
        closer,
        drop,
        verified,
        verified_drop,
        win,
        pending,
    ) = map(int, line.numbers)

    def money(amount: int, there: int) -> str:
        return decimal(amount, currency) if there else Absent("n/a")

    return (
        table,
        game,
        day,
        shift,
        currency,
        pulled,
        counted,
        money(opener, openers),
        decimal(fills, currency),
        decimal(credits, currency),
        money(closer, closers),
        money(drop, counted) if counted or not pulled else hold.PENDING,
        money(verified_drop, verified),
        hold.PENDING if pending or longer else decimal(win, currency),
        "",
        "",
        "",
    )
