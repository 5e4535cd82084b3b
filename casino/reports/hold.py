"""Hold: at a felt table win over drop, at a live-dealer table GGR over handle. The two are never added, nor are two currencies.

Felt: win = closer + credits + drop - opener - fills, voided slips taken out; a day without its count or its closer is
pending and in no sum. Live dealer: GGR = taken - paid - corrections, handle = what was staked less what void rounds gave
back; a push stays in the handle. A ratio is one of sums, to one decimal, half up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from audit import queries
from audit.queries import Span, TableDay
from casino.reports import Absent, Column, Row, Sheet, grouped
from games.kit.amounts import decimal

TITLE = "Hold"
BY = ("property", "table", "game", "day", "month", "shift")
DEFAULT_BY = ("table",)
FELT, LIVE, WAGERS = "win / drop", "GGR / handle", "win from wagers, no count"
NAMED = 3
"""Pending days named in a row; of more, how many there are."""
PENDING, NOT_APPLICABLE = Absent("pending"), Absent("n/a")


class Figure(NamedTuple):
    """One stream's share: its basis, what was won over what, or why that is not known yet."""

    of: TableDay
    basis: str
    win: int
    over: int
    pending: str


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group, basis and currency; a total for each basis and currency."""
    figures = [figure(day) for day in queries.table_days(span, by_shift="shift" in by)]
    columns = (
        *(Column(name, name, "day" if name == "day" else "text") for name in by),
        Column("basis", "basis"), Column("currency", "currency"), Column("rounds", "rounds", "count"), Column("win", "win", "money"),
        Column("denominator", "drop or handle", "money"), Column("hold_percent", "hold %", "percent"), Column("note", "note"),
    )  # fmt: skip
    rows = [_row(values, group) for values, group in grouped(figures, lambda each: (*_by(each.of, by), each.basis, each.of.currency))]
    blank = ("total",) + ("",) * (len(by) - 1) if by else ()
    totals = [_row((*blank, *values), group) for values, group in grouped(figures, lambda each: (each.basis, each.of.currency))]
    return Sheet(TITLE, columns, rows, tuple(totals) if by else ())


def figure(day: TableDay) -> Figure:
    """What a stream, or one of its shifts, adds."""
    wagers = day.taken - day.paid - day.corrected
    if day.live_dealer:
        return Figure(day, LIVE, wagers, day.staked - day.returned, "")
    if not day.cage:
        return Figure(day, WAGERS, wagers, 0, "")
    win = day.closer + day.credits + day.drop - day.opener - day.fills
    return Figure(day, FELT, win, day.drop, ", ".join(_missing(day)))


def _missing(day: TableDay) -> Iterator[str]:
    """What must still come before a felt table's win is known."""
    if day.openers == 0:
        yield "no opener"
    if day.closers < max(day.openers, 1):
        yield "no closer"
    elif day.closers > day.openers > 0:
        yield "an opener is missing"
    uncounted = day.pulled - day.counted if day.shift else day.open_boxes
    if uncounted > 0:
        yield f"{uncounted} box{'es' if uncounted > 1 else ''} not counted"
    elif day.counted == 0:
        yield "no count"


def percent(win: int, over: int) -> str:
    """100 x win / over to one decimal, half up (away from nothing), exact: `-0.05` is `-0.1`. `over` is above 0."""
    tenths = (2000 * abs(win) + over) // (2 * over)
    return f"{'-' if win < 0 and tenths else ''}{tenths // 10}.{tenths % 10}"


def _by(day: TableDay, by: Iterable[str]) -> tuple[str, ...]:
    of: dict[str, Any] = {"month": f"{day.day:%Y-%m}", "day": day.day.isoformat()}
    return tuple(of.get(name) or str(getattr(day, name)) for name in by)


def _row(values: tuple[str, ...], group: list[Figure]) -> Row:
    basis, currency = values[-2:]
    known = [each for each in group if not each.pending]
    pending = [f"{each.of.stream}{f' {each.of.shift}' if each.of.shift else ''}: {each.pending}" for each in group if each.pending]
    notes = []
    if pending:
        more = f" and {len(pending) - NAMED} more" if len(pending) > NAMED else ""
        notes.append(f"pending {'; '.join(pending[:NAMED])}{more}")
    rounds, win, over = (sum(part) for part in ([e.of.rounds for e in group], [e.win for e in known], [e.over for e in known]))
    if not known:
        return (*values, rounds, PENDING, PENDING, PENDING, "; ".join(notes))
    if basis == WAGERS:
        return (*values, rounds, decimal(win, currency), NOT_APPLICABLE, NOT_APPLICABLE, "; ".join(notes))
    if over <= 0:
        notes.append(f"{basis.split(' / ')[1]} is {'0' if over == 0 else 'below 0'}")
    hold = percent(win, over) if over > 0 else NOT_APPLICABLE
    return (*values, rounds, decimal(win, currency), decimal(over, currency), hold, "; ".join(notes))
