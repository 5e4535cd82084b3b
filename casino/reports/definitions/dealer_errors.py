"""Dealer errors: the findings of money in play. For each dealer or other group, the report shows how many
errors there are, how often they occur in 1,000 wagers, what they cost, and who bore the cost.

Errors are compared with the number of wagers, because two errors in a hundred wagers are worse than three in
ten thousand. `to_players` is what players received beyond what was owed, and `to_house` is what they received
too little. The tally contains both amounts exactly. Fractions of a minor unit are rounded only in this
report. Errors that were corrected later are included; the corrections are in `voids`.

A row is `more than chance` as on the board of dealers: the probability that chance alone marks any row is
below 5 %. A row with fewer than 500 wagers is not judged and has no bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from audit.queries.cache.aggregates import Aggregate, Exact, aggregate
from audit.queries.cache.play_errors import exposed
from audit.queries.play import Exposed
from audit.queries.span import Span
from audit.replay.checks import CODES as OF_CHECKS
from casino.reports.columns import Absent, Column, Row, RowChance, RowChances, Rows, Sheet
from casino.reports.error_chance import (
    ALLOWED,
    CONFIDENCE,
    LEAST_TRIALS,
    exact_bounds,
    judge_errors,
    most_by_chance,
)
from casino.reports.grouping import as_registered, columns_of, money, name_of_sums, pits_for, rounded, totals
from casino.reports.verdict_words import NOT_COMPARED, TOO_FEW
from games.kit.codes import GRADE

TITLE = "Dealer errors"
DEPARTMENT = "Table games"
NEEDED = "Each week, to see who needs training and what errors cost."
BY = ("property", "dealer", "table", "game", "pit", "day", "month", "shift", "hour", "wager")
DEFAULT_BY = ("dealer",)
CHART = "per_1000"
LEADS = ("verdict", "per_1000", "errors", "wagers", "net_to_players")
"""The columns that the page of the report shows first, after those of the grouping."""
MORE_THAN_CHANCE = "more than chance"
ABSENT = Absent("n/a")
JUDGED = (
    f"A row is marked only if the probability that chance alone marks any row is below {ALLOWED * 100} %."
    f" A row with fewer than {LEAST_TRIALS} wagers is not judged."
)
CHART_WORDS = (
    "dashed: the rate of all rows of the currency together; band: what chance allows among all judged rows"
    f" of the currency ({100 - int(ALLOWED * 100)} %)"
)
CODES = (
    *(code for code, grade in GRADE.items() if grade == "money" and code not in OF_CHECKS),
    "no-such-bet",
)
"""Codes of dealer errors that move money, including chips that were moved without a bet. Errors at the cage
and in the count room are not included; internal-control checks find those.
"""


class ErrorFigures(NamedTuple):
    """The number of rounds, of wagers and of dealer errors, and what players gained and lost by the errors,
    in minor units.
    """

    rounds: int
    wagers: int
    errors: int
    gained: Exact
    lost: Exact


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each group and currency that had any wager, and a total for each currency."""
    columns = (
        *columns_of(by),
        Column("currency", "currency"),
        Column("rounds", "rounds", "count"),
        Column("wagers", "wagers", "count"),
        Column("errors", "errors", "count"),
        Column("per_1000", "errors per 1,000 wagers", "percent"),
        Column("low_per_1000", f"{CONFIDENCE} % bounds from", "percent"),
        Column("high_per_1000", "bounds to", "percent"),
        Column("verdict", "verdict"),
        Column("to_players", "in the players' favor", "money"),
        Column("to_house", "in the casino's favor", "money"),
        Column("net_to_players", "net to players", "money"),
        Column("per_1000_money", "wrong amounts per 1,000 wagers", "percent"),
    )
    pits = pits_for(by)

    def read_rows(part: Span) -> Iterator[Aggregate[ErrorFigures]]:
        for key, row in as_registered(partial(_exposed, part), by, pits):
            figures = ErrorFigures(row.rounds, row.bets, row.number, row.gained, row.lost)
            yield Aggregate((*key, row.currency), figures)

    every = aggregate(name_of_sums("dealer-errors", by, pits), span, read_rows, ErrorFigures)
    rows = [row for row in every if row.figures.wagers or row.figures.errors]
    total_rows = totals(rows, by)
    rates = {row.key[-1]: _rate(row.figures) for row in total_rows}
    looked_at = Counter(row.key[-1] for row in rows if row.figures.wagers >= LEAST_TRIALS)
    figures_of = {row.key: row.figures for row in rows}

    def judge(cells: Row) -> RowChance:
        key = tuple(map(str, cells[: len(by) + 1]))
        return compare(figures_of[key], rates[key[-1]], looked_at[key[-1]])

    return Sheet(
        TITLE,
        columns,
        Rows(rows, lambda row: judged_row(row, rates[row.key[-1]], looked_at[row.key[-1]])),
        tuple(_row(row, NOT_COMPARED) for row in total_rows),
        has_absent=True,
        leads=(*by, "currency", *LEADS),
        notes=(JUDGED,),
        chances=lambda: RowChances(judge, CHART_WORDS, looked_at.total(), 100 - int(ALLOWED * 100)),
    )


def _exposed(span: Span, by: tuple[str, ...]) -> Iterator[Exposed]:
    return exposed(span, by, CODES)


def _rate(figures: ErrorFigures) -> Fraction:
    """Return the number of errors per wager."""
    return Fraction(figures.errors, figures.wagers) if figures.wagers else Fraction(0)


def compare(figures: ErrorFigures, rate: Fraction, looked_at: int) -> RowChance:
    """Return how the errors per 1,000 wagers of a row compare with those of all rows. The arguments are those
    of `judged_row`.
    """
    verdict = judge_errors(figures.errors, figures.wagers, rate, looked_at)
    if not verdict.is_judged:
        return RowChance(reason=TOO_FEW)
    expected, high = (
        1000 * rate,
        Fraction(1000 * most_by_chance(figures.wagers, rate, looked_at), figures.wagers),
    )
    tip = f"expected {rounded(expected, 2)}, by chance up to {rounded(high, 2)}"
    return RowChance(expected, (Fraction(0), high), verdict.is_marked, tip=(tip,))


def judged_row(row: Aggregate[ErrorFigures], rate: Fraction, looked_at: int) -> Row:
    """Return a row with its bounds and its verdict.

    Args:
        rate: the errors per wager in all rows of the currency together.
        looked_at: the number of rows of the currency that are judged.
    """
    errors, wagers = row.figures.errors, row.figures.wagers
    verdict = judge_errors(errors, wagers, rate, looked_at)
    if not verdict.is_judged:
        return _row(row, TOO_FEW)
    low, high = exact_bounds(min(errors, wagers), wagers).rates
    return _row(row, MORE_THAN_CHANCE if verdict.is_marked else "", (rounded(low, 2), rounded(high, 2)))


def _row(row: Aggregate[ErrorFigures], verdict: str, bounds: tuple[str, str] = (ABSENT, ABSENT)) -> Row:
    currency = row.key[-1]
    rounds, wagers, errors = row.figures.rounds, row.figures.wagers, row.figures.errors
    gained, lost = Fraction(row.figures.gained), Fraction(row.figures.lost)
    return (
        *row.key,
        rounds,
        wagers,
        errors,
        rounded(1000 * _rate(row.figures), 2) if wagers else ABSENT,
        *bounds,
        verdict,
        money(gained, currency),
        money(lost, currency),
        money(gained - lost, currency),
        money((gained + lost) * 1000 / wagers, currency) if wagers else ABSENT,
    )
