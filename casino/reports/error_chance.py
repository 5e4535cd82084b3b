"""Compute exact bounds of a rate, and the probability that chance alone gives a number of errors.

The bounds are those of Clopper and Pearson (1934). At the lower bound, the probability of the observed number
of errors or more is (1 - confidence) / 2. At the upper bound, this is the probability of the observed number
or fewer. The bounds are exact for every number of trials. Probabilities are added up as decimals of 40
digits. Each bound is rounded away from the rate, so that the displayed range is never too narrow. No float is
used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import comb, isqrt
from typing import NamedTuple

UNITS = 100_000
"""Bounds are integers in units of 1/UNITS, which is 0.01 in 1,000."""
CONFIDENCE = 95
"""Confidence of the bounds in percent."""
ALLOWED = Fraction(5, 100)
"""Maximum probability that chance alone marks any of the compared rows."""
LEAST_TRIALS = 500
"""Minimum number of wagers for which a row is judged. With fewer wagers, a few errors look like a pattern."""
CERTAIN = Decimal(1)
"""The probability of what always happens."""
_EXACT = Context(prec=40, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX)
_NEGLIGIBLE = Decimal(10) ** -30
_LARGE = 400
_WIDE = Context(prec=65, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX)
"""The precision of logarithms of factorials, which have up to ten digits before the decimal point."""
_PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
_BERNOULLI = (
    *((1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510), (43867, 798)),
    *((-174611, 330), (854513, 138), (-236364091, 2730), (8553103, 6), (-23749461029, 870)),
    (8615841276005, 14322),
)
"""The Bernoulli numbers with the even indexes 2 to 30."""


class Bounds(NamedTuple):
    """The bounds of a rate, in units of 1/UNITS."""

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
        errors: the number of errors.
        trials: the number of trials with and without an error; at least 1 and at least `errors`.
    """
    if not 0 <= errors <= trials or trials < 1:
        raise ValueError(
            f"{errors} errors in {trials} trials: at least one trial, and at most as many errors"
        )
    half = Decimal(100 - CONFIDENCE) / 200
    low = (
        0
        if errors == 0
        else _largest_rate(lambda part: _at_least(errors, trials, part), errors, trials, half)
    )
    # At most `errors` errors in all trials means at least `trials - errors` trials without an error.
    successes = trials - errors
    high = UNITS
    if successes:
        high = UNITS - _largest_rate(lambda part: _at_least(successes, trials, part), successes, trials, half)
    return Bounds(low, high)


class _Tail(NamedTuple):
    """The probability that at least a given number of hits occurs, and the derivative of this probability
    with respect to the rate.
    """

    chance: Decimal
    slope: Decimal


