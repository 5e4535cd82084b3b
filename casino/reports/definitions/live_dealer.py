"""Live dealer only: gross gaming revenue (GGR) over handle. Both are computed from the wagers, because a
live-dealer table records every wager.

GGR = taken - paid + unseen - corrections. `unseen` has two parts: what void rounds kept of the stakes (each a
finding), and what was owed at tables whose equipment does not record chip movements. Handle = staked less
what void rounds returned. A felt table is never included, because its hold is win over drop. If the report is
grouped by dealer, hour or wager, corrections are n/a and are left out of GGR, because a correction names none
of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from audit.queries.cache import table_days as cached_days
from audit.queries.cache.aggregates import Aggregate, Exact, aggregate, exact_number
from audit.queries.span import Span
from casino.reports import hold_chance
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.grouping import (
    PLAY_ALONE,
    Pits,
    by_play,
    columns_of,
    money,
    name_of_sums,
    of_day,
    of_days,
    pits_for,
    rounded,
    totals,
)
from casino.reports.hold_chance import HoldChance
from casino.reports.hold_figure import LIVE, HoldFigures
from casino.reports.limits import NO_LIMITS, Limits, rows_and_totals
from games.kit.amounts import decimal

TITLE = "Live dealer: GGR over handle"
DEPARTMENT = "Table games"
NEEDED = "Each day, for the revenue of live-dealer tables."
BY = ("property", "table", "game", "pit", "day", "month", "shift", "dealer", "hour", "wager")
DEFAULT_BY = ("table",)
CHART = "ggr_percent"
LEADS = ("ggr", "handle", "ggr_percent")
"""The figures that a page shows first. On a narrow screen, the others are beyond its edge."""
NOTHING = Absent("n/a")
CACHED_BY = (__name__, hold_chance.__name__)


class RevenueFigures(NamedTuple):
    """The numbers of rounds and of wagers at live-dealer tables, and their amounts in minor units."""

    rounds: int = 0
    wagers: int = 0
    staked: int = 0
    returned: int = 0
    taken: int = 0
    paid: int = 0
    corrected: int = 0
    unseen: Exact = 0


RevenueRow = Aggregate[RevenueFigures]


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each group and currency, and a total for each currency."""
    return limited_by(span, by, NO_LIMITS)


def limited_by(span: Span, by: tuple[str, ...], limits: Limits) -> Sheet:
    """Return the report limited to some values. Rows by dealer, hour or wager contain no corrections, so
    their totals are the sums of these rows.
    """
    columns = (
        *columns_of(by),
        Column("currency", "currency"),
        Column("rounds", "rounds", "count"),
        Column("wagers", "wagers", "count"),
        Column("staked", "staked", "money"),
        Column("returned", "returned by voids", "money"),
        Column("handle", "handle", "money"),
        Column("taken", "taken", "money"),
        Column("paid", "paid", "money"),
        Column("unseen", "kept, or not seen to move", "money"),
        Column("corrected", "corrections to players", "money"),
        Column("ggr", "GGR", "money"),
        Column("ggr_percent", "GGR / handle %", "percent"),
    )
    has_corrections = not PLAY_ALONE & set(by)
    rows = sums(span, by)
    chance = HoldChance(span, by, list(map(_as_hold, rows)), report="live-dealer", basis=LIVE)
    if limits:
        rows, total_rows = rows_and_totals(
            rows, by, limits, lambda names: sums(span, names), as_rows=not has_corrections
        )
    else:
        total_rows = totals(rows, by)
    return Sheet(
        TITLE,
        columns,
        [_row(row, has_corrections) for row in rows],
        tuple(_row(row, has_corrections) for row in total_rows),
        has_absent=True,
        leads=(*by, "currency", *LEADS),
        chances=chance.of_rows,
    )


def sums(span: Span, by: tuple[str, ...]) -> list[RevenueRow]:
    """Return the figures of live-dealer tables, by grouping and currency."""
    pits, has_corrections = pits_for(by), not PLAY_ALONE & set(by)

    def read_rows(part: Span) -> Iterator[RevenueRow]:
        for key, row in by_play(part, of_days(by), pits):
            if row.live_dealer and row.any:
                figures = RevenueFigures(
                    rounds=row.rounds,
                    wagers=row.bets,
                    staked=row.staked,
                    returned=row.returned,
                    taken=row.taken,
                    paid=row.paid,
                    unseen=exact_number(row.unseen),
                )
                yield Aggregate((*key, row.currency), figures)
        if has_corrections:
            yield from _corrections(part, by, pits)

    return aggregate(name_of_sums("live-dealer", by, pits), span, read_rows, RevenueFigures)


def _corrections(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[RevenueRow]:
    for day in cached_days.table_days(span, by_shift="shift" in by):
        if day.live_dealer and day.corrections:
            key = (*of_day(day, by, pits), day.currency)
            yield Aggregate(key, RevenueFigures(corrected=day.corrected))


def _as_hold(row: RevenueRow) -> Aggregate[HoldFigures]:
    """Return a row as the report `hold` has it."""
    ggr, handle = _revenue(row.figures)
    figures = HoldFigures(row.figures.rounds, exact_number(ggr), handle, known=1, pending=0)
    return Aggregate((*row.key[:-1], LIVE, row.key[-1]), figures)


def _revenue(figures: RevenueFigures) -> tuple[Fraction, int]:
    """Return GGR and handle in minor units."""
    ggr = figures.taken - figures.paid + Fraction(figures.unseen) - figures.corrected
    return ggr, figures.staked - figures.returned


def _row(row: RevenueRow, has_corrections: bool) -> Row:
    currency, figures = row.key[-1], row.figures
    unseen, (ggr, handle) = Fraction(figures.unseen), _revenue(figures)
    amounts = (figures.staked, figures.returned, handle, figures.taken, figures.paid)
    return (
        *row.key,
        figures.rounds,
        figures.wagers,
        *(decimal(amount, currency) for amount in amounts),
        money(unseen, currency),
        decimal(figures.corrected, currency) if has_corrections else NOTHING,
        money(ggr, currency),
        rounded(100 * ggr / handle, 1) if handle > 0 else NOTHING,
    )
