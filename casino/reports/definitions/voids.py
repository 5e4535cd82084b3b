"""Voids and corrections: void rounds and the stakes that went back, settlements corrected later, slips voided
at the cage.

What the players had won and lost when a round was voided is shown too, by the rules at that moment: by round
and spot, of each of them. A void of a winning hand is no finding by itself, but it can be seen. Void rounds
are counted by dealer and hour as well; corrections and slips name neither, so they are n/a there, and by
round and spot nothing but void rounds is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from audit.queries.cache import table_days as kept_days
from audit.queries.cache.aggregates import Aggregate, aggregate, exact_number
from audit.queries.tallies import Span
from audit.queries.voids import voided
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.grouping import (
    PLAY_ALONE,
    Pits,
    as_registered,
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

TITLE = "Voids and corrections"
BY = ("property", "table", "game", "pit", "day", "month", "shift", "dealer", "hour", "round", "spot")
DEFAULT_BY = ("table",)
CHART = "returned"
NOTHING = Absent("n/a")
OF_ONE_ROUND = frozenset({"round", "spot"})
"""Groups that only void rounds are known by."""
CAGE = (0,) * 4


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group and currency that has any; a total for each currency."""
    columns = (
        *columns_of(by),
        Column("currency", "currency"),
        Column("rounds", "rounds", "count"),
        Column("void_rounds", "void", "count"),
        Column("void_per_1000", "void of 1,000", "percent"),
        Column("returned", "stakes returned", "money"),
        Column("players_won", "players had won", "money"),
        Column("players_lost", "players had lost", "money"),
        Column("corrections", "corrections", "count"),
        Column("to_players", "corrected to players", "money"),
        Column("slips_voided", "slips voided", "count"),
        Column("slips_amount", "their amount", "money"),
    )
    pits, alone = pits_for(by), bool(OF_ONE_ROUND & set(by))

    def adds(part: Span) -> Iterator[Aggregate]:
        yield from _worth(part, by, pits, alone)
        if alone:
            return
        for key, row in by_play(part, of_days(by), pits):
            yield Aggregate((*key, row.currency), (row.rounds, row.voided, row.returned, 0, 0, *CAGE))
        if not PLAY_ALONE & set(by):
            yield from _cage(part, by, pits)

    of_cage = not alone and not PLAY_ALONE & set(by)
    found = aggregate(name_of_sums("voids", by, pits), span, adds)
    row = partial(_row, of_cage=of_cage, alone=alone, counted="spot" not in by)
    return Sheet(
        TITLE,
        columns,
        [row(one) for one in found if alone or any(one.numbers[1:])],
        tuple(map(row, totals(found, by))),
    )


def _worth(span: Span, by: tuple[str, ...], pits: Pits | None, alone: bool) -> Iterator[Aggregate]:
    """Yield what each wager of the void rounds was worth, and the round itself where it is not counted by its
    play.
    """
    for key, row in as_registered(partial(voided, span), of_days(by), pits):
        worth = row.worth or Fraction(0)
        of_round = (int(row.first), int(row.first), row.refunded) if alone else (0, 0, 0)
        yield Aggregate(
            (*key, row.currency),
            (*of_round, exact_number(max(worth, Fraction(0))), exact_number(max(-worth, Fraction(0))), *CAGE),
        )


def _cage(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[Aggregate]:
    for day in kept_days.table_days(span, by_shift="shift" in by):
        if day.corrections or day.slips_voided:
            yield Aggregate(
                (*of_day(day, by, pits), day.currency),
                (0, 0, 0, 0, 0, day.corrections, day.corrected, day.slips_voided, day.voided_amount),
            )


def _row(row: Aggregate, of_cage: bool, alone: bool, counted: bool) -> Row:
    """Return a row. `alone`: void rounds and nothing else is known here. `counted`: rounds are in one group
    each.
    """
    currency = row.key[-1]
    rounds, void, returned = map(int, row.numbers[:3])
    corrections, corrected, slips, amount = map(int, row.numbers[5:])
    ratio = rounded(Fraction(1000 * void, rounds), 1) if rounds and not alone else NOTHING
    cage: tuple[object, ...] = (NOTHING,) * 4
    if of_cage:
        cage = (corrections, decimal(corrected, currency), slips, decimal(amount, currency))
    numbers = (rounds, void) if counted else (NOTHING, NOTHING)
    worth = (money(row.numbers[3], currency), money(row.numbers[4], currency))
    return (*row.key, *numbers, ratio, decimal(returned, currency), *worth, *cage)
