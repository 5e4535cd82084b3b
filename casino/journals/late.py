"""Days of a table that came to the ledger only after a later day of it was closed: a feed that was imported late, papers found again.

What was booked of the later day never changes, so its opener stays held against what was counted before the late one; and the late one is
held against itself: its tray stands already at what was counted after it. Both together are over and short by just what they would have
been in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from audit.queries import Span
from audit.queries.booked import NEAR, Stream, began_late, closed_after, first_closed


def late(span: Span, streams: Sequence[Stream]) -> set[str]:
    """Of the streams of a span, and of those just before it, the names of those that came late. `streams`: all of the span."""
    behind = first_closed(span.ends, days_after(span.ends, NEAR), span) if span.ends is not None else {}
    by_table: dict[str, list[Stream]] = {}
    for stream in (*streams, *_before(span, streams, behind.values())):
        by_table.setdefault(stream.table, []).append(stream)
    suspects = [name for table, of in by_table.items() for name in _suspects(of, behind.get(table))]
    return began_late(span, suspects) if suspects else set()


def _suspects(of: list[Stream], closed: int | None) -> Iterator[str]:
    """Streams of a table that are open, or were closed later than one behind them; `closed`: the first of those behind all of these."""
    for stream in sorted(of, key=lambda one: one.day, reverse=True):
        if closed is not None and (stream.closed is None or stream.closed > closed):
            yield stream.name
        elif stream.closed is not None:
            closed = stream.closed


def _before(span: Span, streams: Sequence[Stream], behind: Iterable[int]) -> list[Stream]:
    """Those just before the span that may have come when something of it, or behind it, was closed."""
    first = min((*behind, *(stream.closed for stream in streams if stream.closed is not None)), default=None)
    if span.begins is None or first is None:
        return []
    return list(closed_after(first, span._replace(begins=days_after(span.begins, -NEAR), ends=span.begins)))


def days_after(day: date, days: int) -> date:
    """So many days later, or the first or last that there is."""
    return date.fromordinal(min(max(day.toordinal() + days, date.min.toordinal()), date.max.toordinal()))
