"""Lists for the cage and the count room: counted trays, slips by serial, missing serials, boxes that stayed
on a table, and tables that were not opened.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date, datetime
from functools import lru_cache
from typing import NamedTuple

from msgspec import json

from audit import database
from audit.queries.examination import covered_rows
from audit.queries.span import DAYS, OF_BOOKS, Span, book_values, day_values
from audit.replay.ledger_fold import parse_serials, read_serials


class Tray(NamedTuple):
    """One opener or closer.

    Attributes:
        place: its ordinal among the trays of its stream.
    """

    property: str
    table: str
    day: date
    place: int
    shift: str
    kind: str
    currency: str
    amount: int


_TRAY = """d.property, d."table", d.day, t.place, t.shift, t.kind, t.currency, t.amount"""
_TRAYS_OF = (
    "LATERAL (SELECT * FROM tray_tally t WHERE t.property = {0}.property AND t.stream = {0}.stream OFFSET"
    " 0) t"
)
"""SQL that reads the trays of each stream separately. Without OFFSET 0, the planner would read the trays of
all days.
"""


def trays(span: Span) -> Iterator[Tray]:
    """Yield every opener and closer of the span, in no particular order."""
    query = f"SELECT {_TRAY} FROM ({DAYS}) d, {_TRAYS_OF.format('d')}"
    yield from database.records(Tray, query, day_values(span), amount=int)


def last_trays(tables: Collection[tuple[str, str, str | None]], before: date, span: Span) -> Iterator[Tray]:
    """Yield the last tray that was counted before this day for each (property, table, currency). A currency
    of None means any currency.
    """
    properties, names, currencies = zip(*tables, strict=True) if tables else ((), (), ())
    query = f"""SELECT {_TRAY} FROM unnest(%s::text[], %s::text[], %s::text[]) w (property, "table",
        currency),
            LATERAL (SELECT e.* FROM examination e WHERE e.property = w.property AND e."table" = w."table"
                AND e.day < %s AND {OF_BOOKS} AND EXISTS (SELECT FROM tray_tally y
                    WHERE y.property = e.property AND y.stream = e.stream
                    AND (w.currency IS NULL OR y.currency = w.currency))
                ORDER BY e.day DESC LIMIT 1) d,
            LATERAL (SELECT * FROM tray_tally t WHERE t.property = d.property AND t.stream = d.stream
                AND (w.currency IS NULL OR t.currency = w.currency) ORDER BY place DESC LIMIT 1) t"""
    values = [list(properties), list(names), list(currencies), before, *book_values(span)]
    yield from database.records(Tray, query, values, amount=int)


def shifts_begun(span: Span) -> dict[tuple[str, str], int]:
    """Return {(stream, shift): ordinal}. The shifts of a stream are numbered from 1 in the order of the times
    at which they begin according to the table's openings.
    """
    query = f"""SELECT d.stream, o.shifts FROM ({DAYS}) d
        JOIN examination x ON x.property = d.property AND x.stream = d.stream,
        LATERAL (SELECT f.number, convert_from(f.body, 'UTF8')::json->>'shifts' AS shifts FROM fact f
            WHERE f.property = x.property AND f.stream = x.stream AND f.number <= x.cursor
                AND kind = 'table-opened' AND kind IN {BESIDE_PLAY} OFFSET 0) o
        ORDER BY d.stream, o.number"""
    openings: dict[str, tuple[str, ...]] = {}
    for stream, text in covered_rows(query, day_values(span)):
        openings[stream] = (*openings.get(stream, ()), text or "{}")
    return {
        (stream, name): place
        for stream, texts in openings.items()
        for place, name in enumerate(_in_order(texts), 1)
    }


@lru_cache(maxsize=1024)
def _in_order(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of shifts in the order of the times at which they begin. A later opening replaces the
    times of an earlier one. Most tables of a day have the same shifts.

    Args:
        texts: the field `shifts` of each opening of a stream, as JSON.
    """
    shifts: dict[str, datetime] = {}
    for text in texts:
        shifts.update(json.decode(text, type=dict[str, datetime]))
    return tuple(name for _, name in sorted((at, name) for name, at in shifts.items()))


BESIDE_PLAY = """(
    'box-pulled', 'chips-bought', 'closer-counted', 'count-verified', 'credit-sent', 'day-closed',
        'dealer-seated', 'drop-counted',
    'fill-sent', 'marker-issued', 'marker-paid', 'opener-counted', 'slip-voided', 'table-closed',
        'table-opened')"""
"""The list of kinds in an index of migration 0009. Postgres uses the index only if a query repeats the list
exactly.
"""


class Slip(NamedTuple):
    """The records of one serial in one stream, for one kind of slip.

    The kind SPOILT means that the serial was voided but never sent or issued in the stream.

    Attributes:
        number: how often the serial was recorded in that stream.
    """

    property: str
    table: str
    day: date
    shift: str
    kind: str
    slip: str
    currency: str
    number: int
    amount: int
    stands: bool


