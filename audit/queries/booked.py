"""What a journal is made from besides the closed tallies: which days are closed since when, markers by shift, when a day was over."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from audit.queries import LAST, Span, _bounds, _rows


class Stream(NamedTuple):
    """A table's gaming day. `closed`: the position of its close, None where it is open as the books stood."""

    property: str
    name: str
    table: str
    day: date
    game: str
    live_dealer: bool
    closed: int | None


def streams(span: Span, named: Sequence[str] | None = None) -> Iterator[Stream]:
    """Every table's gaming day of the span, by table and day; of `named` alone where they are named."""
    query = """SELECT property, stream, "table", day, game, live_dealer, CASE WHEN closed <= %s THEN closed END FROM examination
        WHERE game <> '' AND day >= coalesce(%s, '-infinity'::date) AND day < coalesce(%s, 'infinity'::date)
            AND (%s::text IS NULL OR property = %s) AND (%s::text[] IS NULL OR stream = ANY(%s)) ORDER BY property, "table", day"""
    names = None if named is None else list(named)
    for row in _rows(query, [LAST if span.until is None else span.until, *_bounds(span), names, names]):
        yield Stream._make(row)


def closed_after(position: int, span: Span) -> Iterator[Stream]:
    """Of the days of the span those that were closed after this position, or are open as the books stood."""
    query = """SELECT property, stream, "table", day, game, live_dealer, CASE WHEN closed <= %s THEN closed END FROM examination
        WHERE game <> '' AND (closed IS NULL OR closed > %s) AND day >= coalesce(%s, '-infinity'::date)
            AND day < coalesce(%s, 'infinity'::date) AND (%s::text IS NULL OR property = %s)"""
    for row in _rows(query, [LAST if span.until is None else span.until, position, *_bounds(span)]):
        yield Stream._make(row)


def first_closed(begins: date, ends: date, span: Span) -> dict[str, int]:
    """Table to where the first of its days from one to another (not in) was closed, as the books stood."""
    query = """SELECT "table", min(closed) FROM examination
        WHERE game <> '' AND closed <= %s AND day >= %s AND day < %s AND (%s::text IS NULL OR property = %s) GROUP BY 1"""
    until = LAST if span.until is None else span.until
    return {table: int(closed) for table, closed in _rows(query, [until, begins, ends, span.property, span.property])}


def began_late(span: Span, named: Sequence[str]) -> set[str]:
    """Of these streams those that began after one of their table's next NEAR days was closed, as the books stood."""
    query = """SELECT e.stream FROM examination e
            JOIN fact f ON f.property = e.property AND f.stream = e.stream AND f.number = 1,
            LATERAL (SELECT min(l.closed) AS closed FROM examination l WHERE l.property = e.property AND l."table" = e."table"
                AND l.game <> '' AND l.day > e.day AND l.day <= e.day + %s AND l.closed <= %s) later
        WHERE (%s::text IS NULL OR e.property = %s) AND e.stream = ANY(%s) AND f.position > later.closed"""
    until = LAST if span.until is None else span.until
    return {name for (name,) in _rows(query, [NEAR, until, span.property, span.property, list(named)])}


def open_days(span: Span) -> dict[str, list[date]]:
    """Table to its gaming days of the span that are open as the books stood, in their order."""
    query = """SELECT "table", day FROM examination
        WHERE game <> '' AND (closed IS NULL OR closed > %s) AND day >= coalesce(%s, '-infinity'::date)
            AND day < coalesce(%s, 'infinity'::date) AND (%s::text IS NULL OR property = %s) ORDER BY 1, 2"""
    found: dict[str, list[date]] = {}
    for table, day in _rows(query, [LAST if span.until is None else span.until, *_bounds(span)]):
        found.setdefault(table, []).append(day)
    return found


class Markers(NamedTuple):
    """What was issued and paid at one table in one shift: amounts, voided markers taken out."""

    stream: str
    currency: str
    shift: str
    issued: int
    paid: int


def markers(property: str, named: Sequence[str]) -> Iterator[Markers]:
    """The markers of these streams by currency and shift."""
    query = """SELECT stream, currency, shift,
            coalesce(sum(CASE kind WHEN 'marker-issued' THEN amount WHEN 'marker-voided' THEN -amount END), 0),
            coalesce(sum(amount) FILTER (WHERE kind = 'marker-paid'), 0)
        FROM cage_tally WHERE property = %s AND stream = ANY(%s) AND kind IN ('marker-issued', 'marker-voided', 'marker-paid')
        GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""
    for row in _rows(query, [property, list(named)]):
        yield Markers._make((*row[:3], int(row[3]), int(row[4])))


def properties() -> list[str]:
    """Every property that has a ledger, by name."""
    return [row[0] for row in _rows("SELECT property FROM head ORDER BY property", [])]


def began(property: str, named: Collection[str]) -> dict[str, int]:
    """Where in the ledger each of these streams began."""
    query = "SELECT stream, position FROM fact WHERE property = %s AND stream = ANY(%s) AND number = 1"
    return dict(_rows(query, [property, sorted(named)]))


def passed(property: str, day: date, until: int | None = None) -> int | None:
    """The position at which the first table was opened on a later gaming day, as the ledger stood at `until`; None: none was."""
    query = """SELECT min(f.position) FROM examination e, LATERAL (SELECT position FROM fact f
            WHERE f.property = e.property AND f.stream = e.stream AND f.number = 1 AND f.position <= %s OFFSET 0) f
        WHERE e.property = %s AND e.day > %s AND e.day <= %s AND e.game <> ''"""
    for ends in (day + timedelta(days=NEAR), date.max):
        found = next(_rows(query, [LAST if until is None else until, property, day, ends]))[0]
        if found is not None:
            return int(found)
    return None


NEAR = 62
"""Days behind one in which a house is open again, as a rule: of later days only whoever finds none in these is asked."""
