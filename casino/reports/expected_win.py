"""What a stake costs and how much its win varies, exactly, by the certificate of the game that a table dealt."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from functools import cache
from math import isqrt
from typing import NamedTuple

from msgspec import json

from audit.models import Head
from audit.queries.span import Span
from casino.reference.registers import Threshold, threshold
from games import GAMES
from games.kit.certificate import certificate_of
from games.kit.chances import figures


class Price(NamedTuple):
    """Of one unit of stake: what the house keeps on average, and the variance of what it wins."""

    edge: Fraction
    variance: Fraction


IN_ANOTHER = Price(Fraction(0), Fraction(0))
"""A wager whose cost is in that of another: Teen Patti's play is in its ante."""


@cache
def price(
    game: str, edition: str, wager: str, pay_table: str, decks: str, readings: str, price_class: str
) -> Price | None:
    """By the opening that it was bet under, all as the tally names it; None where the game, or the wager, has
    no certificate.
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
"""What is to be investigated where the property does not say: percentage points from base for a month (Kansas
112-108-51), percent.
"""
DEVIATIONS = {90: Fraction(1645, 1000), 95: Fraction(196, 100), 99: Fraction(2576, 1000)}
"""Standard deviations to each side that hold so many of 100."""


class Bounds(NamedTuple):
    """What a hold or a win may differ by before somebody looks into it."""

    points: int
    confidence: int

    @property
    def sure(self) -> Fraction:
        return DEVIATIONS[self.confidence]


def bounds_of(span: Span) -> Bounds:
    """By the register `thresholds`, key `statistics`, of the span's property on its last day: `{"points",
    "confidence"}`.

    Where none is named, those of all properties, if they are the same; else what holds where no property
    says.
    """
    last = span.ends - timedelta(days=1) if span.ends is not None else None
    named = (
        [span.property]
        if span.property is not None
        else Head.objects.order_by("property").values_list("property", flat=True)
    )
    found = {_bounds(threshold(property, "statistics", last)) for property in named}
    return found.pop() if len(found) == 1 else _bounds(Threshold({}))


def _bounds(entry: Threshold) -> Bounds:
    points, confidence = entry.whole("points"), entry.whole("confidence")
    return Bounds(
        POINTS if points is None else points, confidence if confidence in DEVIATIONS else CONFIDENCE
    )


def root(of: Fraction, digits: int) -> Fraction:
    """The square root to so many decimals, half up, without a float on the way."""
    scale = 10**digits
    return Fraction((isqrt(4 * scale * scale * of.numerator // of.denominator) + 1) // 2, scale)
