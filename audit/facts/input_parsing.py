"""Parse a gaming day or an integer that was typed into a URL, a form or a command. The result is None for
invalid text. Pure.
"""

from __future__ import annotations

from datetime import date

YEARS = range(1900, 2200)
"""Years for which a gaming day is accepted. The days, months and years next to an accepted day are still
valid dates in Python.
"""
DIGITS = 18
"""Maximum digits of an integer, so that it fits into a database integer."""


def day_of(text: str) -> date | None:
    """Parse a gaming day such as `2026-11-27`. Return None for any other text, and for a day that is too
    early or too late for a casino's records.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year in YEARS else None


def whole(text: str, digits: int = DIGITS) -> int | None:
    """Parse an integer that consists of at most `digits` digits from 0 to 9. Return None for any other text.
    Other Unicode digits, such as `²` and `٣`, are not accepted.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
