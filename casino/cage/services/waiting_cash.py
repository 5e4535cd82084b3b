"""Counted cash that waits in the count room until the cage receives it.

What was counted for a gaming day is the cash of its boxes: notes without papers. Only boxes that were counted
twice are included, because the person who recounts a box must not know the amount of its first count. Cash
that an adjustment of the drop added, such as a box that was counted late, is included too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from audit.queries import cage_facts, closed_books
from audit.queries.adjustments import restating
from audit.queries.cache.aggregates import Aggregate, aggregate
from audit.queries.deposits import received
from audit.queries.examination import covered
from audit.queries.span import CLOSED, Span
from casino.count_room import queries as count_room
from casino.count_room.queries import Box

NAME = "cash-in-count-room"
"""The first word of the name of these rows in the cache."""
MAX_OPEN = 1_000
"""Maximum number of open table days whose boxes a home page reads."""
Key = tuple[date, str]
"""A gaming day and a currency."""


class WaitingCash(NamedTuple):
    """Cash of a gaming day in one currency. It waits in the count room until the cage receives it. Amounts
    are in minor units.

    Attributes:
        counted: the cash of the boxes that were counted twice, and of adjustments.
        received: the part of it that the cage has received.
        boxes: the number of boxes of the day that were not counted twice yet.
    """

    day: date
    currency: str
    counted: int
    received: int
    boxes: int

    @property
    def left(self) -> int:
        """Return the counted cash that the cage has not received, in minor units."""
        return self.counted - self.received


class CashFigures(NamedTuple):
    """The cash of boxes that were counted twice, in minor units."""

    cash: int


def waiting_cash(property: str, today: date) -> list[WaitingCash]:
    """Return the cash of the recent gaming days that are not finished: the cage has not received exactly what
    was counted, or a box has not been counted twice.
    """
    days = count_room.recent_days(today)
    counted: dict[Key, int] = {}
    open_boxes: dict[Key, int] = {}
    adjusted, late = _adjusted(Span(min(days), None, property))
    for box in count_room.boxes(property, days):
        key = (box.day, box.currency)
        if (box.counted is None or box.verified is None) and box.uid not in late:
            open_boxes[key] = open_boxes.get(key, 0) + 1
        _add(counted, key, cash_of(box))
    _add_all(counted, adjusted)
    rows = _rows(counted, _received(property, begins=min(days)), open_boxes)
    return [row for row in rows if row.left or row.boxes]


def older_cash(property: str, today: date) -> list[WaitingCash]:
    """Return the cash of each gaming day before the recent ones, if the cage has not received exactly what
    was counted.
    """
    ends = min(count_room.recent_days(today))
    return _older_cash(property, ends, cage_facts.open_before(property, ends))


def older_cash_at_once(property: str, today: date) -> list[WaitingCash] | None:
    """Return the same as `older_cash`, or None if that takes long: the boxes of open days are not cached, and
    more than MAX_OPEN table days before the recent ones are open.
    """
    ends = min(count_room.recent_days(today))
    open_days = cage_facts.open_before(property, ends, MAX_OPEN + 1)
    is_long = sum(len(days) for days in open_days.values()) > MAX_OPEN
    return None if is_long else _older_cash(property, ends, open_days)


def _older_cash(property: str, ends: date, open_days: dict[str, list[date]]) -> list[WaitingCash]:
    counted: dict[Key, int] = {}
    for row in build(Span(None, ends, property)):
        _add(counted, (date.fromisoformat(row.key[0]), row.key[1]), row.figures.cash)
    streams = [f"{table}/{day}" for table, days in open_days.items() for day in days]
    for box in count_room.boxes_of_streams(property, streams):
        _add(counted, (box.day, box.currency), cash_of(box))
    _add_all(counted, _adjusted(Span(None, ends, property))[0])
    rows = _rows(counted, _received(property, ends=ends), {})
    return [row for row in rows if row.left]


def build(span: Span) -> list[Aggregate[CashFigures]]:
    """Return the cash of the closed days of a span, by day and currency, and cache it."""
    return aggregate(NAME, span._replace(books=CLOSED), _closed_cash, CashFigures)


def cash_of(box: Box) -> int:
    """Return the cash of a box, without its papers, as it was recounted. Return 0 if it was not counted
    twice.
    """
    if box.counted is None or box.verified is None:
        return 0
    return box.verified.amount - sum(box.papers.values())


def _closed_cash(span: Span) -> Iterator[Aggregate[CashFigures]]:
    """Yield the cash of closed days. All their facts were examined, so they are part of the fingerprint."""
    closed = [stream.name for stream in closed_books.streams(span) if stream.closed is not None]
    with covered():
        boxes = count_room.boxes_of_streams(span.property or "", closed)
    for box in boxes:
        yield Aggregate((str(box.day), box.currency), CashFigures(cash_of(box)))


def _adjusted(span: Span) -> tuple[dict[Key, int], set[str]]:
    """Return the cash that adjustments of the drop added to these days, and the uids of the pulls of boxes
    that were counted late. An adjustment that names a count settles the difference of two counts. It adds
    nothing, because the cash of that box is included as it was recounted.
    """
    sums: dict[Key, int] = {}
    late: set[str] = set()
    for change in restating(span):
        if change.what == "drop" and change.of_kind in ("", "box-pulled"):
            _add(sums, (change.of_day, change.currency), change.amount)
            late.add(change.of)
    return sums, late


def _received(property: str, begins: date = date.min, ends: date = date.max) -> dict[Key, int]:
    """Return what the cage received of the drop of the gaming days from `begins` to `ends`, exclusive."""
    sums: dict[Key, int] = {}
    for part in received(property, begins):
        if part.of_day < ends:
            _add(sums, (part.of_day, part.currency), part.amount)
    return sums


def _rows(counted: dict[Key, int], taken: dict[Key, int], boxes: dict[Key, int]) -> Iterable[WaitingCash]:
    return (
        WaitingCash(*key, counted.get(key, 0), taken.get(key, 0), boxes.get(key, 0))
        for key in sorted({*counted, *taken})
    )


def _add(sums: dict[Key, int], key: Key, amount: int) -> None:
    sums[key] = sums.get(key, 0) + amount


def _add_all(sums: dict[Key, int], amounts: dict[Key, int]) -> None:
    for key, amount in amounts.items():
        _add(sums, key, amount)
