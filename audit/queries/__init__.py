"""All that pages, reports and exports ask of the tallies and findings: the only place with the SQL of reports.

A span of days is half-open: `begins` is in, `ends` is not; None is no bound. Amounts are whole minor units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, NamedTuple

from django.db import connection, transaction
from msgspec import json

PAGE = 2000
"""Rows taken from the server at a time."""


class Span(NamedTuple):
    """The gaming days, and the property, that are asked about; None = all."""

    begins: date | None = None
    ends: date | None = None
    property: str | None = None


class TableDay(NamedTuple):
    """What was counted in one stream in one currency; in one shift where shifts are asked for, else `shift` is empty.

    A count in `openers`, `closers`, `pulled`, `counted`, `verified` is how many there were. Voided slips are taken out of
    `fills` and `credits`. `corrected` is signed, + to the player. `cage` = any fact of cage or count room came.
    """

    property: str
    stream: str
    table: str
    day: date
    game: str
    live_dealer: bool
    open_boxes: int
    currency: str
    shift: str
    rounds: int
    staked: int
    paid: int
    taken: int
    returned: int
    corrected: int
    openers: int
    opener: int
    closers: int
    closer: int
    fills: int
    credits: int
    pulled: int
    counted: int
    drop: int
    verified: int
    verified_drop: int
    bought: int
    corrections: int
    slips_voided: int
    voided_amount: int
    cage: bool


_DAYS = """SELECT property, stream, "table", day, game, live_dealer, open_boxes, settings FROM examination
    WHERE day >= coalesce(%s, '-infinity'::date) AND day < coalesce(%s, 'infinity'::date) AND (%s::text IS NULL OR property = %s)"""

_TABLE_DAYS = f"""WITH days AS ({_DAYS}),
play AS (
    SELECT t.property, t.stream, t.currency, CASE WHEN %s THEN t.shift ELSE '' END AS shift,
           sum(t.rounds) FILTER (WHERE t.wager = '') AS rounds,
           sum(t.staked) AS staked, sum(t.paid) AS paid, sum(t.taken) AS taken, sum(t.returned) AS returned
    FROM tally t JOIN days USING (property, stream) GROUP BY 1, 2, 3, 4),
cage AS (
    SELECT c.property, c.stream, c.currency, CASE WHEN %s THEN c.shift ELSE '' END AS shift,
           sum(amount) FILTER (WHERE kind = 'corrected') AS corrected,
           sum(number) FILTER (WHERE kind = 'opener-counted') AS openers, sum(amount) FILTER (WHERE kind = 'opener-counted') AS opener,
           sum(number) FILTER (WHERE kind = 'closer-counted') AS closers, sum(amount) FILTER (WHERE kind = 'closer-counted') AS closer,
           sum(CASE kind WHEN 'fill-sent' THEN amount WHEN 'fill-voided' THEN -amount ELSE 0 END) AS fills,
           sum(CASE kind WHEN 'credit-sent' THEN amount WHEN 'credit-voided' THEN -amount ELSE 0 END) AS credits,
           sum(number) FILTER (WHERE kind = 'box-pulled') AS pulled,
           sum(number) FILTER (WHERE kind = 'drop-counted') AS counted, sum(amount) FILTER (WHERE kind = 'drop-counted') AS drop,
           sum(number) FILTER (WHERE kind = 'count-verified') AS verified,
           sum(amount) FILTER (WHERE kind = 'count-verified') AS verified_drop,
           sum(amount) FILTER (WHERE kind = 'chips-bought') AS bought,
           sum(number) FILTER (WHERE kind = 'corrected') AS corrections,
           sum(number) FILTER (WHERE kind LIKE '%%-voided') AS slips_voided,
           sum(amount) FILTER (WHERE kind LIKE '%%-voided') AS voided_amount,
           bool_or(kind <> 'corrected') AS cage
    FROM cage_tally c JOIN days USING (property, stream) GROUP BY 1, 2, 3, 4)
SELECT property, stream, "table", day, game, live_dealer, open_boxes, currency, shift,
       coalesce(rounds, 0), coalesce(staked, 0), coalesce(paid, 0), coalesce(taken, 0), coalesce(returned, 0), coalesce(corrected, 0),
       coalesce(openers, 0), coalesce(opener, 0), coalesce(closers, 0), coalesce(closer, 0), coalesce(fills, 0), coalesce(credits, 0),
       coalesce(pulled, 0), coalesce(counted, 0), coalesce(drop, 0), coalesce(verified, 0), coalesce(verified_drop, 0),
       coalesce(bought, 0), coalesce(corrections, 0), coalesce(slips_voided, 0), coalesce(voided_amount, 0), coalesce(cage, false)