def _largest_rate(tail: Callable[[Fraction], _Tail], hits: int, trials: int, limit: Decimal) -> int:
    """Return the largest rate, in units of 1/UNITS, at which the probability of at least `hits` hits does not
    exceed `limit`. Newton's method narrows the range until two neighboring rates remain, one on each side of
    the limit.
    """
    low, high = 0, hits * UNITS // trials + 1
    spread = 2 * isqrt(min(hits, trials - hits) + 1)
    part = max(low + 1, min((hits - spread) * UNITS // trials, high - 1))
    while high - low > 1:
        probability = tail(Fraction(part, UNITS))
        if probability.chance <= limit:
            low = part
        else:
            high = part
        middle = (low + high) // 2
        if probability.slope > 0:
            step = int(((limit - probability.chance) / probability.slope * UNITS).to_integral_value())
            part = part + (step or (1 if low == part else -1))
        part = part if low < part < high else middle
    return low


def _at_least(hits: int, trials: int, rate: Fraction) -> _Tail:
    """Return the probability of at least `hits` hits in all trials, and its derivative. The rate must be
    above 0. Only the smaller tail of the distribution is added up, starting with its largest term.
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
    """Return the probability of exactly this number of hits. `at` is the probability of a hit in one trial,
    and `not_at` is 1 - `at`.
    """
    powers = _EXACT.multiply(_EXACT.power(at, hits), _EXACT.power(not_at, trials - hits))
    return _EXACT.multiply(_ways(hits, trials), powers)


@lru_cache(maxsize=2_000)
def _ways(hits: int, trials: int) -> Decimal:
    """Return the number of ways to choose this number of hits from the trials. A large number is computed
    from logarithms of factorials, because the exact integer has hundreds of thousands of digits.
    """
    minority = min(hits, trials - hits)
    if minority < _LARGE:
        return _EXACT.plus(Decimal(comb(trials, minority)))
    with localcontext(_WIDE):
        return _EXACT.plus(
            (_log_factorial(trials) - _log_factorial(minority) - _log_factorial(trials - minority)).exp()
        )


@lru_cache(maxsize=2_000)
def _log_factorial(number: int) -> Decimal:
    """Return the logarithm of the factorial of `number` by Stirling's series. The number must be at least
    _LARGE. The first omitted term is below 10^-70.
    """
    with localcontext(_WIDE):
        n = Decimal(number)
        series = sum(
            (
                Decimal(up) / (down * 2 * place * (2 * place - 1) * n ** (2 * place - 1))
                for place, (up, down) in enumerate(_BERNOULLI, 1)
            ),
            Decimal(0),
        )
        return n * n.ln() - n + (2 * _PI * n).ln() / 2 + series


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
    """Return the sum of decreasing terms. Stop at a term that is too small to change the digits that are
    used.
    """
    total = Decimal(0)
    for term in terms:
        total = _EXACT.add(total, term)
        if term <= _EXACT.multiply(total, _NEGLIGIBLE):
            break
    return total


def chance_of(errors: int, trials: int, rate: Fraction) -> Decimal:
    """Return the probability of at least this number of errors, if each trial has an error with this rate."""
    if errors == 0 or rate.numerator >= rate.denominator:
        return CERTAIN
    if rate.numerator <= 0:
        return Decimal(0)
    return _chance_of(errors, trials, rate.numerator, rate.denominator)


@lru_cache(maxsize=20_000)
def _chance_of(errors: int, trials: int, numerator: int, denominator: int) -> Decimal:
    """Return the probability of at least this number of errors, at a rate between 0 and 1. The rate is given
    as two integers, because a lookup in the cache by a `Fraction` would take longer than all other work for a
    row.
    """
    return _at_least(errors, trials, Fraction(numerator, denominator)).chance


class ErrorVerdict(NamedTuple):
    """What chance says about the errors of one dealer, table or other group.

    Attributes:
        chance: the probability of at least this number of errors by chance.
    """

    chance: Decimal
    is_judged: bool
    is_marked: bool


def judge_errors(errors: int, wagers: int, rate: Fraction, looked_at: int) -> ErrorVerdict:
    """Return what chance says about a number of errors. With too few wagers, it is not judged.

    Args:
        rate: the errors per wager in all groups together.
        looked_at: the number of groups with enough wagers to be judged.
    """
    if wagers < LEAST_TRIALS:
        return ErrorVerdict(CERTAIN, is_judged=False, is_marked=False)
    chance = chance_of(min(errors, wagers), wagers, rate)
    return ErrorVerdict(chance, is_judged=True, is_marked=is_more_than_chance(chance, looked_at))


def is_more_than_chance(chance: Decimal, looked_at: int) -> bool:
    """Return True if chance alone hardly explains a number of errors. `chance` is the probability that chance
    gives this number or more, and `looked_at` is the number of rows that are compared. Their product must be
    below ALLOWED. This is cautious enough even if rows depend on each other.
    """
    return chance * looked_at * ALLOWED.denominator < ALLOWED.numerator


@lru_cache(maxsize=4_000)
def most_by_chance(trials: int, rate: Fraction, looked_at: int) -> int:
    """Return the largest number of errors in these trials that is not more than chance.

    Args:
        rate: the errors per trial that are expected.
        looked_at: the number of rows that are compared, as in `is_more_than_chance`.
    """
    if rate <= 0 or rate >= 1:
        return trials if rate >= 1 else 0
    number = int(trials * rate)
    chance = chance_of(number, trials, rate)
    at = _EXACT.divide(Decimal(rate.numerator), Decimal(rate.denominator))
    not_at = _EXACT.subtract(Decimal(1), at)
    for exactly in _upward(_exactly(number, trials, at, not_at), number, trials, at, not_at):
        chance = _EXACT.subtract(chance, exactly)
        if is_more_than_chance(chance, looked_at):
            break
        number += 1
    return min(number, trials)


@lru_cache(maxsize=4_000)
def likely_numbers(trials: int, rate: Fraction) -> tuple[int, int]:
    """Return the smallest and the largest number of errors that are likely in these trials at this rate.

    The probability of fewer errors than the smallest number is at most (1 - CONFIDENCE) / 2. So is the
    probability of more errors than the largest number.
    """
    half, low, high = Decimal(100 - CONFIDENCE) / 200, 0, 0
    if not trials or not rate:
        return 0, 0
    at = _EXACT.divide(Decimal(rate.numerator), Decimal(rate.denominator))
    not_at = _EXACT.subtract(Decimal(1), at)
    if not_at <= 0:
        return trials, trials
    start, below = _far_below(trials, rate, at, not_at, half)
    terms = _upward(_exactly(start, trials, at, not_at), start, trials, at, not_at)
    for number, term in enumerate(terms, start):
        if below <= half:
            low = number
        below = _EXACT.add(below, term)
        high = number
        if 1 - below <= half:
            break
    return low, high


def _far_below(
    trials: int, rate: Fraction, at: Decimal, not_at: Decimal, half: Decimal
) -> tuple[int, Decimal]:
    """Return the number of errors from which `likely_numbers` begins to count, and the probability of fewer
    errors. The number is far below the expected one, so that the probability is at most `half`.
    """
    expected = int(trials * rate)
    start = max(0, expected - 3 * isqrt(expected) - 1)
    if start:
        below = _sum(_downward(_exactly(start - 1, trials, at, not_at), start - 1, trials, at, not_at))
        if below <= half:
            return start, below
    return 0, Decimal(0)


def in_words(chance: Decimal) -> str:
    """Return a probability in words for a sentence: `once in 250`, `less than once in a million`."""
    if chance * 1_000_000 < 1:
        return "less than once in a million"
    if chance * 2 > 1:
        return "more than half of the time"
    return f"once in {int(1 / chance):,}"
