"""Markers by serial: the amounts that were issued, voided and paid under each serial, at any table and on any
day, and the amounts that were written off and recovered.

The markers of which more or less was paid than issued are in the table `unpaid_marker`. For all other markers
nothing is cached. The requested days are read from `slip_tally` with an index that contains only markers, by
day (migration 0019). Earlier days are searched only for two groups of serials: serials that were paid but not
issued on the requested days, and serials with a duplicate of the kind MARKER in
`audit.findings.duplicate_serials`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cached_property, lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

from msgspec import json

from audit import database
from audit.facts import HOUSE
from audit.findings.duplicate_serials import MARKER
from audit.garbage import without_garbage_collection
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


_Row = tuple[str, str, str, str, str]
"""A serial, a currency, a stream, the event and the amount as text. The event is ISSUED, VOIDED, PAID,
WRITTEN_OFF or RECOVERED.
"""
ISSUED, VOIDED, PAID = "issued", "voided", "paid"
_ISSUES = frozenset({ISSUED, VOIDED})
OF_A_PAGE = 200
"""The number of markers that are searched by their serials. More markers are read with all others."""
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


_TOTALS = (ISSUED, PAID, WRITTEN_OFF, RECOVERED)
"""The events whose amounts are in Totals, in the order of its fields."""


class Markers:
    """The markers of a span, in order. `totals` is {currency: their amounts}. A page needs the keys and the
    totals of all markers, but only a few markers, so a marker is read when it is needed.
    """

    def __init__(self, span: Span) -> None:
        self._span = span
        self._other_rows: dict[str, list[_Row]] = {}
        self.keys: list[Key] = []
        sums: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(_TOTALS, 0))
        with without_garbage_collection():
            for property in _properties(span):
                keys, others = _keys(span, property)
                self.keys += [(property, *key) for key in sorted(keys)]
                self._other_rows[property] = others
                of_slips = database.rows(_SUMS, _values_of_days(span, property))
                for currency, movement, amount in [*of_slips, *map(itemgetter(1, 3, 4), others)]:
                    if movement != VOIDED:
                        sums[currency][movement] += int(amount)
        self.totals = {
            currency: Totals(*of_currency.values()) for currency, of_currency in sorted(sums.items())
        }

    def __iter__(self) -> Iterator[Marker]:
        return self.markers(self.keys)

    def markers(self, keys: Sequence[Key]) -> Iterator[Marker]:
        """Yield these markers, each with everything recorded under its serial up to the end of the span."""
        if len(keys) <= OF_A_PAGE:
            return markers_of(self._span, keys)
        return (_marker(key, self._all_rows[key]) for key in keys)

    @cached_property
    def _all_rows(self) -> dict[Key, list[_Row]]:
        return _by_key(
            (property, row)
            for property, others in self._other_rows.items()
            for row in chain(_read(_OF_DAYS, _values_of_days(self._span, property)), others)
        )


def _properties(span: Span) -> list[str]:
    return sorted(properties()) if span.property is None else [span.property]


def _by_key(rows: Iterable[tuple[str, _Row]]) -> dict[Key, list[_Row]]:
    by_key: dict[Key, list[_Row]] = {}
    for property, row in rows:
        by_key.setdefault((property, row[0], row[1]), []).append(row)
    return by_key


def _marker(key: Key, rows: Sequence[_Row]) -> Marker:
    """Return a marker from its rows."""
    issued, paid = [row for row in rows if row[3] in _ISSUES], [row for row in rows if row[3] == PAID]
    return Marker(
        *key,
        min(stream[: -DAY - 1] for _, _, stream, *_ in issued or rows),
        min((_day(row) for row in issued), default=None),
        sum(int(row[4]) for row in issued if row[3] == ISSUED),
        max((_day(row) for row in paid), default=None),
        sum(int(row[4]) for row in paid),
        sum(int(row[4]) for row in rows if row[3] == WRITTEN_OFF),
        sum(int(row[4]) for row in rows if row[3] == RECOVERED),
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


def balances(span: Span) -> list[Balance]:
    """Return the balance of each marker on which something is owed or more was paid than issued, or of which
    something was written off and not recovered, in the order of the keys. Everything up to the end of the
    span counts. Other balances stay in the database.
    """
    return [
        balance
        for property in _properties(span)
        for balance in _balances(span, property)
        if balance.owed or balance.written_off != balance.recovered
    ]


def _balances(span: Span, property: str) -> Iterator[Balance]:
    written_off: dict[tuple[str, str], dict[str, int]] = {}
    for slip, currency, _, movement, amount in _written_off(span, property):
        sums = written_off.setdefault((slip, currency), {WRITTEN_OFF: 0, RECOVERED: 0})
        sums[movement] += int(amount)
    unsettled = dict.fromkeys(written_off, (0, None)) | _unsettled(span, property, written_off)
    no_amounts = {WRITTEN_OFF: 0, RECOVERED: 0}
    for key in sorted(unsettled):
        (owed, issued_on), sums = unsettled[key], written_off.get(key, no_amounts)
        lost = sums[WRITTEN_OFF]
        yield Balance((property, *key), owed - lost, lost, sums[RECOVERED], issued_on)


def _unsettled(
    span: Span, property: str, written_off: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], tuple[int, date | None]]:
    """Return {(serial, currency): (the amount issued minus the amount paid, the first day of issue)} of the
    markers for which that amount is not 0 at the end of the span. Also return the markers `written_off`.
    """
    condition, values = _until(span, property)
    serials = sorted({slip for slip, _ in written_off})
    rows: list[tuple[str, str, str, date | None]] = []
    if span.books:
        rows += database.rows(_BALANCES.format("", condition), [property, *values, serials])
    else:
        ends = {"property": property, "ends": _bounds(span)[1], "day": span.ends or date.max}
        rows += database.rows(_UNSETTLED, ends)
        if serials:
            of_serials = _BALANCES.format("AND s.slip = ANY(%s)", condition)
            rows += database.rows(of_serials, [property, serials, *values, serials])
    return {(slip, currency): (int(amount), day) for slip, currency, amount, day in rows}


def markers_of(span: Span, keys: Sequence[Key]) -> Iterator[Marker]:
    """Yield these markers, each with everything recorded under its serial up to the end of the span."""
    rows: list[tuple[str, _Row]] = []
    for property in {key[0] for key in keys}:
        slips = {slip for of_property, slip, _ in keys if of_property == property}
        condition, values = _until(span, property)
        of_serials = _read(_OF_SERIALS.format(condition), [sorted(slips), property, *values])
        of_serials += (row for row in _written_off(span, property) if row[0] in slips)
        rows += ((property, row) for row in of_serials)
    by_key = _by_key(rows)
    return (_marker(key, by_key[key]) for key in keys)


def _until(span: Span, property: str) -> tuple[str, list[Any]]:
    """Return the SQL condition of the slips `s` before the end of the span in its books, and the values of
    its placeholders. There is no condition if all slips of the property are before the end.
    """
    condition, values = "", list[Any]()
    last_days = [] if span.ends is None else database.rows(_LAST_DAY, [property])
    if any(day >= str(span.ends) for (day,) in last_days):
        condition, values = 'AND right(s.stream, 10) COLLATE "C" < %s', [str(span.ends)]
    if span.books:
        condition += """ AND s.stream IN (SELECT x.stream FROM examination x WHERE x.property = s.property
            AND x.closed <= %s)"""
        values.append(book_values(span)[-1])
    return condition, values


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


_MOVEMENT = "CASE WHEN s.kind = 'marker-paid' THEN 'paid' WHEN s.stands THEN 'issued' ELSE 'voided' END"
_SLIPS = "FROM slip_tally s WHERE s.property = %s AND s.kind IN ('marker-issued', 'marker-paid')"
_ROWS = f"SELECT s.slip, s.currency, s.stream, {_MOVEMENT}, s.amount::text {_SLIPS}"
_NET = """sum(CASE WHEN s.kind = 'marker-paid' THEN -s.amount WHEN s.stands THEN s.amount ELSE 0 END)"""
_ISSUED_ON = """(min(right(s.stream, 10) COLLATE "C") FILTER (WHERE s.kind = 'marker-issued'))::date"""
_BALANCES = f"""SELECT s.slip, s.currency, {_NET}::text, {_ISSUED_ON}
    FROM (SELECT s.property, s.slip, s.currency, s.stream, s.kind, s.amount, s.stands {_SLIPS} {{0}}
        ORDER BY s.slip, s.currency OFFSET 0) s
    WHERE true {{1}} GROUP BY s.slip, s.currency HAVING {_NET} <> 0 OR s.slip = ANY(%s)"""
"""The slips are read in the order of an index. Without OFFSET 0, Postgres would sort them."""
_OF_PROPERTY = (
    "FROM slip_tally s WHERE s.property = %(property)s AND s.kind IN ('marker-issued', 'marker-paid')"
)
_UNSETTLED = f"""WITH later AS (SELECT s.slip, s.currency, {_NET} AS net {_OF_PROPERTY}
        AND right(s.stream, 10) >= %(ends)s GROUP BY 1, 2)
    SELECT slip, currency, (coalesce(u.issued - u.paid, 0) - coalesce(l.net, 0))::text,
        CASE WHEN u.issued_on < %(day)s THEN u.issued_on
            WHEN u.slip IS NULL THEN (SELECT {_ISSUED_ON} {_OF_PROPERTY} AND s.slip = l.slip
                AND s.currency = l.currency AND right(s.stream, 10) < %(ends)s) END
    FROM (SELECT * FROM unpaid_marker WHERE property = %(property)s) u
        FULL JOIN later l USING (slip, currency)
    WHERE coalesce(u.issued - u.paid, 0) <> coalesce(l.net, 0)"""
"""The balances of today in `unpaid_marker`, without the slips that are later than the end of the span."""
_OF_SERIALS = f"""SELECT s.* FROM unnest(%s::text[]) n (slip),
    LATERAL ({_ROWS} AND s.slip = n.slip {{0}} OFFSET 0) s"""
_LAST_DAY = """SELECT right(stream, 10) FROM slip_tally
    WHERE property = %s AND kind IN ('marker-issued', 'marker-paid')
    ORDER BY right(stream, 10) DESC LIMIT 1"""
_IN_DAYS = """AND right(s.stream, 10) >= %s AND right(s.stream, 10) < %s AND (%s OR s.stream IN (
        SELECT x.stream FROM examination x WHERE x.property = %s AND x.day >= coalesce(%s, '-infinity'::date)
            AND x.day < coalesce(%s, 'infinity'::date) AND x.closed <= %s))"""
_OF_DAYS = f"{_ROWS} {_IN_DAYS}"
_KEYS = f"""SELECT currency, is_issued, json_agg(slip)::text FROM (
        SELECT s.slip, s.currency, bool_or(s.kind = 'marker-issued') AS is_issued {_SLIPS} {_IN_DAYS}
        GROUP BY 1, 2) k GROUP BY 1, 2"""
"""The serials are aggregated to one text, which Python reads faster than thousands of rows."""
_SUMS = f"SELECT s.currency, {_MOVEMENT}, sum(s.amount)::text {_SLIPS} {_IN_DAYS} GROUP BY 1, 2"
_BEFORE = f"""{_ROWS} AND s.slip = ANY(%s) AND right(s.stream, 10) < %s AND (%s OR EXISTS (
        SELECT FROM examination x WHERE x.property = s.property AND x.stream = s.stream
            AND x.closed <= %s))"""


def _bounds(span: Span) -> tuple[str, str]:
    """Return the first day of the span and its end as texts."""
    return (
        EVER[0] if span.begins is None else str(span.begins),
        EVER[1] if span.ends is None else str(span.ends),
    )


def _values_of_days(span: Span, property: str) -> list[Any]:
    """Return the values of the placeholders in `_OF_DAYS`, `_KEYS` and `_SUMS`."""
    every_book, until = book_values(span)
    return [property, *_bounds(span), every_book, property, span.begins, span.ends, until]


def _keys(span: Span, property: str) -> tuple[set[tuple[str, str]], list[_Row]]:
    """Return the serial and currency of each of the property's markers in the span, and their rows that are
    not slips of the span: write-offs, recoveries, and earlier slips.
    """
    begins, _ = _bounds(span)
    listed = [
        (currency, is_issued, json.decode(slips, type=list[str]))
        for currency, is_issued, slips in database.rows(_KEYS, _values_of_days(span, property))
    ]
    others, before = list[_Row](), list[_Row]()
    for row in _written_off(span, property):
        (others if row[2][-DAY:] >= begins else before).append(row)
    keys = {(slip, currency) for currency, _, slips in listed for slip in slips}
    keys.update(map(itemgetter(0, 1), others))
    if span.begins is not None:
        issued = {slip for _, is_issued, slips in listed if is_issued for slip in slips}
        # A marker with one of these serials may have been issued before the span.
        serials = {slip for slip, _ in keys if slip not in issued} | possible_duplicates(
            property, MARKER, issued
        )
        before += _read(_BEFORE, [property, sorted(serials), begins, *book_values(span)])
    return keys, others + [row for row in before if row[:2] in keys]


def _written_off(span: Span, property: str) -> list[_Row]:
    """Return the rows of all write-offs and recoveries before the end of the span."""
    return [
        (fact.slip, fact.currency, f"{property}/{HOUSE}/{fact.day}", fact.kind, str(fact.amount))
        for fact in write_offs(property, ends=span.ends, until=book_values(span)[-1])
    ]


def _read(query: str, values: list[Any]) -> list[_Row]:
    rows: list[Any] = database.rows(query, values)
    return rows
