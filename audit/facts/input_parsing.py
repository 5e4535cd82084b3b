"""Parse what was typed into a URL, a form or a command: a gaming day or an integer. The result is None for
invalid text. Pure.
"""

from __future__ import annotations

from datetime import date

YEARS = range(1900, 2200)
"""Years for which a gaming day is accepted. The days, months and years next to an accepted day are still
valid dates in Python.
"""
DIGITS = 18
"""Digits that an integer may have at most, so that it fits into a database integer."""


def day_of(text: str) -> date | None:
    """Parse a gaming day such as `2026-11-27`; None for anything else, also for a day that is before or after
    any casino's records.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year in YEARS else None


def whole(text: str, digits: int = DIGITS) -> int | None:
    """Parse an integer from 0 with at most this many digits, 0 to 9; None for anything else, also for `²` and
    `٣`, which are digits in Unicode.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
