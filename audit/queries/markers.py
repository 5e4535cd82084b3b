"""Markers by serial: the amounts that were issued, voided and paid under each serial, at any table and on any
day, and the amounts that were written off and recovered.

The markers that are not fully paid are in the table `unpaid_marker`. For all other markers nothing is cached.
The requested days are read from `slip_tally` with an index that contains only markers, by day (migration
0019). Earlier days are searched only for two groups of serials: serials that were paid but not issued on the
requested days, and serials with a duplicate of the kind MARKER in `audit.findings.duplicate_serials`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from audit import database
from audit.facts import HOUSE
from audit.findings.duplicate_serials import MARKER
from audit.queries.cage_lists import possible_duplicates
from audit.queries.closed_books import properties
from audit.queries.span import Span, book_values
from audit.queries.write_offs import BY_MARKER, RECOVERED, WRITTEN_OFF, write_offs

Key = tuple[str, str, str]
"""A property, a serial and a currency. Under one serial, each currency is a separate marker."""


class Marker(NamedTuple):
    """The amounts that were issued, voided and paid under the serial of one marker, at any table, up to the
    end of the span. `written_off` is what the casino no longer expects, and `recovered` is the part of it
    that was paid all the same.
    """

    property: str
    slip: str
    currency: str
    table: str
    issued_on: date | None
    issued: int
    paid_on: date | None
    paid: int
    written_off: int = 0
    recovered: int = 0


def owed(marker: Marker | Totals) -> int:
    """Return the amount of a marker, or of all markers of a currency, that is still owed."""
    return marker.issued - marker.paid - marker.written_off


_Row = tuple[str, str, str, str, int]
"""A serial, a currency, a stream, the event and the amount. The event is ISSUED, VOIDED, PAID,
WRITTEN_OFF or RECOVERED.
"""
ISSUED, VOIDED, PAID = "issued", "voided", "paid"
_ISSUES = frozenset({ISSUED, VOIDED})
DAY = len("2026-11-27")
EVER = ("0000-00-00", "9999-99-99")
"""The bounds of a span without a first or last day. As texts, they sort before and after every day in the
name of a stream.
"""


class Totals(NamedTuple):
    """The total amounts of markers that were issued, paid, written off and recovered, in minor units."""

    issued: int = 0
    paid: int = 0
    written_off: int = 0
    recovered: int = 0


_PLACE = {ISSUED: 0, PAID: 1, WRITTEN_OFF: 2, RECOVERED: 3}
"""{event: index of its amount in Totals}."""


class Markers:
    """The markers of a span, in order. `totals` is {currency: their amounts}."""

    def __init__(self, span: Span) -> None:
        self._rows: dict[Key, list[_Row]] = {}
        sums: dict[str, list[int]] = defaultdict(lambda: [0] * len(Totals._fields))
        for property in properties() if span.property is None else [span.property]:
            for row in _of_property(span, property):
                slip, currency, _, movement, amount = row
                self._rows.setdefault((property, slip, currency), []).append(row)
                if movement != VOIDED:
                    sums[currency][_PLACE[movement]] += amount
        self.keys = sorted(self._rows)
        self.totals = {currency: Totals(*amounts) for currency, amounts in sorted(sums.items())}

    def __iter__(self) -> Iterator[Marker]:
        return map(self.marker, self.keys)

    def balances(self) -> Iterator[Balance]:
        """Yield the balance of each marker, in the order of `keys`. It is faster than reading all markers."""
        return (_balance(key, self._rows[key]) for key in self.keys)

    def marker(self, key: Key) -> Marker:
        """Return one marker, with everything recorded under its serial up to the end of the span."""
        rows = self._rows[key]
        issued, paid = [row for row in rows if row[3] in _ISSUES], [row for row in rows if row[3] == PAID]
        return Marker(
            *key,
            min(stream[: -DAY - 1] for _, _, stream, *_ in issued or rows),
            min((_day(row) for row in issued), default=None),
            sum(row[4] for row in issued if row[3] == ISSUED),
            max((_day(row) for row in paid), default=None),
            sum(row[4] for row in paid),
            sum(row[4] for row in rows if row[3] == WRITTEN_OFF),
            sum(row[4] for row in rows if row[3] == RECOVERED),
        )


class Balance(NamedTuple):
    """The balance of one marker, in minor units.

    Attributes:
        key: the key of the marker.
        owed: what is still owed.
        written_off: what was written off.
        recovered: the part of `written_off` that was paid later.
        issued_on: the first gaming day on which it was issued, or None if it was never issued here.
    """

    key: Key
    owed: int
    written_off: int
    recovered: int
    issued_on: date | None


def _balance(key: Key, rows: Sequence[_Row]) -> Balance:
    """Return the balance of a marker from its rows. Each row is read only once."""
    sums, days = {ISSUED: 0, VOIDED: 0, PAID: 0, WRITTEN_OFF: 0, RECOVERED: 0}, []
    for _, _, stream, movement, amount in rows:
        sums[movement] += amount
        if movement in _ISSUES:
            days.append(stream[-DAY:])
    issued_on = _date(min(days)) if days else None
    owed = sums[ISSUED] - sums[PAID] - sums[WRITTEN_OFF]
    return Balance(key, owed, sums[WRITTEN_OFF], sums[RECOVERED], issued_on)


def unpaid(property: str, since: date) -> list[Marker]:
    """Return the markers on which something is owed and which have a fact on this gaming day or later, by
    serial.
    """
    return _markers('slip COLLATE "C", currency COLLATE "C"', property, since)


def largest_unpaid(property: str, since: date, maximum: int) -> list[Marker]:
    """Return the markers of `unpaid` with the largest unpaid amounts, the largest first.

    Args:
        maximum: the largest number of markers.
    """
    order = 'issued - paid - written_off DESC, slip COLLATE "C", currency COLLATE "C"'
    return _markers(order, property, since, maximum)


class UnpaidSum(NamedTuple):
    """The number of markers in one currency that are not fully paid, and what is owed on them, in minor
    units.
    """

    currency: str
    markers: int
    owed: int


def unpaid_sums(property: str, since: date) -> list[UnpaidSum]:
    """Return the sums of the markers of `unpaid`, by currency."""
    query = f"""SELECT currency, count(*), sum(issued - paid - written_off) FROM ({_UNPAID}) u
        GROUP BY currency ORDER BY currency COLLATE "C\""""
    rows = database.rows(query, [property, property, since])
    return [UnpaidSum(currency, markers, int(owed)) for currency, markers, owed in rows]