FROM play FULL JOIN cage USING (property, stream, currency, shift) JOIN days USING (property, stream)
ORDER BY "table", day, currency, shift"""


def table_days(span: Span, *, by_shift: bool = False) -> Iterator[TableDay]:
    """What every table counted on each of the days, by table and day."""
    for row in _rows(_TABLE_DAYS, [*_bounds(span), by_shift, by_shift]):
        yield TableDay._make((*row[:9], *map(int, row[9:-1]), row[-1]))


class Sight(NamedTuple):
    """One opening of a table: the game, and the kinds that its equipment sees."""

    table: str
    day: date
    game: str
    sees: frozenset[str]


def sights(span: Span) -> Iterator[Sight]:
    """What every table saw on each of the days, by table and day."""
    query = f"""SELECT "table", day, opening.value->>1, (opening.value->2)::text
        FROM ({_DAYS}) AS days, jsonb_array_elements(settings) WITH ORDINALITY AS opening (value, place) ORDER BY 1, 2, opening.place"""
    for table, day, game, sees in _rows(query, _bounds(span)):
        yield Sight(table, day, game, frozenset(json.decode(sees, type=list[str])))


def grave_findings(streams: Iterable[tuple[str, str]]) -> int:
    """How many findings that are no notices stand in these (property, stream)."""
    properties, names = zip(*streams, strict=True)
    query = """SELECT count(*) FROM finding WHERE grade <> 'notice'
        AND (property, stream) IN (SELECT * FROM unnest(%s::text[], %s::text[]))"""
    count: int = next(_rows(query, [list(properties), list(names)]))[0]
    return count


TALLY = (
    "property", "stream", "day", "currency", "shift", "hour", "dealer", "wager", "pay_table", "price_class", "opening",
    "rounds", "bets", "staked", "paid", "taken", "returned", "squared", "voided", "found",
)  # fmt: skip


def tally_rows(span: Span) -> Iterator[tuple[Any, ...]]:
    """The rows of the tally, with the columns of TALLY, by property, stream and key; read as they are taken."""
    columns = _as(
        TALLY,
        day="day::text",
        found="found::text",
        squared="squared::text",
        **{name: f"{name}::bigint" for name in ("rounds", "bets", "voided")},
    )
    query = f"""SELECT {columns} FROM tally JOIN ({_DAYS}) AS days USING (property, stream)
        ORDER BY property, stream, currency, shift, hour, dealer, wager, pay_table, price_class, opening"""
    return _pages(query, _bounds(span))


FINDING = (
    "id", "stream", "number", "uid", "round", "code", "grade", "spot", "wager", "owed", "moved", "says", "cite", "slip",
)  # fmt: skip


def finding_rows(span: Span) -> Iterator[tuple[Any, ...]]:
    """The findings that stand, with the columns of FINDING, in stream and number order. `owed` and `moved`: an integer, or `25/2`."""
    query = f"""SELECT {_as(FINDING, uid="uid::text")} FROM finding WHERE {_OF_DAYS}
        ORDER BY property, stream, number, code, spot NULLS FIRST, wager NULLS FIRST"""
    owed, moved = FINDING.index("owed"), FINDING.index("moved")
    for row in _pages(query, _bounds(span)):
        yield tuple(_amount(cell) if place in (owed, moved) else cell for place, cell in enumerate(row))


FACT = ("property", "position", "stream", "number", "kind", "uid", "round", "recorded_at", "body")


def fact_rows(span: Span) -> Iterator[tuple[Any, ...]]:
    """The recorded facts, with the columns of FACT, in the order of commit of each property; read as they are taken."""
    return _pages(f"SELECT {', '.join(FACT)} FROM fact WHERE {_OF_DAYS} ORDER BY property, position", _bounds(span))


_OF_DAYS = """right(stream, 10)::date >= coalesce(%s, '-infinity'::date) AND right(stream, 10)::date < coalesce(%s, 'infinity'::date)
    AND (%s::text IS NULL OR property = %s)"""


def _as(names: Iterable[str], **casts: str) -> str:
    """The columns, some of them cast to what a sheet shows."""
    return ", ".join(casts.get(name, name) for name in names)


def _amount(text: str | None) -> int | str | None:
    return text if text is None or "/" in text else int(text)


def _bounds(span: Span) -> list[Any]:
    return [span.begins, span.ends, span.property, span.property]


def _rows(query: str, values: list[Any] | dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        yield from cursor.fetchall()


def _pages(query: str, values: list[Any]) -> Iterator[tuple[Any, ...]]:
    """Rows through a cursor of the server: memory stays flat however many they are."""
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(query, values)
        while page := cursor.fetchmany(PAGE):
            yield from page
