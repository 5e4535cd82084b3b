"""Read adjustments, which change figures of closed days. They are not part of tallies, and their facts have
their own index.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from msgspec import json

from audit.queries.examination import covered_rows
from audit.queries.span import LAST, Span, book_values, bounds


class Adjustment(NamedTuple):
    """One `adjusted` fact. `day`: the gaming day on which it was recorded. `of_day`: the gaming day that it
    adjusts.

    `of`: the uid of the adjusted fact. This field and the kind and shift of that fact are empty if the
    adjustment names no fact. `currency`: the currency in which the table was open when the adjusted fact was
    recorded. For the count of a box, this is the currency at the time when the box was pulled. If the
    adjustment names no fact, it is the last currency of the adjusted day. `live_dealer`: True if the table is
    a live-dealer table.
    """

    property: str
    position: int
    day: date
    table: str
    of_day: date
    stream: str
    what: str
    currency: str
    amount: int
    reason: str
    by: str
    second: str
    uid: str
    of: str
    of_kind: str
    shift: str
    game: str
    live_dealer: bool
    closed: bool


_UID = f"^{'[0-9a-f]' * 8}(-{'[0-9a-f]' * 4}){{3}}-{'[0-9a-f]' * 12}$"
_ADJUSTED = f"""SELECT f.property, position, right(stream, 10)::date AS made, of_table, of_day, body,
        concat_ws('/', of_table, of_day) AS of_stream, CASE WHEN "of" ~* '{_UID}' THEN "of"::uuid END AS "of"
    FROM fact f, LATERAL (
        SELECT * FROM json_to_record(convert_from(f.body, 'UTF8')::json)
            AS said (of_table text, of_day date, "of" text) OFFSET 0) s
    WHERE kind = 'adjusted' AND position <= %s AND (%s::text IS NULL OR f.property = %s)"""
_PULLED = """CASE WHEN o.kind IN ('drop-counted', 'count-verified') THEN (
        SELECT max(p.number) FROM fact p
        WHERE p.property = o.property AND p.stream = o.stream AND p.kind = 'box-pulled'
            AND p.number < o.number
            AND p.kind IN ('table-closed', 'opener-counted', 'closer-counted', 'fill-sent', 'credit-sent',
                'slip-voided', 'box-pulled', 'drop-counted')
            AND convert_from(p.body, 'UTF8')::json->>'box' = convert_from(o.body,
                'UTF8')::json->>'box') END"""
"""SQL for the number of the fact that pulled the box whose count is adjusted. It is null if the adjusted fact
is not a count.
"""
_OPENED = f"""SELECT convert_from(t.body, 'UTF8')::json->>'currency' FROM fact t
    WHERE t.property = a.property AND t.stream = a.of_stream
        AND t.kind IN ('table-opened', 'dealer-seated', 'round-opened', 'corrected')
            AND t.kind = 'table-opened'
        AND t.number <= coalesce(
            CASE WHEN o.stream = a.of_stream THEN coalesce({_PULLED}, o.number) END, {LAST})
    ORDER BY t.number DESC LIMIT 1"""
"""SQL for the currency in which the table was open when the adjusted fact was recorded."""


def adjustments(span: Span) -> Iterator[Adjustment]:
    """Yield every adjustment made in the span, in the order of commit."""
    yield from _adjustments("right(stream, 10)::date", span, None)


def restating(span: Span, streams: Sequence[str] | None = None) -> Iterator[Adjustment]:
    """Yield every adjustment of the span's days, regardless of when it was recorded. If `streams` is given,
    yield only adjustments of these streams.
    """
    yield from _adjustments("of_day", span, streams, _named_days(span, streams))


def restated_days(span: Span) -> Iterator[tuple[str, date, int]]:
    """Yield (property, adjusted day, position) of every adjustment of the span's days, in the order of
    commit.

    These adjustments are part of the fingerprints of cached aggregates.
    """
    begins, ends, property, _ = bounds(span)
    naming = _named_days(span, None)
    query = f"""SELECT property, of_day, position FROM ({_ADJUSTED} AND {_NAMED}) a
        WHERE of_day >= coalesce(%s, '-infinity'::date) AND of_day < coalesce(%s, 'infinity'::date)
        ORDER BY property, position"""
    until = book_values(span)[1]
    yield from covered_rows(query, [until, property, property, naming, naming, begins, ends])


FEW = 8
"""Maximum number of texts that one query searches for in the facts. Each text names a day. If there are more
days than this, each text names a month. If there are also more months than this, each text names a year.
"""
_NAMED = """(%s::bytea[] IS NULL OR EXISTS (
    SELECT FROM unnest(%s::bytea[]) AS named (day) WHERE position(named.day IN f.body) > 0))"""


def _named_days(span: Span, streams: Sequence[str] | None) -> list[bytes] | None:
    """Return texts by which the query finds the requested adjustments without parsing every fact. Return None
    if there would be too many texts, or if the span has no first or last day.

    The fact of an adjustment contains the adjusted day. Each text is therefore such a day, or only its month
    or its year if there are many days.
    """
    if streams is not None:
        days = {stream[-10:] for stream in streams}
    elif span.begins is not None and span.ends is not None:
        days = {
            str(span.begins + timedelta(days=number))
            for number in range(min((span.ends - span.begins).days, 366 * FEW))
        }
    else:
        return None
    by_length = ({day[:letters] for day in days} for letters in (10, 7, 4))
    shortest = next((names for names in by_length if len(names) <= FEW), None)
    return None if shortest is None else [f'"of_day":"{name}'.encode() for name in sorted(shortest)]


def _adjustments(
    days: str, span: Span, streams: Sequence[str] | None, naming: list[bytes] | None = None
) -> Iterator[Adjustment]:
    """Yield the adjustments whose date in the column `days` is in the span."""
    begins, ends, property, _ = bounds(span)
    until = book_values(span)[1]
    # Each adjustment is read once before the facts that it names are looked up. The ledger may be read here,
    # because the fingerprint of a cached aggregate includes the position of the adjustment, and the day is
    # closed.
    query = f"""WITH a AS MATERIALIZED ({_ADJUSTED}
            AND {days} >= coalesce(%s, '-infinity'::date) AND {days} < coalesce(%s, 'infinity'::date)
            AND {_NAMED} AND (%s::text[] IS NULL OR concat_ws('/', of_table, of_day) = ANY(%s)))
        SELECT a.property, a.position, a.made, a.of_table, a.of_day, a.of_stream, a.body,
            coalesce(({_OPENED}), ''), coalesce(o.kind, ''),
            coalesce(convert_from(o.body, 'UTF8')::json->>'shift', ''),
            coalesce(x.game, ''), coalesce(x.live_dealer, false), coalesce(x.closed <= %s, false)
        FROM a
        LEFT JOIN LATERAL (SELECT * FROM examination x
            WHERE x.property = a.property AND x.stream = a.of_stream OFFSET 0) x ON true
        LEFT JOIN LATERAL (SELECT * FROM fact o
            WHERE o.property = a.property AND o.uid = a.of OFFSET 0) o ON true
        ORDER BY a.property, a.position"""
    named = None if streams is None else list(streams)
    values = [until, property, property, begins, ends, naming, naming, named, named, until]
    for row in covered_rows(query, values):
        name, position, made_on, table, of_day, stream, body, currency, of_kind, shift, game, live, closed = (
            row
        )
        fact: dict[str, Any] = json.decode(bytes(body))
        yield Adjustment(
            property=name,
            position=position,
            day=made_on,
            table=table,
            of_day=of_day,
            stream=stream,
            what=fact["what"],
            currency=currency,
            amount=fact["amount"],
            reason=fact["reason"],
            by=fact["by"],
            second=fact["second"],
            uid=fact["uid"],
            of=fact.get("of") or "",
            of_kind=of_kind,
            shift=shift,
            game=game,
            live_dealer=live,
            closed=closed,
        )
