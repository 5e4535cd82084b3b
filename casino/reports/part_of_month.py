"""Which gaming days of a month a report has, if it does not have all of them. Figures of a part of a month
must not be read as those of the month.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from audit.queries.cache.aggregates import days_after
from audit.queries.span import Span
from casino.presentation.formatting import dates_in_words, display


def days_of_month(span: Span, month: str) -> str:
    """Return which gaming days of a month a span has, such as `only gaming days 2026-11-24 to 2026-11-30, not
    the whole month`. Return empty text if it has all of them.

    Args:
        month: the month as the reports write it, such as `2026-11`.
    """
    first = date.fromisoformat(f"{month}-01")
    last = _last_of(first)
    begins = first if span.begins is None else max(first, span.begins)
    ends = last if span.ends is None else min(last, span.ends - timedelta(days=1))
    if (begins, ends) == (first, last):
        return ""
    days = f"day {begins}" if begins == ends else f"days {begins} to {ends}"
    return f"only gaming {days}, not the whole month"


def parts_of_months(span: Span) -> list[tuple[str, str]]:
    """Return the first and the last month of a span if the span has only a part of them, each with its gaming
    days in the words of `days_of_month`.
    """
    ends = [] if span.begins is None else [span.begins]
    ends += [] if span.ends is None else [span.ends - timedelta(days=1)]
    months = dict.fromkeys(f"{day:%Y-%m}" for day in ends)
    return [(month, days) for month in months if (days := days_of_month(span, month))]


def notes_on_months(span: Span, by: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence for each month that a report by month has only in part."""
    if "month" not in by:
        return ()
    return tuple(
        f"{display('month', month)}: {dates_in_words(days)}." for month, days in parts_of_months(span)
    )


def _last_of(first: date) -> date:
    """Return the last day of the month that begins on this day."""
    following = days_after(first, 31, of_month=True)
    return date.max if following is None else following - timedelta(days=1)
