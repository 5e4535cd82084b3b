"""Statistical review of what the wagers won against their exact odds: z weighted by stake, from each wager's
certified edge and variance.

For wagers with stakes w, edges e and variances v: z = (win - sum of w e) / root(sum of w^2 v). The base level
is the theoretical part of the handle; the interval is 95 % around it, unless the register `thresholds`, key
`statistics`, has another `confidence`. All inputs stand in the row, exact until the last square root. Stakes
that a void gave back and later corrections are in neither side. Each wager is counted as if it fell alone;
but wagers of a round share cards and dice, and where players bet on the same z scatters more widely.
`z_least` is what is left of it however they fell together: k of them vary at most k times as much (Cauchy).
`beyond chance` is said where
even that is, and allows for as many rows as were tested (Bonferroni). A stake without a certificate is named
and in no figure. What came of a row is on record (`investigations`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from statistics import NormalDist

from audit.queries.cache.aggregates import Aggregate, aggregate, exact_number
from audit.queries.tallies import Span
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.expected_win import Bounds, bounds_of, price, root
from casino.reports.grouping import by_play, columns_of, money, name_of_sums, pits_for, rounded, totals

TITLE = "Statistical review: win against exact odds"
BY = ("property", "table", "dealer", "game", "wager", "pit", "day", "month", "shift", "hour")
DEFAULT_BY = ("table",)
CHART = "z"
ODDS = ("game", "edition", "wager", "pay_table", "decks", "readings", "price_class")
"""What the odds of a wager hang on."""
NOTHING = Absent("n/a")


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group and currency; a total for each currency."""
    bounds = bounds_of(span)
    columns = (
        *columns_of(by),
        Column("currency", "currency"),
        Column("wagers", "wagers", "count"),
        Column("handle", "handle", "money"),
        Column("win", "win", "money"),
        Column("expected", "expected win", "money"),
        Column("deviation", "standard deviation", "money"),
        Column("z", "z", "percent"),
        Column("z_least", "z, if a round falls as one", "percent"),
        Column("win_percent", "win %", "percent"),
        Column("base_percent", "base level %", "percent"),
        Column("points", "points from base", "percent"),
        Column("low_percent", f"{bounds.confidence} % from", "percent"),
        Column("high_percent", "to", "percent"),
        Column("verdict", "verdict"),
        Column("expected_exact", "expected, exact minor units"),
        Column("variance_exact", "variance, exact minor units squared"),
        Column("note", "note"),
    )
    found = sums(span, by)
    tested = sum(Fraction(row.numbers[4]) > 0 for row in found)
    far = Fraction(NormalDist().inv_cdf(1 - (1 - bounds.confidence / 100) / (2 * max(tested, 1))))
    whole = tuple(_row(row, bounds.sure, bounds) for row in totals(found, by))
    return Sheet(TITLE, columns, [_row(row, far, bounds) for row in found], whole)


def sums(span: Span, by: tuple[str, ...]) -> list[Aggregate]:
    """By `by` and currency: wagers, handle, win, expected win, variance, what was staked without known odds,
    and the variance at most.
    """
    pits = pits_for(by)

    def adds(part: Span) -> Iterator[Aggregate]:
        asked = tuple(dict.fromkeys((*by, *ODDS)))
        for values, row in by_play(part, asked, pits):
            of = dict(zip(asked, values, strict=True))
            key, handle, win = (
                (*(of[name] for name in by), row.currency),
                row.staked - row.returned,
                exact_number(row.won),
            )
            priced = price(*(of[name] for name in ODDS))
            if priced is None and handle:
                yield Aggregate(key, (0, 0, 0, 0, 0, handle, 0))
            elif priced is None:
                yield Aggregate(
                    key, (0, 0, win, 0, 0, 0, 0)
                )  # a payment without a bet of its own: it is in the odds of another wager
            else:
                least, most = (str(squares * priced.variance) for squares in (row.squared, row.together))
                yield Aggregate(key, (row.bets, handle, win, str(handle * priced.edge), least, 0, most))

    return aggregate(name_of_sums("statistics", by, pits), span, adds)


def _row(row: Aggregate, far: Fraction, bounds: Bounds) -> Row:
    currency = row.key[-1]
    wagers, handle, unknown = (int(row.numbers[place]) for place in (0, 1, 5))
    win, expected, variance, most = (Fraction(row.numbers[place]) for place in (2, 3, 4, 6))
    note = f"{money(unknown, currency)} staked without a certificate, in no figure" if unknown else ""
    known = (wagers, money(handle, currency), money(win, currency), money(expected, currency))
    exact = (str(expected), str(variance), note)
    if handle <= 0 or variance <= 0:
        return (*row.key, *known, NOTHING, *(NOTHING,) * 7, "", *exact)
    apart = abs(win - expected)
    z, least = (root(apart * apart / each, 3) for each in (variance, max(most, variance)))
    signed = [rounded(each if win >= expected else -each, 3) for each in (z, least)]
    base, part = 100 * expected / handle, 100 * win / handle
    sure = bounds.sure
    reach = 100 * sure * root(variance, 6) / handle
    verdict = (
        "beyond chance" if least > max(far, sure) else f"outside {bounds.confidence} %" if z > sure else ""
    )
    return (
        *row.key,
        *known,
        money(root(variance, 6), currency),
        *signed,
        rounded(part, 2),
        rounded(base, 2),
        rounded(part - base, 2),
        rounded(base - reach, 2),
        rounded(base + reach, 2),
        verdict,
        *exact,
    )
