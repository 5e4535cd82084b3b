"""Dates and integers that users write: only dates on which a casino may have been open, and only ASCII
digits, are accepted.
"""

from __future__ import annotations

from datetime import date

import pytest

from audit.facts.input_parsing import day_of, whole


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "2026-02-30", "0001-01-01", "1899-12-31", "2200-01-01", "9999-12-31", "²⁰²⁶-11-27"],
)
def test_an_invalid_gaming_day_is_refused(text: str) -> None:
    assert day_of(text) is None


@pytest.mark.parametrize("day", [date(1900, 1, 1), date(2026, 11, 27), date(2199, 12, 31)])
def test_every_possible_gaming_day_is_read(day: date) -> None:
    assert day_of(day.isoformat()) == day


@pytest.mark.parametrize("text", ["", "²", "٣", "1²", "-1", "+1", " 1", "1_0", "1.0", "9" * 19])
def test_integers_are_accepted_only_in_ascii_digits(text: str) -> None:
    assert whole(text) is None


def test_an_integer_may_have_leading_zeros_up_to_the_allowed_length() -> None:
    assert (whole("0"), whole("007"), whole("9" * 18), whole("1234", 3)) == (0, 7, 10**18 - 1, None)