_UNPAID = f"""SELECT u.*, coalesce(w.amount, 0) AS written_off
    FROM unpaid_marker u LEFT JOIN ({BY_MARKER}) w ON w.slip = u.slip AND w.currency = u.currency
    WHERE u.property = %s AND u.last_on >= %s AND u.issued - u.paid > coalesce(w.amount, 0)"""
"""SQL for the markers on which something is owed. The table `unpaid_marker` is made of slips alone, so what
was written off is subtracted here.
"""


def _markers(order: str, property: str, since: date, maximum: int | None = None) -> list[Marker]:
    columns = ", ".join(f'"{name}"' for name in Marker._fields if name != "recovered")
    query = f"SELECT {columns} FROM ({_UNPAID}) u ORDER BY {order} LIMIT %s"
    return [
        Marker(property, slip, currency, table, issued_on, int(issued), paid_on, int(paid), int(written_off))
        for property, slip, currency, table, issued_on, issued, paid_on, paid, written_off in database.rows(
            query, [property, property, since, maximum]
        )
    ]


def _day(row: _Row) -> date:
    return _date(row[2][-DAY:])


_date = lru_cache(maxsize=4096)(date.fromisoformat)


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
    written_off = [
        (fact.slip, fact.currency, f"{property}/{HOUSE}/{fact.day}", fact.kind, fact.amount)
        for fact in write_offs(property, ends=span.ends, until=until)
    ]
    of_days = _read(_OF_DAYS, [property, begins, ends, every_book, property, span.begins, span.ends, until])
    of_days += (row for row in written_off if row[2][-DAY:] >= begins)
    yield from of_days
    keys = {row[:2] for row in of_days}
    if span.begins is not None and (serials := sorted(_come_before(property, of_days))):
        yield from (
            row for row in _read(_BEFORE, [property, serials, begins, every_book, until]) if row[:2] in keys
        )
    yield from (row for row in written_off if row[2][-DAY:] < begins and row[:2] in keys)


def _come_before(property: str, rows: Sequence[_Row]) -> set[str]:
    """Return the serials of these rows for which earlier days must be searched too, because a marker with the
    serial may have been issued there. These are the serials for which the rows have no issued marker, and
    the serials that may have been used twice.
    """
    issued = {row[0] for row in rows if row[3] in _ISSUES}
    return {row[0] for row in rows if row[0] not in issued} | possible_duplicates(property, MARKER, issued)


def _read(query: str, values: list[Any]) -> list[_Row]:
    return [
        (slip, currency, stream, movement, int(amount))
        for slip, currency, stream, movement, amount in database.rows(query, values)
    ]
