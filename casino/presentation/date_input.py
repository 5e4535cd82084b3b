"""Parse the dates that people type: `27 Nov`, `November 27, 2026`, `27.11.` and `2026-11-27`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from audit.facts.input_parsing import day_of, whole

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NAMES = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_DAY, _YEAR = r"([0-3]?[0-9])(?:st|nd|rd|th)?", r"(?:,?[ ]+(20[0-9]{2}))?"
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?<!\S)(?:{pattern})(?=$|[\s,])", re.ASCII | re.IGNORECASE), order)
    for pattern, order in (
        (rf"{_DAY}\.?[ ]*({NAMES})\.?{_YEAR}", "dmy"),
        (rf"({NAMES})\.?[ ]+{_DAY}{_YEAR}", "mdy"),
        (r"([0-3]?[0-9])\.([01]?[0-9])\.(20[0-9]{2})?", "dmy"),
    )
)
"""Each way to write a date that does not begin with the year, and the order of its parts."""
AMBIGUOUS = re.compile(r"(?<!\S)[0-9]{1,2}/[0-9]{1,2}(?:/[0-9]{2,4})?(?!\S)", re.ASCII)
"""Dates such as `11/12`, which are read as 11 December or as 12 November in different countries."""
AMBIGUOUS_SAYS = "“{}” can be read in two ways. Write the name of the month, for example 27 Nov."
LONGEST_GAP = 8
"""Maximum number of years between two dates of 29 February."""


def parse_date(text: str, today: date) -> date | None:
    """Return the date that this text names, or None. Without a year, it is the latest such date that is at
    most one day after `today`.
    """
    return day_of(with_iso_dates(text.strip(), today))


def with_iso_dates(text: str, today: date) -> str:
    """Return the text with each date in it written as `2026-11-27`. Texts that are not dates stay as they
    are.
    """
    for pattern, order in _FORMS:
        text = pattern.sub(_replacement(order, today), text)
    return text


def _replacement(order: str, today: date) -> Callable[[re.Match[str]], str]:
    def replace(match: re.Match[str]) -> str:
        parts = dict(zip(order, match.groups(), strict=True))
        name = parts["m"]
        month = whole(name)
        if month is None:
            month = MONTHS.index(name[:3].lower()) + 1
        on = _date(int(parts["d"]), month, parts["y"], today)
        return match[0] if on is None else on.isoformat()

    return replace


def _date(day: int, month: int, year: str | None, today: date) -> date | None:
    latest = today + timedelta(days=1)
    years = [int(year)] if year else range(latest.year, latest.year - LONGEST_GAP - 1, -1)
    for chosen in years:
        try:
            on = date(chosen, month, day)
        except ValueError:
            continue
        if year or on <= latest:
            return on
    return None
