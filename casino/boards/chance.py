"""Exact bounds of a rate, and how often chance alone gives a number of errors.

The bounds are those of Clopper and Pearson (1934). At the lower bound, the chance of the observed number of
errors or more is half of what the confidence leaves. At the upper bound, this holds for the observed number
or fewer. They are exact for every number of trials. Sums of chances are decimals of 40 digits, and each bound
is rounded away from the rate, so a bound that is shown is never too narrow. No float is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import comb, isqrt
from typing import NamedTuple

UNITS = 100_000
"""Bounds are whole numbers of these parts, which is 0.01 in 1,000."""
CONFIDENCE = 95
"""Confidence of the bounds in percent."""
ALLOWED = Fraction(5, 100)
"""A row is marked only if the chance among all rows that were looked at is below this."""
LEAST_TRIALS = 500
"""The least number of wagers from which a row is judged. With fewer, a few errors look like a pattern."""
_EXACT = Context(prec=40, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX)
_NEGLIGIBLE = Decimal(10) ** -30


class Bounds(NamedTuple):
    """The bounds of a rate, in UNITS parts."""

    low: int
    high: int

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """Return the bounds as rates per 1,000."""
        return Fraction(self.low * 1000, UNITS), Fraction(self.high * 1000, UNITS)


@lru_cache(maxsize=20_000)
def exact_bounds(errors: int, trials: int) -> Bounds:
    """Return the exact bounds of a rate with CONFIDENCE.

    Args:
        errors: how often it happened.
        trials: how often it could have happened; at least 1 and at least `errors`.
    """
    if not 0 <= errors <= trials or trials < 1:
        raise ValueError(f"{errors} errors in {trials} trials")
    half = Decimal(100 - CONFIDENCE) / 200
    low = 0 if errors == 0 else _last(lambda part: _at_least(errors, trials, part), errors, trials, half)
    # As many errors or fewer, out of all trials, are as many successes or more.
    rest = trials - errors
    high = UNITS
    if rest:
        high = UNITS - _last(lambda part: _at_least(rest, trials, part), rest, trials, half)
    return Bounds(low, high)


class _Tail(NamedTuple):
    """The chance of a number of hits or more, and its increase with the rate."""

    chance: Decimal
    slope: Decimal


def _last(tail: Callable[[Fraction], _Tail], hits: int, trials: int, most: Decimal) -> int:
    """Return the greatest number of UNITS parts at which the chance of these hits or more is at most `most`.

    Newton's method finds the place, and the two neighbors that it ends with prove it.
    """
    low, high = 0, hits * UNITS // trials + 1
    spread = 2 * isqrt(min(hits, trials - hits) + 1)
    part = max(low + 1, min((hits - spread) * UNITS // trials, high - 1))
    while high - low > 1:
        found = tail(Fraction(part, UNITS))
        if found.chance <= most:
            low = part
        else:
            high = part
        middle = (low + high) // 2
        if found.slope > 0:
            step = int(((most - found.chance) / found.slope * UNITS).to_integral_value())
            part = part + (step or (1 if low == part else -1))
        part = part if low < part < high else middle
    return low


def _at_least(hits: int, trials: int, rate: Fraction) -> _Tail:
    """Return the chance of at least `hits` hits in all trials at a rate between 0 and 1, both exclusive.

    The smaller of both tails is added up, from its largest term.
    """
    if rate >= 1:
        return _Tail(Decimal(1), Decimal(0))
    at = _EXACT.divide(Decimal(rate.numerator), Decimal(rate.denominator))
    not_at = _EXACT.subtract(Decimal(1), at)
    exactly = _exactly(hits, trials, at, not_at)
    slope = _EXACT.divide(_EXACT.multiply(exactly, Decimal(hits)), at)
    if hits > trials * rate:
        return _Tail(_sum(_upward(exactly, hits, trials, at, not_at)), slope)
    below = _sum(_downward(_exactly(hits - 1, trials, at, not_at), hits - 1, trials, at, not_at))
    return _Tail(_EXACT.subtract(Decimal(1), below), slope)


def _exactly(hits: int, trials: int, at: Decimal, not_at: Decimal) -> Decimal:
    """Return the chance of exactly this number of hits."""
    powers = _EXACT.multiply(_EXACT.power(at, hits), _EXACT.power(not_at, trials - hits))
    return _EXACT.multiply(_ways(hits, trials), powers)


@lru_cache(maxsize=2_000)
def _ways(hits: int, trials: int) -> Decimal:
    return _EXACT.plus(Decimal(comb(trials, min(hits, trials - hits))))


def _upward(term: Decimal, hits: int, trials: int, at: Decimal, not_at: Decimal) -> Iterator[Decimal]:
    odds = _EXACT.divide(at, not_at)
    while hits <= trials:
        yield term
        factor = _EXACT.divide(_EXACT.multiply(odds, Decimal(trials - hits)), Decimal(hits + 1))
        term, hits = _EXACT.multiply(term, factor), hits + 1


def _downward(term: Decimal, hits: int, trials: int, at: Decimal, not_at: Decimal) -> Iterator[Decimal]:
    odds = _EXACT.divide(not_at, at)
    while hits >= 0:
        yield term
        factor = _EXACT.divide(_EXACT.multiply(odds, Decimal(hits)), Decimal(trials - hits + 1))
        term, hits = _EXACT.multiply(term, factor), hits - 1


def _sum(terms: Iterator[Decimal]) -> Decimal:
    """Return the sum of decreasing terms, up to a term that no longer changes a digit that is used."""
    total = Decimal(0)
    for term in terms:
        total = _EXACT.add(total, term)
        if term <= _EXACT.multiply(total, _NEGLIGIBLE):
            break
    return total


@lru_cache(maxsize=20_000)
def chance_of(errors: int, trials: int, rate: Fraction) -> Decimal:
    """Return the chance of this number of errors or more, if each trial errs at this rate."""
    if errors == 0 or rate >= 1:
        return Decimal(1)
    return _at_least(errors, trials, rate).chance if rate > 0 else Decimal(0)


def is_more_than_chance(chance: Decimal, looked_at: int) -> bool:
    """Return True if the chance that any of the rows that were looked at has so small a chance is below
    ALLOWED. The chances are added up, which is exact or more cautious, however rows depend on each other.
    """
    return chance * looked_at * ALLOWED.denominator < ALLOWED.numerator


@lru_cache(maxsize=4_000)
def likely_numbers(trials: int, rate: Fraction) -> tuple[int, int]:
    """Return the least and the greatest number of errors that chance gives in these trials with CONFIDENCE:
    fewer and more each have at most half of the chance that the confidence leaves.
    """
    half, low, high = Decimal(100 - CONFIDENCE) / 200, 0, 0
    if not trials or not rate:
        return 0, 0
    at = _EXACT.divide(Decimal(rate.numerator), Decimal(rate.denominator))
    not_at, below = _EXACT.subtract(Decimal(1), at), Decimal(0)
    if not_at <= 0:
        return trials, trials
    for number, term in enumerate(_upward(_EXACT.power(not_at, trials), 0, trials, at, not_at)):
        if below <= half:
            low = number
        below = _EXACT.add(below, term)
        high = number
        if 1 - below <= half:
            break
    return low, high


def in_words(chance: Decimal) -> str:
    """Return a chance in words for a sentence: `once in 250`, `less than once in a million`."""
    if chance * 1_000_000 < 1:
        return "less than once in a million"
    if chance * 2 > 1:
        return "more than every second time"
    return f"once in {int(1 / chance):,}"