def slips(span: Span, kinds: tuple[str, ...]) -> Iterator[Slip]:
    """Yield every slip of these kinds in the span, in no particular order."""
    query = f"""SELECT d.property, d."table", d.day, s.shift, s.kind, s.slip, s.currency, s.number, s.amount,
        s.stands FROM ({DAYS}) d,
        LATERAL (SELECT * FROM slip_tally t WHERE t.property = d.property AND t.stream = d.stream
            AND t.kind = ANY(%s) OFFSET 0) s"""
    yield from database.records(Slip, query, [*day_values(span), list(kinds)], number=int, amount=int)


Serial = tuple[str, ...]
"""A property, and the serial of a slip at that property."""


def possible_duplicates(property: str, kind: str, serials: Collection[str]) -> set[str]:
    """Return the serials that may have been recorded more than once. Only the given serials are searched.

    Args:
        kind: the kind of duplicate, see `audit.findings.duplicate_serials`.
    """
    if not serials:
        return set()
    query = "SELECT slip FROM serial_again WHERE property = %s AND kind = %s AND slip >= %s AND slip <= %s"
    noted = {slip for (slip,) in database.rows(query, [property, kind, min(serials), max(serials)])}
    return noted.intersection(serials)


def noted_duplicates(property: str, kind: str, lowest: str) -> set[str]:
    """Return all serials from `lowest` on that may have been recorded more than once.

    Args:
        kind: the kind of duplicate, see `audit.findings.duplicate_serials`.
    """
    query = "SELECT slip FROM serial_again WHERE property = %s AND kind = %s AND slip >= %s"
    return {slip for (slip,) in database.rows(query, [property, kind, lowest])}


def streams_of(serials: Collection[Serial]) -> dict[Serial, dict[str, int]]:
    """Return {serial: {kind: number of streams in which slips of this kind have the serial}}. All days and
    all tables are searched.
    """
    if not serials:
        return {}
    properties, names = zip(*sorted(serials), strict=True)
    query = """SELECT n.property, n.slip, s.kind, count(*) FROM unnest(%s::text[], %s::text[]) n (property,
        slip),
        LATERAL (SELECT kind FROM slip_tally t WHERE t.property = n.property AND t.slip = n.slip OFFSET 0) s
            GROUP BY 1, 2, 3"""
    numbers: dict[Serial, dict[str, int]] = {}
    for property, slip, kind, number in database.rows(query, [list(properties), list(names)]):
        numbers.setdefault((property, slip), {})[kind] = number
    return numbers


class SerialGap(NamedTuple):
    """A range of missing numbers in a series, from the first to the last.

    Attributes:
        digits: the number of digits in the series' numbers, or 0 if it varies.
    """

    property: str
    series: str
    first: int
    last: int
    digits: int = 0

    def serial(self, number: int) -> str:
        """Return the serial of a number as printed on paper, with leading zeros."""
        return f"{self.series}-{number:0{self.digits}d}"

    def says(self) -> str:
        """Return the range of missing serials as text."""
        first = self.serial(self.first)
        return first if self.first == self.last else f"{first} to {self.last:0{self.digits}d}"


def missing_slips(property: str | None) -> Iterator[SerialGap]:
    """Yield the ranges of serials that are missing now, by property and series. A serial that was recorded
    late is not missing.
    """
    # A state is long, so it is read only if the serials are not stored apart from it.
    query = """SELECT property, serials, CASE WHEN serials IS NULL THEN state END FROM ledger_examination
        WHERE state IS NOT NULL AND (%s::text IS NULL OR property = %s) ORDER BY property"""
    for name, serials, state in database.prepared_rows(query, [property, property]):
        by_series = read_serials(bytes(state)) if serials is None else parse_serials(serials)
        for series, numbers in sorted(by_series.items()):
            yield from (
                SerialGap(name, series, first, last, numbers.digits or 0)
                for first, last in sorted(numbers.missing)
            )


def found_at(span: Span, code: str) -> dict[tuple[str, str], set[str]]:
    """Return the uids of the facts that have a finding of this code, by (property, stream)."""
    query = f"""SELECT f.property, f.stream, f.uid::text FROM finding f
        JOIN ({DAYS}) d USING (property, stream) WHERE code = %s"""
    uids: dict[tuple[str, str], set[str]] = {}
    for property, stream, uid in database.rows(query, [*day_values(span), code]):
        uids.setdefault((property, stream), set()).add(uid)
    return uids


class Stay(NamedTuple):
    """A box that stayed on its table for one or more nights.

    Attributes:
        days: the gaming days at whose end the box stayed on the table.
        counted_with: the gaming day at whose end it was pulled, or None if it is still on the table.
    """

    property: str
    table: str
    days: tuple[date, ...]
    counted_with: date | None


_STAYED = "(x.boxes = 0 OR x.stays) AND (%(every)s OR x.closed <= %(until)s)"
_PULLED = """p.property = {0}.property AND p."table" = {0}."table" AND p.day > {0}.day AND p.boxes > 0
    AND NOT p.stays
    AND (%(every)s OR p.closed <= %(until)s) AND NOT (%(booked)s AND p.late)"""
