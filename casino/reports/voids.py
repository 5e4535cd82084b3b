"""Voids and corrections: void rounds and the stakes that went back, settlements corrected later, slips voided at the cage.

Void rounds are counted by dealer and hour as well; corrections and slips name neither, so they are n/a there.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from audit.queries import Span, kept_days
from audit.queries.summed import Sum, summed
from casino.figures import PLAY_ALONE, Pits, by_play, columns_of, name_of_sums, of_day, of_days, pits_for, rounded, totals
from casino.reports import Absent, Column, Row, Sheet
from games.kit.amounts import decimal

TITLE = "Voids and corrections"
BY = ("property", "table", "game", "pit", "day", "month", "shift", "dealer", "hour")
DEFAULT_BY = ("table",)
CHART = "returned"
NOTHING = Absent("n/a")


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group and currency that has any; a total for each currency."""
    columns = (
        *columns_of(by), Column("currency", "currency"), Column("rounds", "rounds", "count"), Column("void_rounds", "void", "count"),
        Column("void_per_1000", "void of 1,000", "percent"), Column("returned", "stakes returned", "money"),
        Column("corrections", "corrections", "count"), Column("to_players", "corrected to players", "money"),
        Column("slips_voided", "slips voided", "count"), Column("slips_amount", "their amount", "money"),
    )  # fmt: skip
    pits = pits_for(by)

    def adds(part: Span) -> Iterator[Sum]:
        for key, row in by_play(part, of_days(by), pits):
            yield Sum((*key, row.currency), (row.rounds, row.voided, row.returned, 0, 0, 0, 0))
        if not PLAY_ALONE & set(by):
            yield from _cage(part, by, pits)

    of_cage = not PLAY_ALONE & set(by)
    found = summed(name_of_sums("voids", by, pits), span, adds)
    rows = [_row(row, of_cage) for row in found if any(row.numbers[1:])]
    return Sheet(TITLE, columns, rows, tuple(_row(row, of_cage) for row in totals(found, by)))


def _cage(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[Sum]:
    for day in kept_days.table_days(span, by_shift="shift" in by):
        if day.corrections or day.slips_voided:
            yield Sum(
                (*of_day(day, by, pits), day.currency),
                (0, 0, 0, day.corrections, day.corrected, day.slips_voided, day.voided_amount),
            )


def _row(row: Sum, of_cage: bool) -> Row:
    currency = row.key[-1]
    rounds, void, returned, corrections, corrected, slips, amount = map(int, row.numbers)
    cage: tuple[object, ...] = (NOTHING,) * 4
    if of_cage:
        cage = (corrections, decimal(corrected, currency), slips, decimal(amount, currency))
    return (*row.key, rounds, void, rounded(Fraction(1000 * void, rounds), 1) if rounds else NOTHING, decimal(returned, currency), *cage)
