"""Dealer errors: findings of money in play, by dealer: how many, how often in 1,000 wagers, what they cost
and whom.

Exposure is the denominator: two errors in a hundred wagers are worse than three in ten thousand. `to_players`
is what players had beyond what was owed, `to_house` what they were short of it, each exact; a fraction of a
minor unit is rounded only here. Errors that were corrected later are in it: the correction is another act
(`voids`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from audit.queries.cache.aggregates import Aggregate, aggregate
from audit.queries.play import Exposed, exposed
from audit.queries.tallies import Span
from audit.replay.checks import CODES as OF_CHECKS
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.grouping import as_registered, columns_of, money, name_of_sums, pits_for, rounded, totals
from games.kit.codes import GRADE

TITLE = "Dealer errors"
BY = ("property", "dealer", "table", "game", "pit", "day", "month", "shift", "hour", "wager")
DEFAULT_BY = ("dealer",)
CHART = "per_1000"
CODES = (
    *(code for code, grade in GRADE.items() if grade == "money" and code not in OF_CHECKS),
    "no-such-bet",
)
"""What a dealer can do wrong with money, chips moved where no bet lay among it; what cage and count room do
wrong, which the checks of the controls find, is none of his.
"""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group and currency that had any wager; a total for each currency."""
    columns = (
        *columns_of(by),
        Column("currency", "currency"),
        Column("rounds", "rounds", "count"),
        Column("wagers", "wagers", "count"),
        Column("errors", "errors", "count"),
        Column("per_1000", "errors of 1,000", "percent"),
        Column("to_players", "in the players' favour", "money"),
        Column("to_house", "in the house's favour", "money"),
        Column("net_to_players", "net to players", "money"),
        Column("per_1000_money", "money of 1,000", "money"),
    )
    pits = pits_for(by)

    def adds(part: Span) -> Iterator[Aggregate]:
        for key, row in as_registered(partial(_exposed, part), by, pits):
            yield Aggregate((*key, row.currency), (row.rounds, row.bets, row.number, row.gained, row.lost))

    found = aggregate(name_of_sums("dealer-errors", by, pits), span, adds)
    return Sheet(
        TITLE,
        columns,
        [_row(row) for row in found if row.numbers[1] or row.numbers[2]],
        tuple(map(_row, totals(found, by))),
    )


def _exposed(span: Span, by: tuple[str, ...]) -> Iterator[Exposed]:
    return exposed(span, by, CODES)


def _row(row: Aggregate) -> Row:
    currency = row.key[-1]
    rounds, wagers, errors = map(int, row.numbers[:3])
    gained, lost = Fraction(row.numbers[3]), Fraction(row.numbers[4])
    nothing = Absent("n/a")
    return (
        *row.key,
        rounds,
        wagers,
        errors,
        rounded(Fraction(1000 * errors, wagers), 2) if wagers else nothing,
        money(gained, currency),
        money(lost, currency),
        money(gained - lost, currency),
        money((gained + lost) * 1000 / wagers, currency) if wagers else nothing,
    )
