"""Voids and corrections: void rounds and the stakes returned, settlements corrected later, slips voided at
the cage. Rows without any of them are left out; the total counts the rounds of all.

The report also shows what the players had won and lost, by the rules, when a round was voided. If it is
grouped by round and spot, it shows these amounts for each player. To void a winning hand is not a finding by
itself, but it can be seen here. Void rounds are also counted by dealer and hour. Corrections and slips name
no dealer and no hour, so they are n/a there. If the report is grouped by round or spot, it shows only void
rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from audit.queries.cache import table_days as cached_days
from audit.queries.cache.aggregates import Aggregate, Exact, aggregate, exact_number
from audit.queries.span import Span
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
from casino.reports.limits import NO_LIMITS, Limits, rows_and_totals
from games.kit.amounts import decimal

TITLE = "Voids and corrections"
DEPARTMENT = "Surveillance and audit"
NEEDED = "Each week, to see what was voided or corrected."
BY = ("property", "table", "game", "pit", "day", "month", "shift", "dealer", "hour", "round", "spot")
DEFAULT_BY = ("table",)
CHART = "returned"
NOTHING = Absent("n/a")
OF_ONE_ROUND = frozenset({"round", "spot"})
"""Groupings by which the report can show only void rounds, and no corrections or voided slips."""


class VoidFigures(NamedTuple):
    """The figures of a row, with amounts in minor units. `rounds`: the number of all rounds. `returned`: the
    stakes returned by void rounds. `players_won` and `players_lost`: what players had won and lost when the
    rounds were voided. `corrections` and `slips_voided` are numbers; `corrected` and `slips_amount` are their
    amounts.
    """

    rounds: int = 0
    void_rounds: int = 0
    returned: int = 0
    players_won: Exact = 0
    players_lost: Exact = 0
    corrections: int = 0
    corrected: int = 0
    slips_voided: int = 0
    slips_amount: int = 0


VoidRow = Aggregate[VoidFigures]


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each group and currency with a void or correction, and a total for each currency."""
    return limited_by(span, by, NO_LIMITS)


def limited_by(span: Span, by: tuple[str, ...], limits: Limits) -> Sheet:
    """Return the report limited to some values. Rows by dealer, hour, round or spot contain fewer figures, so
    their totals are the sums of these rows.
    """
    columns = (
        *columns_of(by),
        Column("currency", "currency"),
        Column("rounds", "rounds", "count"),
        Column("void_rounds", "void", "count"),
        Column("void_per_1000", "void per 1,000 rounds", "percent"),
        Column("returned", "stakes returned", "money"),
        Column("players_won", "players' wins voided", "money"),
        Column("players_lost", "players' losses voided", "money"),
        Column("corrections", "corrections", "count"),
        Column("to_players", "corrected to players", "money"),
        Column("slips_voided", "slips voided", "count"),
        Column("slips_amount", "amount of voided slips", "money"),
    )
    rows, is_void_only = sums(span, by), bool(OF_ONE_ROUND & set(by))
    if limits:
        as_rows = bool((PLAY_ALONE | OF_ONE_ROUND) & set(by))
        rows, total_rows = rows_and_totals(rows, by, limits, lambda names: sums(span, names), as_rows=as_rows)
    else:
        total_rows = totals(rows, by)
    return Sheet(
        TITLE,
        columns,
        [_row(row, by) for row in rows if is_void_only or any(row.figures._replace(rounds=0))],
        tuple(_row(row, by) for row in total_rows),
        has_absent=True,
    )


def sums(span: Span, by: tuple[str, ...]) -> list[VoidRow]:
    """Return the figures by grouping and currency."""
    pits, is_void_only = pits_for(by), bool(OF_ONE_ROUND & set(by))

    def read_rows(part: Span) -> Iterator[VoidRow]:
        yield from _worth(part, by, pits, is_void_only)
        if is_void_only:
            return
        for key, row in by_play(part, of_days(by), pits):
            figures = VoidFigures(rounds=row.rounds, void_rounds=row.voided, returned=row.returned)
            yield Aggregate((*key, row.currency), figures)
        if not PLAY_ALONE & set(by):
            yield from _cage(part, by, pits)

    return aggregate(name_of_sums("voids", by, pits), span, read_rows, VoidFigures)


def _worth(span: Span, by: tuple[str, ...], pits: Pits | None, is_void_only: bool) -> Iterator[VoidRow]:
    """Yield what each wager of the void rounds had won or lost. If the report is grouped by round or spot
    (`is_void_only`), it does not read the rows of play, so these rows also count the rounds and the stakes
    returned.
    """
    for key, row in as_registered(partial(voided, span), of_days(by), pits):
        worth, first = row.worth or Fraction(0), int(row.first)
        figures = VoidFigures(
            players_won=exact_number(max(worth, Fraction(0))),
            players_lost=exact_number(max(-worth, Fraction(0))),
        )
        if is_void_only:
            figures = figures._replace(rounds=first, void_rounds=first, returned=row.refunded)
        yield Aggregate((*key, row.currency), figures)


def _cage(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[VoidRow]:
    for day in cached_days.table_days(span, by_shift="shift" in by):
        if day.corrections or day.slips_voided:
            figures = VoidFigures(
                corrections=day.corrections,
                corrected=day.corrected,
                slips_voided=day.slips_voided,
                slips_amount=day.voided_amount,
            )
            yield Aggregate((*of_day(day, by, pits), day.currency), figures)


def _row(row: VoidRow, by: tuple[str, ...]) -> Row:
    """Return a row of the sheet. By round or spot, only void rounds are known. By dealer or hour, corrections
    and voided slips are not known. By spot, a round can be in several rows, so rounds are not counted.
    """
    is_void_only = bool(OF_ONE_ROUND & set(by))
    of_cage = not is_void_only and not PLAY_ALONE & set(by)
    currency, figures = row.key[-1], row.figures
    rounds, void = figures.rounds, figures.void_rounds
    ratio = rounded(Fraction(1000 * void, rounds), 1) if rounds and not is_void_only else NOTHING
    cage: tuple[object, ...] = (NOTHING,) * 4
    if of_cage:
        cage = (
            figures.corrections,
            decimal(figures.corrected, currency),
            figures.slips_voided,
            decimal(figures.slips_amount, currency),
        )
    numbers = (rounds, void) if "spot" not in by else (NOTHING, NOTHING)
    worth = (money(figures.players_won, currency), money(figures.players_lost, currency))
    return (*row.key, *numbers, ratio, decimal(figures.returned, currency), *worth, *cage)
