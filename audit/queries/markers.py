"""Markers by serial: the amounts that were issued, voided and paid under each serial, at any table and on any
day.

The markers that are not fully paid are in the table `unpaid_marker`. For all other markers nothing is cached.
The requested days are read from `slip_tally` with an index that contains only markers, by day (migration
0019). Earlier days are searched only for two groups of serials: serials that were paid but not issued on the
requested days, and serials with a duplicate of the kind MARKER in `audit.findings.duplicate_serials`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from audit import database
from audit.findings.duplicate_serials import MARKER
from audit.queries.cage_lists import again
from audit.queries.closed_books import properties
from audit.queries.span import Span, book_values

Key = tuple[str, str, str]
"""A property, a serial and a currency. Under one serial, each currency is a separate marker."""


class Marker(NamedTuple):
    """The amounts that were issued, voided and paid under the serial of one marker, at any table, up to the
    end of the span.
    """

    property: str
    slip: str
    currency: str
    table: str
    issued_on: date | None
    issued: int
    paid_on: date | None
    paid: int


_Row = tuple[str, str, str, str, int]
"""A serial, a currency, a stream, the event (ISSUED, VOIDED or PAID) and the amount."""
ISSUED, VOIDED, PAID = "issued", "voided", "paid"
DAY = len("2026-11-27")
EVER = ("0000-00-00", "9999-99-99")
"""The bounds of a span without a first or last day. As texts, they sort before and after every day in the
name of a stream.
"""


class Totals(NamedTuple):
    """The total amounts of markers that were issued and paid, in minor units."""

    issued: int
    paid: int


class Markers:
    """The markers of a span, in order. `totals` is {currency: amounts issued and paid}."""

    def __init__(self, span: Span) -> None:
        self._rows: dict[Key, list[_Row]] = {}
        sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for property in properties() if span.property is None else [span.property]:
            for row in _of_property(span, property):
                slip, currency, _, movement, amount = row
                self._rows.setdefault((property, slip, currency), []).append(row)
                sums[currency][movement == PAID] += 0 if movement == VOIDED else amount
        self.keys = sorted(self._rows)
        self.totals = {currency: Totals(*amounts) for currency, amounts in sorted(sums.items())}

    def __iter__(self) -> Iterator[Marker]:
        return map(self.marker, self.keys)

    def marker(self, key: Key) -> Marker:
        """Return one marker, with everything recorded under its serial up to the end of the span."""
        rows = self._rows[key]
        issued, paid = [row for row in rows if row[3] != PAID], [row for row in rows if row[3] == PAID]
        return Marker(
            *key,
            min(stream[: -DAY - 1] for _, _, stream, *_ in issued or rows),
            min((_day(row) for row in issued), default=None),
            sum(row[4] for row in issued if row[3] == ISSUED),
            max((_day(row) for row in paid), default=None),
            sum(row[4] for row in paid),
        )


def unpaid(property: str, since: date) -> list[Marker]:
    """Return the markers that are not fully paid and have a fact on this gaming day or later, by serial."""
    return _markers(f'{_UNPAID} ORDER BY slip COLLATE "C", currency COLLATE "C"', [property, since])


def largest_unpaid(property: str, since: date, maximum: int) -> list[Marker]:
    """Return the markers of `unpaid` with the largest unpaid amounts, the largest first.

    Args:
        maximum: the largest number of markers.
    """
    query = f'{_UNPAID} ORDER BY issued - paid DESC, slip COLLATE "C", currency COLLATE "C" LIMIT %s'
    return _markers(query, [property, since, maximum])


class UnpaidSum(NamedTuple):
    """The number of markers in one currency that are not fully paid, and what is owed on them, in minor
    units.
    """

    currency: str
    markers: int
    owed: int


def unpaid_sums(property: str, since: date) -> list[UnpaidSum]:
    """Return the sums of the markers of `unpaid`, by currency."""
    query = """SELECT currency, count(*), sum(issued - paid) FROM unpaid_marker
        WHERE property = %s AND last_on >= %s GROUP BY currency ORDER BY currency COLLATE "C\""""
    rows = database.rows(query, [property, since])
    return [UnpaidSum(currency, markers, int(owed)) for currency, markers, owed in rows]


_UNPAID = f"""SELECT {", ".join(f'"{name}"' for name in Marker._fields)} FROM unpaid_marker
    WHERE property = %s AND last_on >= %s"""


def _markers(query: str, values: list[Any]) -> list[Marker]:
    return [
        Marker(property, slip, currency, table, issued_on, int(issued), paid_on, int(paid))
        for property, slip, currency, table, issued_on, issued, paid_on, paid in database.rows(query, values)
    ]


def _day(row: _Row) -> date:
    return date.fromisoformat(row[2][-DAY:])


_ROWS = """SELECT s.slip, s.currency, s.stream, CASE WHEN s.kind = 'marker-paid' THEN 'paid'
    WHEN s.stands THEN 'issued' ELSE 'voided' END,
        s.amount::text
    FROM slip_tally s WHERE s.property = %s AND s.kind IN ('marker-issued', 'marker-paid')"""
_OF_DAYS = f"""{_ROWS} AND right(s.stream, 10) >= %s AND right(s.stream, 10) < %s AND (%s OR s.stream IN (
        SELECT x.stream FROM examination x WHERE x.property = %s AND x.day >= coalesce(%s, '-infinity'::date)
            AND x.day < coalesce(%s, 'infinity'::date) AND x.closed <= %s))"""
_BEFORE = f"""{_ROWS} AND s.slip = ANY(%s) AND right(s.stream, 10) < %s AND (%s OR EXISTS (
        SELECT FROM examination x WHERE x.property = s.property AND x.stream = s.stream
            AND x.closed <= %s))"""


def _of_property(span: Span, property: str) -> Iterator[_Row]:
    """Yield the slip rows of the property's markers in the span, and the earlier rows with the same serials
    and currencies.
    """
    begins, ends = (
        bound if day is None else str(day) for day, bound in zip((span.begins, span.ends), EVER, strict=True)
    )
    every_book, until = book_values(span)
    of_days = _read(_OF_DAYS, [property, begins, ends, every_book, property, span.begins, span.ends, until])
    yield from of_days
    if span.begins is not None and (serials := sorted(_come_before(property, of_days))):
        keys = {row[:2] for row in of_days}
        yield from (
            row for row in _read(_BEFORE, [property, serials, begins, every_book, until]) if row[:2] in keys
        )


def _come_before(property: str, rows: Sequence[_Row]) -> set[str]:
    """Return the serials for which earlier days must be searched too, because markers may have been recorded
    under them there. These are serials under which these rows have only payments, and serials with a
    duplicate.
    """
    issued = {row[0] for row in rows if row[3] != PAID}
    return {row[0] for row in rows if row[0] not in issued} | again(property, MARKER, issued)


def _read(query: str, values: list[Any]) -> list[_Row]:
    return [
        (slip, currency, stream, movement, int(amount))
        for slip, currency, stream, movement, amount in database.rows(query, values)
    ]
