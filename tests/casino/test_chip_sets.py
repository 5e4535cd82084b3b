"""Forms offer the chips and notes that the property's register names for the gaming day. If the register
names none, they offer the default set.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from casino.reference import chip_sets
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.conftest import House


def test_chips_and_notes_are_those_registered_for_the_day(house: House) -> None:
    sets: list[tuple[Any, str | None]] = [
        ({"chips": [500, 2500, 500], "notes": [10_000]}, None),
        ({"chips": [700]}, "2026-01-01"),
    ]
    set_registers(
        "aurora",
        [Entry("chip-sets", "USD", value, begins, None) for value, begins in sets],
        by="m-101",
        second="m-102",
    )
    assert chip_sets.chips("aurora", "USD", date(2025, 12, 31)) == (2500, 500)
    assert chip_sets.chips("aurora", "USD", date(2026, 1, 1)) == (700,)
    assert chip_sets.notes("aurora", "USD", date(2025, 12, 31)) == (10_000,)
    assert chip_sets.notes("aurora", "USD", date(2026, 1, 1))[0] == 10_000, (
        "without an entry: the default notes"
    )


@pytest.mark.parametrize(
    ("currency", "chips", "notes"),
    [
        (
            "USD",
            (500_000, 100_000, 50_000, 10_000, 2_500, 500, 100, 25, 5, 1),
            (10_000, 5_000, 2_000, 1_000, 500, 200, 100),
        ),
        ("JPY", (5_000, 1_000, 500, 100, 25, 5, 1), (100, 50, 20, 10, 5, 2, 1)),
    ],
)
def test_a_property_without_a_chip_set_has_the_default_one_in_its_minor_units(
    house: House, currency: str, chips: tuple[int, ...], notes: tuple[int, ...]
) -> None:
    assert chip_sets.chips("aurora", currency) == chips
    assert chip_sets.notes("aurora", currency) == notes
