"""The chips and notes of a property. In the register `chip-sets`, the key is a currency and the value is
`{"chips": [minor units…], "notes": [minor units…]}`.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from casino.reference.registers import values_on
from games.kit.amounts import EXPONENT

CHIPS = (5000, 1000, 500, 100, 25, 5, 1)
NOTES = (100, 50, 20, 10, 5, 2, 1)
"""Denominations of notes in whole units of the currency, used if the register has no entry."""
PARTS = (25, 5, 1)
"""Denominations of chips below one unit, in minor units. They are used if the register has no entry and the
currency has two decimals.
"""


def chips(property: str, currency: str, day: date | None = None) -> tuple[int, ...]:
    """Return the denominations of chips in minor units, largest first, on a gaming day (by default today)."""
    unit = 10 ** EXPONENT.get(currency, 2)
    return _named(property, currency, "chips", day) or (
        *(chip * unit for chip in CHIPS),
        *(PARTS if unit == 100 else ()),
    )


def notes(property: str, currency: str, day: date | None = None) -> tuple[int, ...]:
    """Return the denominations of notes in minor units, largest first, on a gaming day (by default today)."""
    unit = 10 ** EXPONENT.get(currency, 2)
    return _named(property, currency, "notes", day) or tuple(note * unit for note in NOTES)


def _named(property: str, currency: str, kind: str, day: date | None) -> tuple[int, ...]:
    value: Any = values_on(property, "chip-sets", day).get(currency)
    named = value.get(kind) if isinstance(value, dict) else None
    sound = (
        {
            denomination
            for denomination in named
            if isinstance(denomination, int) and not isinstance(denomination, bool) and denomination > 0
        }
        if isinstance(named, list)
        else ()
    )
    return tuple(sorted(sound, reverse=True))
