"""Read what journals need in addition to the tallies of closed days: which days are closed and since when,
the markers of each shift, and when a gaming day was over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from audit import database
from audit import facts as f
from audit.queries.money import OF_MONEY
from audit.queries.span import LAST, Span, bounds


class Stream(NamedTuple):
    """A gaming day of a table. `closed`: the position at which it was closed, or None if it is open in these
    books.

    `late`: True if its first fact was recorded after a later day of its table had been closed.
    """

    property: str
    name: str
    table: str
    day: date
    game: str
    live_dealer: bool
    closed: int | None
    late: bool


def streams(span: Span, named: Sequence[str] | None = None) -> Iterator[Stream]:
    """Yield every gaming day of every table in the span, by table and day. If `named` is given, yield only
    these streams.
    """
    query = """SELECT property, stream AS name, "table", day, game, live_dealer, CASE
        WHEN closed <= %s THEN closed END AS closed, late
        FROM examination WHERE game <> '' AND day >= coalesce(%s, '-infinity'::date)
            AND day < coalesce(%s, 'infinity'::date)
            AND (%s::text IS NULL OR property = %s) AND (%s::text[] IS NULL OR stream = ANY(%s))
                ORDER BY property, "table", day"""
    names = None if named is None else list(named)
    until = LAST if span.until is None else span.until
    yield from database.records(Stream, query, [until, *bounds(span), names, names])


def open_days(span: Span) -> dict[str, list[date]]:
    """Return {table: gaming days} of the days in the span that are open in these books, in order. Days that
    were recorded late are not in the result.
    """
    query = """SELECT "table", day FROM examination
        WHERE game <> '' AND NOT late AND (closed IS NULL OR closed > %s)
            AND day >= coalesce(%s, '-infinity'::date)
            AND day < coalesce(%s, 'infinity'::date) AND (%s::text IS NULL OR property = %s) ORDER BY 1, 2"""
    days: dict[str, list[date]] = {}
    for table, day in database.rows(query, [LAST if span.until is None else span.until, *bounds(span)]):
        days.setdefault(table, []).append(day)
    return days


class Markers(NamedTuple):
    """The markers of one table in one shift: the amounts issued and paid, without voided markers. If shifts
    are not requested, the amounts are of the whole day, and `shift` is empty.
    """

    stream: str
    currency: str
    shift: str
    issued: int
    paid: int


def markers(property: str, named: Sequence[str], *, by_shift: bool) -> list[Markers]:
    """Return the markers of these streams by currency, and also by shift if requested."""
    query = """SELECT stream, currency, CASE WHEN %s THEN shift ELSE '' END AS shift,
            coalesce(sum(CASE kind WHEN 'marker-issued' THEN amount WHEN 'marker-voided' THEN -amount END),
                0) AS issued,
            coalesce(sum(amount) FILTER (WHERE kind = 'marker-paid'), 0) AS paid
        FROM cage_tally WHERE property = %s AND stream = ANY(%s)
            AND kind IN ('marker-issued', 'marker-voided', 'marker-paid')
        GROUP BY 1, 2, 3"""
    return database.records(Markers, query, [by_shift, property, list(named)], issued=int, paid=int)


def properties() -> list[str]:
    """Return every property that has a ledger, by name."""
    return [row[0] for row in database.rows("SELECT property FROM head ORDER BY property", [])]


def first_positions(property: str, named: Collection[str]) -> dict[str, int]:
    """Return the ledger position of the first fact of each of these streams."""
    query = "SELECT stream, position FROM fact WHERE property = %s AND stream = ANY(%s) AND number = 1"
    return dict(database.rows(query, [property, sorted(named)]))


class Passed(NamedTuple):
    """The position at which a gaming day was over, and the chain's hash at that position."""

    position: int
    chain: str


def passed(property: str, day: date) -> Passed | None:
    """Return the position at which this gaming day was over. A gaming day is over when the first table is
    opened on a later gaming day. Return None if no table has been opened on a later gaming day.

    Facts that are recorded later do not change the result.
    """
    query = """SELECT f.position, encode(f.chain, 'hex') AS chain FROM stream s,
        LATERAL (SELECT position, chain FROM fact f
            WHERE f.property = s.property AND f.stream = s.name AND f.number = 1 OFFSET 0) f
        WHERE s.property = %s AND right(s.name, 10) > %s AND left(s.name, length(%s)) <> %s
            ORDER BY f.position LIMIT 1"""
    prefix = f"{property}/{f.HOUSE}/"
    return next(iter(database.records(Passed, query, [property, str(day), prefix, prefix])), None)


def chain_at(property: str, position: int) -> str:
    """Return the chain's hash at a position of the ledger, or an empty text if the ledger has not reached the
    position.
    """
    query = "SELECT encode(chain, 'hex') FROM fact WHERE property = %s AND position = %s"
    return next((chain for (chain,) in database.rows(query, [property, position])), "")


class State(NamedTuple):
    """The state of a gaming day. `closed` and `open` are texts that change when a closed or an open stream of
    the day is examined further, or by other rules. They include the property's own stream.

    Attributes:
        first: the position at which the first of the streams was closed.
        tables_closed: the number of tables whose gaming day is closed.
        tables_open: the number of tables whose gaming day is not closed.
    """

    day: date
    closed: str
    open: str
    first: int | None
    tables_closed: int
    tables_open: int


