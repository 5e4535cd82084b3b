"""The order of shifts in reports: shifts have the order in which they begin, as in the register `shifts`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any, TypeVar

from audit.queries.lazy_sequence import LazySequence
from audit.queries.span import Span
from casino.reference import calendar, standing
from casino.reports.columns import Row, Rows, Sheet
from casino.reports.grouping import last_day

Item = TypeVar("Item")
Place = tuple[timedelta, str]
"""The place of a shift in the day: the time from the beginning of the gaming day, and the shift's name."""
LAST = timedelta.max
"""Shifts that are not in the register come after all others, sorted by name."""
NEIGHBORS = 16
"""How many rows before and after a part of a list are read first, to find the shifts of the same day."""


def place_of_shifts(span: Span) -> dict[str, Place]:
    """Return the place of each shift in the day. A shift that has begun at different times has the place of
    its last day in the span. If properties have a shift of the same name, the earliest place is used.
    """
    last = last_day(span)
    places: dict[str, Place] = {}
    if last is None:
        return places
    latest: dict[tuple[str, str], date] = {}
    for row in standing.everywhere("shifts"):
        day = min(last, row.ends - timedelta(days=1))
        if row.begins <= day and (not span.property or row.property == span.property):
            latest[row.property, row.key] = max(day, latest.get((row.property, row.key), day))
    for (property, name), day in latest.items():
        begins = calendar.shifts(property, day).get(name)
        if begins is not None:
            place = (begins - calendar.bounds(property, day).begins, name)
            places[name] = min(place, places.get(name, place))
    return places


def in_order(sheet: Sheet, span: Span, by: Sequence[str]) -> Sheet:
    """Return a report with its shifts in the order in which they begin. The rows are the same. If they do
    not begin with a grouping by shift, the report is returned unchanged: lines of a journal, for example,
    keep the order of their documents.
    """
    leads = [column.key for column in sheet.columns[: len(by)]]
    if "shift" not in by or leads != list(by) or sheet.query is not None:
        return sheet
    places, position = place_of_shifts(span), list(by).index("shift")
    rows = sheet.rows
    return sheet._replace(
        rows=rows.arranged(lambda items: InOrder(items, places, position))
        if isinstance(rows, Rows)
        else InOrder(list(rows), places, position),
        totals=tuple(_in_order(sheet.totals, places, 0)) if position == 0 else sheet.totals,
    )


def sort_items(items: Sequence[Item], span: Span, by: Sequence[str]) -> Sequence[Item]:
    """Return aggregates with keys in this grouping `by`, or rows that begin with it, with their shifts in the
    order in which they begin.
    """
    return InOrder(items, place_of_shifts(span), list(by).index("shift")) if "shift" in by else items


class InOrder(LazySequence[Item]):
    """Items that are sorted by their keys, except that shifts have their place in the day. Only the requested
    items are read, and the other shifts of their days.
    """

    def __init__(self, items: Sequence[Item], places: Mapping[str, Place], position: int) -> None:
        """Create the sequence. `position` is the index of the shift in the key of an item."""
        self._items, self._places, self._position = items, places, position

    def __len__(self) -> int:
        return len(self._items)

    def slice(self, begins: int, ends: int) -> list[Item]:
        """Return the items from position `begins` to `ends` (exclusive)."""
        margin = NEIGHBORS
        while begins < ends:
            first, last = max(begins - margin, 0), min(ends + margin, len(self._items))
            read = list(self._items[first:last])
            groups = [_key(item)[: self._position] for item in read]
            has_first = first == 0 or groups[0] != groups[begins - first]
            has_last = last == len(self._items) or groups[-1] != groups[ends - 1 - first]
            if has_first and has_last:
                ordered = list(_in_order(read, self._places, self._position))
                return ordered[begins - first : ends - first]
            margin *= 8
        return []

    def __iter__(self) -> Iterator[Item]:
        return _in_order(self._items, self._places, self._position)


def _in_order(items: Iterable[Item], places: Mapping[str, Place], position: int) -> Iterator[Item]:
    """Yield the items. Consecutive items whose keys differ only from the shift on are sorted by the place of
    their shift. Items of the same shift keep their order.
    """
    for _, group in groupby(items, lambda item: _key(item)[:position]):
        yield from sorted(group, key=lambda item: _place(_key(item)[position], places))


def _place(name: str, places: Mapping[str, Place]) -> Place:
    return places.get(name) or (LAST, name)


def _key(item: Any) -> Row:
    """Return the key of an aggregate, or the row itself, whose first cells are the values of its grouping."""
    key: Row = getattr(item, "key", item)
    return key
