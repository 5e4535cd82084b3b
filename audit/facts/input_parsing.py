"""What somebody wrote into an address, a form or a command, read: a gaming day, a whole number. None for what
is neither. Pure.
"""

from __future__ import annotations

from datetime import date

YEARS = range(1900, 2200)
"""The years in which a house may have been open; a year, a month or a day beside one of their days is in the
calendar still.
"""
DIGITS = 18
"""As many as a whole number may have that the database is asked for."""


def day_of(text: str) -> date | None:
    """Parse a gaming day such as `2026-11-27`; None for anything else, also for a day before or after any
    casino's records.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year in YEARS else None


def whole(text: str, digits: int = DIGITS) -> int | None:
    """Parse a whole number from 0 of at most this many digits, 0 to 9; None for anything else, also for `²`
    and `٣`, which are digits elsewhere.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
