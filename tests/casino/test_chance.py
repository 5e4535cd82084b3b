"""Chances and bounds of error rates, with which a board marks dealers. They equal exact sums of fractions,
computed from the definition.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.queries.cache.aggregates import Aggregate
from casino.boards.errors import ErrorSum, judge
from casino.reports import error_chance as chance
from casino.reports.definitions.dealer_errors import ErrorFigures, judged_row
from casino.reports.error_chance import (
    UNITS,
    chance_of,
    exact_bounds,
    in_words,
    is_more_than_chance,
    likely_numbers,
    most_by_chance,
)

HALF = Fraction(25, 1000)


def chance_of_at_most(number: int, trials: int, rate: Fraction) -> Fraction:
    """Return the chance of at most `number` hits in `trials`, computed from the definition of the binomial
    distribution.
    """
    up, down = rate.numerator, rate.denominator
    ways = sum(comb(trials, hits) * up**hits * (down - up) ** (trials - hits) for hits in range(number + 1))
    return Fraction(ways, down**trials)


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 120).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_bounds_are_the_narrowest_with_the_required_chance(case):
    errors, trials = case
    low, high = exact_bounds(errors, trials)

    def at_least(part: int) -> Fraction:
        return 1 - chance_of_at_most(errors - 1, trials, Fraction(part, UNITS))

    def at_most(part: int) -> Fraction:
        return chance_of_at_most(errors, trials, Fraction(part, UNITS))

    if errors:
        assert at_least(low) <= HALF < at_least(low + 1)
    else:
        assert low == 0
    if errors < trials:
        assert at_most(high) <= HALF < at_most(high - 1)
    else:
        assert high == UNITS


@pytest.mark.parametrize(("errors", "trials"), [(20, 963), (11, 909), (0, 500), (500, 500), (1, 1)])
def test_bounds_of_a_month_of_a_dealer(errors, trials):
    low, high = exact_bounds(errors, trials)
    if errors:
        assert 1 - chance_of_at_most(errors - 1, trials, Fraction(low, UNITS)) <= HALF
        assert 1 - chance_of_at_most(errors - 1, trials, Fraction(low + 1, UNITS)) > HALF
    if errors < trials:
        assert chance_of_at_most(errors, trials, Fraction(high, UNITS)) <= HALF
        assert chance_of_at_most(errors, trials, Fraction(high - 1, UNITS)) > HALF
    assert low <= errors * UNITS // trials <= high


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 150), st.fractions(0, 1, max_denominator=300), st.integers(1, 50))
def test_the_band_of_errors_ends_at_the_largest_number_that_is_not_marked(trials, rate, looked_at):
    number = most_by_chance(trials, rate, looked_at)
    assert 0 <= number <= trials

    def is_marked(errors: int) -> bool:
        at_least = 1 - chance_of_at_most(errors - 1, trials, rate) if errors else Fraction(1)
        return at_least * looked_at < Fraction(5, 100)

    assert not is_marked(number)
    assert number == trials or is_marked(number + 1)


@pytest.mark.parametrize(("errors", "trials"), [(5, 4), (-1, 4), (0, 0)])
def test_impossible_values_are_refused(errors, trials):
    with pytest.raises(ValueError, match="errors in"):
        exact_bounds(errors, trials)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 60), st.integers(1, 200), st.fractions(0, 1, max_denominator=2000))
def test_a_chance_is_the_sum_of_its_terms(errors, trials, rate):
    errors = min(errors, trials)
    exact = 1 - chance_of_at_most(errors - 1, trials, rate) if errors else Fraction(1)
    computed = Fraction(chance_of(errors, trials, rate))
    assert abs(computed - exact) <= max(exact, Fraction(1, 10**9)) / 10**25


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 150), st.fractions(Fraction(1, 1000), Fraction(1, 2), max_denominator=1000))
def test_likely_numbers_leave_less_than_half_on_each_side(trials, rate):
    low, high = likely_numbers(trials, rate)
    assert chance_of_at_most(low - 1, trials, rate) <= HALF if low else True
    assert chance_of_at_most(low, trials, rate) > HALF
    assert 1 - chance_of_at_most(high, trials, rate) <= HALF
    assert high == 0 or 1 - chance_of_at_most(high - 1, trials, rate) > HALF
    assert likely_numbers(0, rate) == likely_numbers(trials, Fraction(0)) == (0, 0)


def test_a_row_is_marked_only_if_the_chance_among_all_is_below_five_percent():
    assert is_more_than_chance(Decimal("0.001"), 49)
    assert not is_more_than_chance(Decimal("0.001"), 50)
    assert not is_more_than_chance(Decimal("0.001"), 51)


def sums(*rows: tuple[str, int, int]) -> list[ErrorSum]:
    return [
        part
        for name, wagers, errors in rows
        for part in (
            Aggregate((name, ""), ErrorFigures(wagers, wagers, 0, 0, 0)),
            Aggregate((name, "wrong-settlement"), ErrorFigures(0, 0, errors, 100 * errors, 0)),
        )
    ]


def test_ten_hands_never_look_like_a_pattern():
    judged = judge(sums(("d-1", 10, 10), *((f"d-{place}", 2000, 3) for place in range(2, 30))))
    ten = next(row for row in judged.rows if row.name == "d-1")
    assert (ten.is_judged, ten.is_marked, ten.rate) == (False, False, 1000)
    assert judged.rows[-1] == ten, "what is not judged comes last"
    assert (judged.looked_at, judged.too_few, judged.marked) == (28, 1, 0)


def test_the_dealer_with_far_more_errors_is_marked_and_the_others_are_not():
    judged = judge(sums(("d-110", 963, 20), *((f"d-{place}", 1500, 2 + place % 3) for place in range(43))))
    assert [row.name for row in judged.rows if row.is_marked] == ["d-110"]
    first = judged.rows[0]
    assert first.name == "d-110"
    assert first.bounds == (Fraction(1273, 100), Fraction(3190, 100))
    assert judged.looked_at == 44
    assert judged.rate_without(first) == Fraction(1000 * (judged.errors - 20), judged.wagers - 963)
    assert (first.gained, first.lost) == (2000, 0)


def test_forty_dealers_by_chance_alone_are_not_marked():
    """Test forty dealers of whom one has a high error rate. Such a rate has a chance of less than one in
    forty. Among forty dealers one such rate is to be expected, so the dealer is not marked.
    """
    judged = judge(sums(("d-1", 1000, 7), *((f"d-{place}", 1000, 2) for place in range(2, 41))))
    first = judged.rows[0]
    assert Fraction(first.chance) < Fraction(1, 40)
    assert not first.is_marked


def test_chances_in_words():
    assert in_words(Decimal("1e-9")) == "less than once in a million"
    assert in_words(Decimal("0.004")) == "once in 250"
    assert in_words(Decimal("0.9")) == "more than half of the time"
    assert chance.CONFIDENCE == 95


@pytest.mark.parametrize(("hits", "trials"), [(400, 801), (401, 5_000), (2_500, 5_000), (6_000, 40_000)])
def test_ways_from_logarithms_equal_the_exact_number(hits: int, trials: int) -> None:
    exact = Fraction(comb(trials, hits))
    assert abs(Fraction(chance._ways(hits, trials)) / exact - 1) < Fraction(1, 10**38)


def test_bounds_of_millions_of_trials_need_no_integer_of_all_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(chance, "comb")
    bounds = exact_bounds(100_000, 2_000_000)
    assert bounds.low < 5_000 < bounds.high
    low, high = likely_numbers(2_000_000, Fraction(1, 20))
    assert low < 100_000 < high < low + 1_300


def test_the_report_of_dealer_errors_marks_the_rows_that_the_board_marks() -> None:
    counts = {"d-1": (4_000, 8), "d-2": (900, 20), "d-3": (31, 1), "d-4": (600, 1)}
    sums = [
        Aggregate((name, "USD"), ErrorFigures(wagers, wagers, errors, 0, 0))
        for name, (wagers, errors) in counts.items()
    ]
    board = judge(Aggregate((row.key[0], "", row.key[1]), row.figures) for row in sums)
    rows = [judged_row(row, board.rate / 1000, board.looked_at) for row in sums]
    assert [row[-5] for row in rows] == ["", "more than chance", "too few wagers", ""]
    assert {row.name for row in board.rows if row.is_marked} == {"d-2"}
    of_board = {row.name: row.bounds for row in board.rows}
    assert rows[1][-7:-5] == tuple(f"{float(bound):.2f}" for bound in of_board["d-2"])
    assert rows[2][-7:-5] == ("n/a", "n/a"), "a row that is not judged has no bounds"
