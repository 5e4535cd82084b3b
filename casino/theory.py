"""What a stake costs and how much its win varies, exactly, by the certificate of the game that a table dealt."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import isqrt
from typing import NamedTuple

from msgspec import json

from games import GAMES
from games.kit.chances import figures


class Price(NamedTuple):
    """Of one unit of stake: what the house keeps on average, and the variance of what it wins."""

    edge: Fraction
    variance: Fraction


IN_ANOTHER = Price(Fraction(0), Fraction(0))
"""A wager whose cost is in that of another: Teen Patti's play is in its ante."""


@cache
def price(game: str, edition: str, wager: str, pay_table: str, decks: str, readings: str, price_class: str) -> Price | None:
    """By the opening that it was bet under, all as the tally names it; None where the game, or the wager, has no certificate."""
    certificate = GAMES[game].certificate if game in GAMES else None
    if certificate is None:
        return None
    answers = json.decode(readings, type=dict[str, str])
    tables = {wager: pay_table} if pay_table else {}
    try:
        case = certificate.case_of(edition, wager, pay_tables=tables, decks=int(decks), readings=answers, price_class=price_class)
    except KeyError:
        return None
    if case is None:
        return IN_ANOTHER
    of = figures(certificate.chances(case))
    return Price(of.edge, of.variance)


def root(of: Fraction, digits: int) -> Fraction:
    """The square root to so many decimals, half up, without a float on the way."""
    scale = 10**digits
    return Fraction((isqrt(4 * scale * scale * of.numerator // of.denominator) + 1) // 2, scale)
