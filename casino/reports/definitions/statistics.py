"""Statistical review: what the wagers won, compared with their exact odds. The result is z, which is weighted
by stake and computed from each wager's certified edge and variance.

For wagers with stakes w, edges e and variances v: z = (win - sum of w e) / root(sum of w^2 v). The base level
is the theoretical win as a share of the handle. The interval around it is 95 %, unless the register
`thresholds`, key `statistics`, has another `confidence`. All inputs are in the row and exact until the last
square root. Stakes returned by a void, and later corrections, are left out of both win and handle.

z treats wagers as independent. But wagers of a round share cards and dice, and if players bet on the same
outcome, z varies more. `z_least` is the part of z that remains under any dependence: the variance of k wagers
is at most k times as large (Cauchy). The verdict is `beyond chance` only if even `z_least` is outside the
bounds, adjusted for the number of rows tested (Bonferroni). Stakes without a certificate are given in a note
and are in none of the other columns. Results of investigations are in `investigations`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from audit.queries.cache.aggregates import Aggregate, Exact, aggregate, exact_number, exact_ratio
from audit.queries.play import Played
from audit.queries.span import Span
from casino.reports.columns import Absent, Column, ExpectedRange, Row, Rows, Sheet
from casino.reports.expected_win import Bounds, Price, Win, bounds_of, price, root
from casino.reports.grouping import Pits, by_play, columns_of, money, name_of_sums, pits_for, rounded, totals

TITLE = "Statistical review: win against exact odds"
DEPARTMENT = "Surveillance and audit"
NEEDED = "Each month, to see which results chance does not explain."
BY = ("property", "table", "dealer", "game", "wager", "pit", "day", "month", "shift", "hour")
DEFAULT_BY = ("table",)
CHART = "z"
ODDS = ("game", "edition", "wager", "pay_table", "decks", "readings", "price_class")
"""The dimensions that determine a wager's odds."""
NOTHING = Absent("n/a")
LIVE_DEALER = "live-dealer"


class ReviewFigures(NamedTuple):
    """The figures that are tested. The handle, win, expected win and variance are those of the wagers with
    known odds, but `wagers` is the number of all wagers.

    `unpriced` is the amount staked on wagers without a certificate. `most_variance` is the variance if all
    wagers of a round won or lost together.
    """

    wagers: int = 0
    handle: int = 0
    win: Exact = 0
    expected: Exact = 0
    variance: Exact = 0
    unpriced: int = 0
    most_variance: Exact = 0


