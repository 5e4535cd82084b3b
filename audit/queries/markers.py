"""Markers by serial: what was issued, voided and paid under each, wherever and whenever.

Nothing is kept: two indexes hold the markers alone (migration 0017), by the day of their stream, as its name ends on it, and by serial.
So a page of a year asks which serials it has, and reads the few that it shows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import date
from itertools import repeat
from typing import Any, NamedTuple

from audit.queries import Span, _books, _rows
from audit.queries.booked import properties
from audit.queries.summed import Sum, merged

Key = tuple[str, str, str]
"""A property, a serial and a currency: under one serial each currency is a marker of its own."""


class Marker(NamedTuple):
    """What was issued, voided and paid under one marker's serial, wherever and whenever; first and last day of it in the span."""

    property: str
    slip: str
    currency: str
    table: str
    issued_on: date | None
    issued: int
    paid_on: date | None
    paid: int


class Named(NamedTuple):
    """The markers of a span in their order, and by currency what was issued and paid of all of them."""

    keys: list[Key]
    totals: list[Sum]


EVER = ("0000-00-00", "9999-99-99")
"""Before and behind every day that a stream's name can end on."""
_IS_MARKER = "kind IN ('marker-issued', 'marker-paid')"
_CLOSED = "EXISTS (SELECT FROM examination x WHERE x.property = s.property AND x.stream = s.stream AND x.closed <= %s)"
_OF_THEM = f"""FROM slip_tally s
    WHERE s.property = %s AND s.{_IS_MARKER} AND right(s.stream, 10) < %s AND (%s OR {_CLOSED}) AND s.slip = ANY({{serials}})"""
_SERIALS = f"""ARRAY(SELECT s.slip FROM slip_tally s
    WHERE s.property = %s AND s.{_IS_MARKER} AND right(s.stream, 10) >= %s AND right(s.stream, 10) < %s AND (%s OR {_CLOSED}))"""
_ISSUED = "coalesce(sum(s.amount) FILTER (WHERE s.kind = 'marker-issued' AND s.stands), 0)"
_PAID = "coalesce(sum(s.amount) FILTER (WHERE s.kind = 'marker-paid'), 0)"
_MARKER = f"""SELECT s.property, s.slip, s.currency,
        coalesce(min(left(s.stream, -11)) FILTER (WHERE s.kind = 'marker-issued'), min(left(s.stream, -11))),
        min(right(s.stream, 10)::date) FILTER (WHERE s.kind = 'marker-issued'), {_ISSUED},
        max(right(s.stream, 10)::date) FILTER (WHERE s.kind = 'marker-paid'), {_PAID}
    {_OF_THEM} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""


def markers(span: Span) -> Iterator[Marker]:
    """Every marker of which anything was issued or paid in the span, with all that came of it up to the end of the span."""
    for property in _properties(span):
        yield from _read(_MARKER.format(serials=_SERIALS), [*_of_them(span, property), *_serials(span, property)])


def markers_of(span: Span, keys: Collection[Key]) -> dict[Key, Marker]:
    """Some of them."""
    found: dict[Key, Marker] = {}
    for property in sorted({key[0] for key in keys}):
        serials = sorted({slip for of, slip, _ in keys if of == property})
        found |= {one[:3]: one for one in _read(_MARKER.format(serials="%s"), [*_of_them(span, property), serials])}
    return {key: found[key] for key in keys if key in found}


def named(span: Span) -> Named:
    """Which they are, and their totals."""
    query = f"""WITH found AS MATERIALIZED (
            SELECT s.slip, s.currency, {_ISSUED} AS issued, {_PAID} AS paid {_OF_THEM.format(serials=_SERIALS)} GROUP BY 1, 2),
        totals AS MATERIALIZED (SELECT currency, sum(issued) AS issued, sum(paid) AS paid FROM found GROUP BY 1)
        SELECT ARRAY(SELECT slip FROM found ORDER BY slip, currency),
            CASE WHEN (SELECT count(*) FROM totals) > 1 THEN ARRAY(SELECT currency FROM found ORDER BY slip, currency) END,
            ARRAY(SELECT ARRAY[currency, issued::text, paid::text] FROM totals)"""
    keys: list[Key] = []
    totals: list[Sum] = []
    for property in _properties(span):
        slips, currencies, sums = next(_rows(query, [*_of_them(span, property), *_serials(span, property)]))
        one = sums[0][0] if sums else ""
        keys += zip(repeat(property), slips, repeat(one) if currencies is None else currencies, strict=False)
        totals += [Sum((currency,), (int(issued), int(paid))) for currency, issued, paid in sums]
    return Named(keys, merged(totals))


def _read(query: str, values: list[Any]) -> Iterator[Marker]:
    for row in _rows(query, values):
        yield Marker._make((*row[:5], int(row[5]), row[6], int(row[7])))


def _properties(span: Span) -> Sequence[str]:
    return properties() if span.property is None else [span.property]


def _of_them(span: Span, property: str) -> list[Any]:
    return [property, EVER[1] if span.ends is None else str(span.ends), *_books(span)]


def _serials(span: Span, property: str) -> list[Any]:
    return [property, *(ever if day is None else str(day) for day, ever in zip((span.begins, span.ends), EVER, strict=True)), *_books(span)]
