"""Dates are read as people write them. A date without a year means the latest day with that date, up to
tomorrow.
"""

from __future__ import annotations

from datetime import date

import pytest

from casino.presentation import date_input
from casino.presentation.date_input import parse_date, with_iso_dates

TODAY = date(2026, 11, 29)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-27",
        "27 nov",
        "27 Nov",
        "27 NOV 2026",
        "27 November",
        "27. November 2026",
        "27nov",
        "27th nov",
        "nov 27",
        "Nov. 27",
        "November 27, 2026",
        "27.11.",
        "27.11.2026",
    ],
)
def test_a_date_is_read_in_each_way_of_writing(text: str) -> None:
    assert parse_date(text, TODAY) == date(2026, 11, 27)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30 nov", date(2026, 11, 30)),  # tomorrow: clocks and gaming days differ by up to a day
        ("1 dec", date(2025, 12, 1)),
        ("29 feb", date(2024, 2, 29)),
        ("3.1.", date(2026, 1, 3)),
        ("31 dec 2024", date(2024, 12, 31)),
    ],
)
def test_a_date_without_a_year_is_the_latest_one(text: str, expected: date) -> None:
    assert parse_date(text, TODAY) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "31 nov",
        "0 nov",
        "39 nov",
        "27",
        "nov",
        "27.11",
        "27.13.",
        "27.0.",
        "27.00.2026",
        "11/27",
        "27/11",
        "november",
    ],
)
def test_other_texts_are_not_dates(text: str) -> None:
    assert parse_date(text, TODAY) is None
    assert with_iso_dates(text, TODAY) == text


@pytest.mark.parametrize("text", ["11/27", "27/11", "EOU-01 11/27 22:05", "1/2/26"])
def test_a_date_with_slashes_is_ambiguous(text: str) -> None:
    assert date_input.AMBIGUOUS.search(text)


def test_a_table_with_its_property_is_not_a_date_with_slashes() -> None:
    assert not date_input.AMBIGUOUS.search("aurora/EOU-01/2026-11-27 22:05")


def test_dates_within_a_text_are_replaced_and_the_rest_stays() -> None:
    text = "22:05 27 nov spot 3, mar 1 2026 r-0009"
    assert with_iso_dates(text, TODAY) == "22:05 2026-11-27 spot 3, 2026-03-01 r-0009"
