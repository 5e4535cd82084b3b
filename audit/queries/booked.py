"""What a journal is made from besides the closed tallies: which days are closed since when, markers by shift, how far the ledger goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
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


def last_day(property: str, until: int | None = None) -> date | None:
    """The latest gaming day of which anything stood in the ledger at this position; None: of which anything stands."""
    query = """SELECT right(s.name, 10)::date FROM (SELECT name FROM stream WHERE property = %s ORDER BY right(name, 10) DESC OFFSET 0) s,
        LATERAL (SELECT FROM fact f WHERE f.property = %s AND f.stream = s.name AND f.number = 1 AND f.position <= %s LIMIT 1) x LIMIT 1"""
    found = next(_rows(query, [property, property, LAST if until is None else until]), None)
    return None if found is None else found[0]