_NONE_PULLED = f"NOT EXISTS (SELECT FROM examination p WHERE {_PULLED} AND p.day < %(begins)s)"
_STAYS = f"""WITH RECURSIVE known AS (
        SELECT h.property, first."table" FROM head h,
            LATERAL (SELECT "table" FROM examination e WHERE e.property = h.property ORDER BY 1 LIMIT 1) first
        WHERE %(begins)s::date IS NOT NULL AND (%(property)s::text IS NULL OR h.property = %(property)s)
        UNION ALL SELECT k.property, next."table" FROM known k, LATERAL (SELECT "table" FROM examination e
            WHERE e.property = k.property AND e."table" > k."table" ORDER BY 1 LIMIT 1) next),
    there AS MATERIALIZED (
        SELECT k.property, k."table" FROM known k, LATERAL (SELECT x.property, x."table", x.day
            FROM examination x
            WHERE x.property = k.property AND x."table" = k."table" AND x.day < %(begins)s AND {_STAYED}
                ORDER BY x.day DESC LIMIT 1) s
        WHERE {_NONE_PULLED.format("s")}),
    days AS (
        SELECT x.property, x."table", x.day FROM examination x
            WHERE {_STAYED} AND (%(property)s::text IS NULL OR x.property = %(property)s)
                AND x.day >= coalesce(%(begins)s, '-infinity'::date)
                    AND x.day < coalesce(%(ends)s, 'infinity'::date)
        UNION ALL SELECT x.property, x."table", x.day FROM there t
            JOIN examination x USING (property, "table")
            WHERE x.day < %(begins)s AND {_STAYED} AND {_NONE_PULLED.format("x")})
    SELECT d.property, d."table", d.day, later.day FROM days d
    LEFT JOIN LATERAL (SELECT p.day FROM examination p WHERE {_PULLED.format("d")} ORDER BY p.day
        LIMIT 1) later ON true ORDER BY 1, 2, 3"""
"""SQL for the days at whose end a box stayed on its table: the days of the span, and the days before it if
the box was still on its table when the span began.
"""


def stays(span: Span, *, booked: bool = False) -> list[Stay]:
    """Return every box that stayed overnight and was on its table on a day of the span, by table and day.

    Args:
        booked: True for a journal. In a journal, a day that was recorded late does not end the stay of a box
            from an earlier day.
    """
    every, until = book_values(span)
    stayed: dict[tuple[str, str, date | None], list[date]] = {}
    for property, table, day, counted_with in database.rows(
        _STAYS, span._asdict() | {"every": every, "until": until, "booked": booked}
    ):
        stayed.setdefault((property, table, counted_with), []).append(day)
    return [
        Stay(property, table, tuple(days), counted_with)
        for (property, table, counted_with), days in stayed.items()
    ]


class Closed(NamedTuple):
    """A table that was not opened on the day `day`. `last_open`: the last day before on which it was open.
    `closer`: the amount of the closer of that last day, or None if there is no closer.
    """

    property: str
    table: str
    day: date
    last_open: date
    currency: str
    closer: int | None


def unopened(span: Span) -> Iterator[Closed]:
    """Yield tables that were not opened on a day, by day and table. Only days on which the property was open
    are included, and only tables that had been open before.
    """
    query = f"""WITH RECURSIVE wanted AS MATERIALIZED (SELECT property, "table", day, game FROM ({DAYS}) d),
        days AS (SELECT DISTINCT property, day FROM wanted WHERE game <> ''),
        known AS (
            SELECT p.property, first."table" FROM (SELECT DISTINCT property FROM days) p,
                LATERAL (SELECT "table" FROM examination e WHERE e.property = p.property ORDER BY 1
                    LIMIT 1) first
            UNION ALL SELECT k.property, next."table" FROM known k,
                LATERAL (SELECT "table" FROM examination e WHERE e.property = k.property
                    AND e."table" > k."table"
                    ORDER BY 1 LIMIT 1) next),
        since AS (SELECT k.*, first.day FROM known k, LATERAL (SELECT day FROM examination e
            WHERE e.property = k.property AND e."table" = k."table" AND e.game <> '' ORDER BY day
                LIMIT 1) first)
        SELECT d.property, k."table", d.day, x.day AS last_open, coalesce(c.currency, '') AS currency,
            c.amount AS closer
        FROM days d JOIN since k ON k.property = d.property AND k.day < d.day
        CROSS JOIN LATERAL (SELECT day, stream FROM examination e
            WHERE e.property = d.property AND e."table" = k."table" AND e.day < d.day ORDER BY e.day DESC
                LIMIT 1) x
        LEFT JOIN LATERAL (SELECT currency, amount FROM tray_tally t
            WHERE t.property = d.property AND t.stream = x.stream AND t.kind = 'closer-counted'
                ORDER BY place DESC LIMIT 1) c ON true
        WHERE NOT EXISTS (SELECT FROM wanted w WHERE w.property = d.property AND w."table" = k."table"
            AND w.day = d.day)
        ORDER BY d.day, k."table\""""
    yield from database.records(
        Closed,
        query,
        day_values(span),
        closer=lambda amount: None if amount is None else int(amount),
    )