def states(property: str, begins: date, ends: date) -> Iterator[State]:
    """Yield the state of every gaming day, in order. `closed` is empty if the day has no closed stream, and
    `open` is empty if it has no open stream.
    """
    query = """SELECT day, count(closed) || ' ' || coalesce(bit_xor(made) FILTER (WHERE closed IS NOT NULL),
        0),
            count(*) - count(closed) || ' ' || coalesce(bit_xor(made) FILTER (WHERE closed IS NULL), 0),
            min(closed), count(closed) FILTER (WHERE game <> ''),
            count(*) FILTER (WHERE game <> '' AND closed IS NULL)
            FROM (SELECT day, closed, game, hashtextextended(stream, hashtextextended(rules, cursor))
                AS made FROM examination
            WHERE property = %s AND day >= %s AND day < %s) x GROUP BY day ORDER BY day"""
    for day, closed, open, *others in database.rows(query, [property, begins, ends]):
        yield State(
            day, "" if closed.startswith("0 ") else closed, "" if open.startswith("0 ") else open, *others
        )


def examined(property: str, named: Sequence[str]) -> list[tuple[str, int, str]]:
    """Return how far each of these streams was examined, and by which rules."""
    query = (
        "SELECT stream, cursor, rules FROM examination WHERE property = %s AND stream = ANY(%s) ORDER BY"
        " stream"
    )
    return (
        [(stream, cursor, rules) for stream, cursor, rules in database.rows(query, [property, list(named)])]
        if named
        else []
    )


class Before(NamedTuple):
    """The state of those streams of earlier days that may affect the amounts of later days. `text` is a
    fingerprint: it changes when one of these streams changes.

    Attributes:
        closed: the position at which the last of these streams was closed.
        late: True if one of them is open although a later day of its table is closed.
    """

    text: str
    closed: int
    late: bool


def counted_before(property: str, day: date) -> Before:
    """Return the state of those streams before this day that may affect later amounts.

    For each table, find the last stream in which a tray was counted and that was not recorded late. That
    stream and all later ones are included. Only the last stream is included if no stream of the table from
    this day on can have a tray. This is the case for live-dealer tables and for streams without a table.
    """
    query = """WITH RECURSIVE known AS (
            (SELECT "table" FROM examination WHERE property = %(property)s ORDER BY 1 LIMIT 1)
            UNION ALL SELECT next."table" FROM known k, LATERAL (SELECT "table" FROM examination e
                WHERE e.property = %(property)s AND e."table" > k."table" ORDER BY 1 LIMIT 1) next)
        SELECT count(*) || ' ' || coalesce(bit_xor(hashtextextended(s.stream || coalesce(' ' || s.closed, ''),
                hashtextextended(s.rules, s.cursor))), 0) AS text, coalesce(max(s.closed), 0) AS closed,
            coalesce(bool_or(s.closed IS NULL AND s.game <> '' AND EXISTS (SELECT FROM examination l
                WHERE l.property = %(property)s
                AND l."table" = k."table" AND l.day >= %(day)s AND l.closed IS NOT NULL)), false) AS late
        FROM known k, LATERAL (SELECT e.day FROM examination e
                WHERE e.property = %(property)s AND e."table" = k."table" AND e.day < %(day)s AND (
                    NOT e.late AND EXISTS (SELECT FROM tray_tally t WHERE t.property = e.property
                        AND t.stream = e.stream)
                    OR NOT EXISTS (SELECT FROM examination l
                        WHERE l.property = %(property)s AND l."table" = k."table" AND l.day >= %(day)s
                            AND l.game <> '' AND NOT l.live_dealer))
                ORDER BY e.day DESC LIMIT 1) last,
            LATERAL (SELECT * FROM examination e WHERE e.property = %(property)s AND e."table" = k."table"
                AND e.day >= last.day AND e.day < %(day)s OFFSET 0) s"""
    return database.records(Before, query, {"property": property, "day": day})[0]


class Adjusted(NamedTuple):
    """An adjustment: the gaming day on which it was recorded, the gaming day that it adjusts, its position,
    and the chain's hash at that position.
    """

    made: date
    of_day: date
    position: int
    chain: str


def adjusted_from(property: str, position: int) -> Iterator[Adjusted]:
    """Yield every adjustment from this ledger position on, in the order of commit."""
    query = """SELECT right(stream, 10)::date AS made,
        (convert_from(body, 'UTF8')::json->>'of_day')::date AS of_day, position, encode(chain, 'hex') AS chain
        FROM fact WHERE kind = 'adjusted' AND property = %s AND position >= %s ORDER BY position"""
    yield from database.records(Adjusted, query, [property, position])


def money_positions(property: str) -> dict[date, list[int]]:
    """Return {gaming day: positions of its facts about money}. Each of these facts has a document in the
    journal.
    """
    query = f"""SELECT right(stream, 10)::date, array_agg(position ORDER BY position) FROM fact
        WHERE property = %s AND {OF_MONEY} GROUP BY 1"""
    return dict(database.rows(query, [property]))


def days(property: str) -> tuple[date, date] | None:
    """Return the first and the last gaming day that have an examined stream, or None if no stream has been
    examined.
    """
    query = """SELECT (SELECT day FROM examination WHERE property = %s ORDER BY day LIMIT 1),
            (SELECT day FROM examination WHERE property = %s ORDER BY day DESC LIMIT 1)"""
    first, last = database.rows(query, [property, property])[0]
    return None if first is None else (first, last)
