"""Exact expected win and variance of a stake, from the certificate of the game that was dealt."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from functools import cache
from math import isqrt
from statistics import NormalDist
from typing import NamedTuple

from msgspec import json

from audit.models import Head
from audit.queries.span import Span
from casino.reference.registers import Threshold, threshold
from games import GAMES
from games.kit.certificate import certificate_of
from games.kit.chances import figures


class Price(NamedTuple):
    """The edge on one unit of stake (average win as a share of the stake), and the variance of the win."""

    edge: Fraction
    variance: Fraction


IN_ANOTHER = Price(Fraction(0), Fraction(0))
"""The price of a wager that is included in the price of another wager. For example, the price of the ante in
Teen Patti includes the play wager.
"""


@cache
def price(
    game: str, edition: str, wager: str, pay_table: str, decks: str, readings: str, price_class: str
) -> Price | None:
    """Return the price of a wager, or None if its game or the wager itself has no certificate. The arguments
    are columns of the tally. They say which rules were in force at the table when the wager was placed.
    """
    certificate = certificate_of(GAMES[game]) if game in GAMES else None
    if certificate is None:
        return None
    answers = json.decode(readings, type=dict[str, str])
    tables = {wager: pay_table} if pay_table else {}
    try:
        case = certificate.case_of(
            edition, wager, pay_tables=tables, decks=int(decks), readings=answers, price_class=price_class
        )
    except KeyError:
        return None
    if case is None:
        return IN_ANOTHER
    of = figures(certificate.chances(case))
    return Price(of.edge, of.variance)


POINTS, CONFIDENCE = 3, 95
"""The bounds of a property whose register has no entry for them. `POINTS`: the allowed difference from the
base level in percentage points, for a month (Kansas 112-108-51). `CONFIDENCE`: the confidence in percent.
"""
DEVIATIONS = {90: Fraction(1645, 1000), 95: Fraction(196, 100), 99: Fraction(2576, 1000)}
"""For each confidence in percent, the number of standard deviations to each side of the mean."""


class Bounds(NamedTuple):
    """How much a hold or a win may differ from its base level before it must be investigated."""

    points: int
    confidence: int

    @property
    def sure(self) -> Fraction:
        return DEVIATIONS[self.confidence]

    def sure_among(self, results: int) -> Fraction:
        """Return the number of standard deviations from the mean at which one of several results is beyond
        chance. The probability that chance alone puts any of them farther away is at most 100 % less the
        confidence, also if the results depend on each other (Bonferroni).

        Args:
            results: the number of results that are compared with chance.
        """
        allowed = (1 - self.confidence / 100) / (2 * max(results, 1))
        return max(Fraction(NormalDist().inv_cdf(1 - allowed)), self.sure)


def bounds_of(span: Span) -> Bounds:
    """Return the bounds of a property on the last day of the span. They are in the register `thresholds`, key
    `statistics`, value `{"points", "confidence"}`.

    If the span names no property and all properties have the same bounds, return those bounds. If the bounds
    of the properties differ, return the default bounds.
    """
    last = span.ends - timedelta(days=1) if span.ends is not None else None
    named = (
        [span.property]
        if span.property is not None
        else Head.objects.order_by("property").values_list("property", flat=True)
    )
    bounds = {_bounds(threshold(property, "statistics", last)) for property in named}
    return bounds.pop() if len(bounds) == 1 else _bounds(Threshold({}))


def _bounds(entry: Threshold) -> Bounds:
    points, confidence = entry.whole("points"), entry.whole("confidence")
    return Bounds(
        POINTS if points is None else points, confidence if confidence in DEVIATIONS else CONFIDENCE
    )


def root(number: Fraction, digits: int) -> Fraction:
    """Return the square root to this number of decimals, rounded half up, without using floats."""
    scale = 10**digits
    return Fraction((isqrt(4 * scale * scale * number.numerator // number.denominator) + 1) // 2, scale)


class Win(NamedTuple):
    """The actual and the expected win of some wagers, in minor units, with the range that chance allows."""

    amount: Fraction
    expected: Fraction
    variance: Fraction
    sure: Fraction

    @property
    def reach(self) -> Fraction:
        """Return how far the win may be from the expected win by chance."""
        return self.sure * root(self.variance, 0)

    @property
    def is_outside(self) -> bool:
        """Return True if the win is outside the range that chance allows."""
        return abs(self.amount - self.expected) > self.reach

    @property
    def deviations(self) -> str:
        """Return the distance from the expected win in standard deviations, or empty text if there was no
        play.
        """
        if self.variance <= 0:
            return ""
        integer, decimals = divmod(self.hundredths, 100)
        is_below = self.amount < self.expected and self.hundredths
        return f"{'-' if is_below else ''}{integer}.{decimals:02}"

    @property
    def hundredths(self) -> int:
        """Return the distance from the expected win in hundredths of a standard deviation, without its sign.
        If there was no play, return 0.
        """
        if self.variance <= 0:
            return 0
        difference, variance = self.amount - self.expected, self.variance
        square = 4 * 100**2 * difference.numerator**2 * variance.denominator
        return (isqrt(square // (difference.denominator**2 * variance.numerator)) + 1) // 2