ReviewRow = Aggregate[ReviewFigures]


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each group and currency, and a total for each currency."""
    bounds = bounds_of(span)
    columns = (
        *columns_of(by),
        Column("currency", "currency"),
        Column("wagers", "wagers", "count"),
        Column("handle", "handle", "money"),
        Column("win", "win", "money"),
        Column("expected", "expected win", "money"),
        Column("deviation", "standard deviation", "percent"),
        Column("z", "z", "percent"),
        Column("z_least", "z, if wagers of a round depend on each other", "percent"),
        Column("win_percent", "win %", "percent"),
        Column("base_percent", "base level %", "percent"),
        Column("points", "points from base", "percent"),
        Column("low_percent", f"{bounds.confidence} % interval from", "percent"),
        Column("high_percent", "interval to", "percent"),
        Column("verdict", "verdict"),
        Column("expected_exact", "expected, exact minor units"),
        Column("variance_exact", "variance, exact minor units squared"),
        Column("note", "note"),
    )
    rows = sums(span, by)
    tested = sum(Fraction(row.figures.variance) > 0 for row in rows)
    far = bounds.sure_among(tested)
    total_rows = tuple(_row(row, bounds.sure, bounds) for row in totals(rows, by))
    by_chance = ExpectedRange(
        -bounds.sure,
        bounds.sure,
        f"chance alone keeps {bounds.confidence} % of independent results in the band around the dashed line",
        bounds.confidence,
    )
    return Sheet(
        TITLE,
        columns,
        Rows(rows, lambda row: _row(row, far, bounds)),
        total_rows,
        has_absent=True,
        expected=by_chance,
    )


def sums(span: Span, by: tuple[str, ...]) -> list[ReviewRow]:
    """Return the figures to be tested, by grouping and currency."""
    pits = pits_for(by)

    def read_rows(part: Span) -> Iterator[ReviewRow]:
        return read(part, by, pits)

    return aggregate(name_of_sums("statistics", by, pits), span, read_rows, ReviewFigures)


def read(span: Span, by: tuple[str, ...], pits: Pits | None = None) -> Iterator[ReviewRow]:
    """Yield the figures by grouping and currency from the tally. Several rows may have the same key."""
    for values, row, figures in _reviewed(span, by, pits):
        yield Aggregate((*values, row.currency), figures)


def read_by_kind(span: Span, by: tuple[str, ...], pits: Pits | None = None) -> Iterator[ReviewRow]:
    """Yield the figures by grouping, kind of table and currency. The kind is LIVE_DEALER, or empty text for
    felt tables. Several rows may have the same key.
    """
    for values, row, figures in _reviewed(span, by, pits):
        yield Aggregate((*values, LIVE_DEALER if row.live_dealer else "", row.currency), figures)


def _reviewed(
    span: Span, by: tuple[str, ...], pits: Pits | None
) -> Iterator[tuple[tuple[str, ...], Played, ReviewFigures]]:
    """Yield (values of the grouping, row of play, its figures) from the tally."""
    dimensions = tuple(dict.fromkeys((*by, *ODDS)))
    for values, row in by_play(span, dimensions, pits):
        value_of = dict(zip(dimensions, values, strict=True))
        priced = price(*(value_of[name] for name in ODDS))
        yield tuple(value_of[name] for name in by), row, _play_figures(row, priced)


def _play_figures(row: Played, priced: Price | None) -> ReviewFigures:
    """Return the figures of one row of play. If it is a payment without a bet of its own, such as a bonus,
    only its win is added: the odds of the wager that earned it already include the payment.
    """
    handle, win = row.staked - row.returned, exact_number(row.won)
    if priced is None:
        return ReviewFigures(unpriced=handle) if handle else ReviewFigures(win=win)
    return ReviewFigures(
        wagers=row.bets,
        handle=handle,
        win=win,
        expected=_product(handle, priced.edge),
        variance=_product(row.squared, priced.variance),
        most_variance=_product(row.together, priced.variance),
    )


def _product(amount: int, factor: Fraction) -> Exact:
    return exact_ratio(amount * factor.numerator, factor.denominator)


def win_of(figures: ReviewFigures, sure: Fraction) -> Win:
    """Return the actual win and the expected win in these figures, with the range that chance allows."""
    return Win(Fraction(figures.win), Fraction(figures.expected), Fraction(figures.variance), sure)


def judge_win(win: Fraction | None, played: ReviewFigures, sure: Fraction) -> tuple[Win | None, str]:
    """Return a counted win with the win expected from the play, and the range around it. If the win cannot be
    judged, return None and the reason, which is empty if the win is not known.

    Args:
        win: the win in minor units, or None if it is not known.
        played: the play that it comes from.
        sure: the number of standard deviations from the expected win to each end of the range.
    """
    if win is None:
        return None, ""
    if reason := why_not_judged(played):
        return None, reason
    return win_of(played, sure)._replace(amount=win), ""


def why_not_judged(played: ReviewFigures) -> str:
    """Return why a win cannot be compared with its play, or empty text if it can."""
    if played.unpriced:
        return "stakes without exact odds"
    return "" if played.variance else "no play"


def _row(row: ReviewRow, far: Fraction, bounds: Bounds) -> Row:
    currency, figures = row.key[-1], row.figures
    wagers, handle, unknown = figures.wagers, figures.handle, figures.unpriced
    win, expected = Fraction(figures.win), Fraction(figures.expected)
    variance, most_variance = Fraction(figures.variance), Fraction(figures.most_variance)
    note = f"{money(unknown, currency)} staked without a certificate, not included" if unknown else ""
    known = (wagers, money(handle, currency), money(win, currency), money(expected, currency))
    exact = (str(expected), str(variance), note)
    if handle <= 0 or variance <= 0:
        return (*row.key, *known, NOTHING, *(NOTHING,) * 7, "", *exact)
    distance = abs(win - expected)
    z, z_least = (
        root(distance * distance / deviation, 3) for deviation in (variance, max(most_variance, variance))
    )
    signed = [rounded(value if win >= expected else -value, 3) for value in (z, z_least)]
    base, part = 100 * expected / handle, 100 * win / handle
    sure = bounds.sure
    reach = 100 * sure * root(variance, 6) / handle
    verdict = "beyond chance" if z_least > far else f"outside {bounds.confidence} %" if z > sure else ""
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
