"""Stiff sheet: the figures that accounting compares with the papers of the count room. Each table, day and
shift has one line, with space for three signatures.

The lines of a table's day are in the order in which its shifts begin. The table's opening gives these times.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from audit.queries.cache import table_days
from audit.queries.cache.aggregates import Aggregate, Exact, exact_number
from audit.queries.cache.lists import CachedList, cached_list
from audit.queries.cage_lists import shifts_begun, stays
from audit.queries.span import Span
from audit.queries.table_day import TableDay
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.definitions import hold
from casino.reports.grouping import name_of_sums
from casino.reports.hold_figure import figure
from casino.reports.limits import Limits, chosen, totals_of_list
from games.kit.amounts import decimal

TITLE = "Stiff sheet"
DEPARTMENT = "Accounting"
NEEDED = "After each count, to compare it with the papers of the count room."
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "drop"
LIMITED_BY = ("table", "game", "day", "shift")
LEADS = ("table", "day", "shift", "drop", "verified", "win")
"""The columns that a page shows first. On a narrow screen, the others are beyond its edge."""
KEY = ("table", "day", "place", "shift", "currency", "game")
"""The names of the values in the key of a line."""
SIGNED = (
    Column("counted_by", "counted by"),
    Column("verified_by", "verified by"),
    Column("audited_by", "audited by"),
)


class LineFigures(NamedTuple):
    """The figures of one shift of a table. Amounts and the win are in minor units. If the shift is pending,
    `pending` is 1 and the win is 0, so that no total has it. Otherwise `pending` is 0.
    """

    pulled: int
    counted: int
    openers: int
    opener: int
    fills: int
    credits: int
    closers: int
    closer: int
    drop: int
    verified: int
    verified_drop: int
    win: Exact
    pending: int


Line = Aggregate[LineFigures]


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each table, day and shift that has any fact from the cage or the count room. For
    each currency, also return a total of the slips and the drop.
    """
    lines = _lines(span)
    return _sheet(span, lines, lines.totals)


def limited(span: Span, limits: Limits) -> Sheet:
    """Return the report limited to the shifts of some values."""
    lines = chosen(_lines(span), limits, lambda line, name: line.key[KEY.index(name)])
    return _sheet(span, lines, totals_of_list(lines, _currency))


def _lines(span: Span) -> CachedList[LineFigures]:
    """Return the lines of the report and their totals."""
    return cached_list(
        name_of_sums("stiff-sheet", (), None), span, _read_lines, LineFigures, itemgetter(0), _currency
    )


def _sheet(span: Span, lines: Sequence[Line], total_lines: Iterable[Line]) -> Sheet:
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
    overnight = {(stay.table, str(stay.counted_with)) for stay in stays(span)}
    totals = tuple(map(_total, _without_overnight(total_lines, lines, overnight)))
    rows = Rows(lines, lambda line: _row(line, box_from_previous_day=line.key[:2] in overnight))
    signed = tuple(column.key for column in SIGNED)
    return Sheet(TITLE, columns, rows, totals, has_absent=True, leads=LEADS, to_sign=signed)


def _read_lines(span: Span) -> Iterator[Line]:
    ordinals = shifts_begun(span)
    for day in table_days.counted(span, by_shift=True):
        if day.cage:
            yield _line(day, ordinals.get((day.stream, day.shift), 0))


def _line(day: TableDay, place: int) -> Line:
    """Return the figures of one shift of a table's gaming day. `place` is the ordinal of the shift on that
    day.
    """
    own = figure(day)
    figures = LineFigures(
        pulled=day.pulled,
        counted=day.counted,
        openers=day.openers,
        opener=day.opener,
        fills=day.fills,
        credits=day.credits,
        closers=day.closers,
        closer=day.closer,
        drop=day.drop,
        verified=day.verified,
        verified_drop=day.verified_drop,
        win=0 if own.pending else exact_number(own.win),
        pending=int(bool(own.pending)),
    )
    key = (day.table, day.day.isoformat(), f"{place:02}", day.shift, day.currency, day.game)
    return Aggregate(key, figures)


def _currency(line: Line) -> tuple[str]:
    return (line.key[4],)


def _without_overnight(
    total_lines: Iterable[Line], lines: Sequence[Line], overnight: set[tuple[str, str]]
) -> Iterator[Line]:
    """Yield the totals without the wins of shifts that are pending only because of a box of an earlier day.

    Args:
        overnight: the tables and days on which such a box was counted.
    """
    wins: dict[str, list[Fraction]] = {}
    for line in lines if overnight else ():
        if line.key[:2] in overnight and not line.figures.pending:
            wins.setdefault(line.key[4], []).append(Fraction(line.figures.win))
    for total in total_lines:
        left_out = wins.get(total.key[0], [])
        win = exact_number(Fraction(total.figures.win) - sum(left_out, Fraction(0)))
        pending = total.figures.pending + len(left_out)
        yield total._replace(figures=total.figures._replace(win=win, pending=pending))


def _total(total: Line) -> Row:
    """Return a total. Its win is that of the shifts that are not pending, and its name says so."""
    (currency,), figures = total.key, total.figures
    return (
        "total without pending wins" if figures.pending else "total",
        "",
        "",
        "",
        currency,
        figures.pulled,
        figures.counted,
        "",
        decimal(figures.fills, currency),
        decimal(figures.credits, currency),
        "",
        decimal(figures.drop, currency),
        decimal(figures.verified_drop, currency),
        decimal(int(figures.win), currency),
        "",
        "",
        "",
    )


def _row(line: Line, *, box_from_previous_day: bool) -> Row:
    """Return a row of the sheet.

    Args:
        line: the figures of a shift.
        box_from_previous_day: True if the box was already on the table on the previous day. The win is then
            pending, because the box contains the drop of several days.
    """
    table, day, _, shift, currency, game = line.key
    figures = line.figures

    def money(amount: int, number: int) -> str:
        return decimal(amount, currency) if number else Absent("n/a")

    is_drop_known = figures.counted or not figures.pulled
    is_win_pending = figures.pending or box_from_previous_day
    return (
        table,
        game,
        day,
        shift,
        currency,
        figures.pulled,
        figures.counted,
        money(figures.opener, figures.openers),
        decimal(figures.fills, currency),
        decimal(figures.credits, currency),
        money(figures.closer, figures.closers),
        money(figures.drop, figures.counted) if is_drop_known else hold.PENDING,
        money(figures.verified_drop, figures.verified),
        hold.PENDING if is_win_pending else decimal(int(figures.win), currency),
        "",
        "",
        "",
    )
