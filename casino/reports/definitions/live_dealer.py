"""Live dealer alone: gross gaming revenue over handle, from the wagers, which such a table sees all of.

GGR = taken - paid + unseen - corrections; unseen is what a void round kept of a stake, a finding each, and
what was owed where nobody sees chips move. Handle = staked less what void rounds gave back. A felt table is
never in it: its hold is win over drop. By dealer, hour or wager corrections are n/a and in no GGR, because
they name none of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from audit.queries.cache import table_days as kept_days
from audit.queries.cache.aggregates import Aggregate, aggregate, exact_number
from audit.queries.tallies import Span
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
from games.kit.amounts import decimal

TITLE = "Live dealer: GGR over handle"
BY = ("property", "table", "game", "pit", "day", "month", "shift", "dealer", "hour", "wager")
DEFAULT_BY = ("table",)
CHART = "ggr_percent"
NOTHING = Absent("n/a")


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group and currency; a total for each currency."""
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
    pits, whole = pits_for(by), not PLAY_ALONE & set(by)

    def adds(part: Span) -> Iterator[Aggregate]:
        for key, row in by_play(part, of_days(by), pits):
            if row.live_dealer and row.any:
                moved = (row.staked, row.returned, row.taken, row.paid)
                yield Aggregate(
                    (*key, row.currency), (row.rounds, row.bets, *moved, 0, exact_number(row.unseen))
                )
        if whole:
            yield from _corrections(part, by, pits)

    found = aggregate(name_of_sums("live-dealer", by, pits), span, adds)
    return Sheet(
        TITLE,
        columns,
        [_row(row, whole) for row in found],
        tuple(_row(row, whole) for row in totals(found, by)),
    )


def _corrections(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[Aggregate]:
    for day in kept_days.table_days(span, by_shift="shift" in by):
        if day.live_dealer and day.corrections:
            yield Aggregate((*of_day(day, by, pits), day.currency), (0, 0, 0, 0, 0, 0, day.corrected, 0))


def _row(row: Aggregate, whole: bool) -> Row:
    currency = row.key[-1]
    rounds, wagers, staked, returned, taken, paid, corrected = map(int, row.numbers[:-1])
    unseen = Fraction(row.numbers[-1])
    handle, ggr = staked - returned, taken - paid + unseen - corrected
    amounts = [decimal(amount, currency) for amount in (staked, returned, handle, taken, paid)]
    return (
        *row.key,
        rounds,
        wagers,
        *amounts,
        money(unseen, currency),
        decimal(corrected, currency) if whole else NOTHING,
        money(ggr, currency),
        rounded(100 * ggr / handle, 1) if handle > 0 else NOTHING,
    )
