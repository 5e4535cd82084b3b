"""The rows of tallies, findings and facts as exports write them, and the number of findings that are not
notices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from audit import database
from audit.queries.span import DAYS, Span, bounds, day_values
from audit.replay.results import Finding


def grave_findings(streams: Iterable[tuple[str, str]]) -> int:
    """Return the number of findings of these streams, given as (property, stream). Notices are not
    counted.
    """
    properties, names = zip(*streams, strict=True)
    query = """SELECT count(*) FROM finding WHERE grade <> 'notice'
        AND (property, stream) IN (SELECT * FROM unnest(%s::text[], %s::text[]))"""
    return int(database.rows(query, [list(properties), list(names)])[0][0])


TALLY = (
    "property",
    "stream",
    "day",
    "currency",
    "shift",
    "hour",
    "dealer",
    "wager",
    "pay_table",
    "price_class",
    "opening",
    "rounds",
    "bets",
    "staked",
    "paid",
    "taken",
    "returned",
    "squared",
    "voided",
    "found",
)


def tally_rows(span: Span) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the tally, with the columns of TALLY, by property, stream and key."""
    columns = columns_as(
        TALLY,
        day="day::text",
        found="found::text",
        squared="squared::text",
        **{name: f"{name}::bigint" for name in ("rounds", "bets", "voided")},
    )
    query = f"""SELECT {columns} FROM tally JOIN ({DAYS}) AS days USING (property, stream)
        ORDER BY property, stream, currency, shift, hour, dealer, wager, pay_table, price_class, opening"""
    return database.stream_rows(query, day_values(span))


FINDING = Finding.__struct_fields__


def finding_rows(span: Span) -> Iterator[tuple[Any, ...]]:
    """Yield the current findings, with the columns of FINDING, in stream and number order.

    `owed` and `moved` are integers, or fractions such as `25/2`.
    """
    query = f"""SELECT {columns_as(FINDING, uid="uid::text")} FROM finding WHERE {_OF_DAYS}
        ORDER BY property, stream, number, code, spot NULLS FIRST, wager NULLS FIRST"""
    owed, moved = FINDING.index("owed"), FINDING.index("moved")
    for row in database.stream_rows(query, bounds(span)):
        yield tuple(_amount(cell) if place in (owed, moved) else cell for place, cell in enumerate(row))


FACT = ("property", "position", "stream", "number", "kind", "uid", "round", "recorded_at", "body")


def fact_rows(span: Span) -> Iterator[tuple[Any, ...]]:
    """Yield the recorded facts, with the columns of FACT, by property and in the order of commit."""
    return database.stream_rows(
        f"SELECT {', '.join(FACT)} FROM fact WHERE {_OF_DAYS} ORDER BY property, position", bounds(span)
    )


_OF_DAYS = """right(stream, 10)::date >= coalesce(%s, '-infinity'::date)
    AND right(stream, 10)::date < coalesce(%s, 'infinity'::date)
    AND (%s::text IS NULL OR property = %s)"""


def columns_as(names: Iterable[str], **casts: str) -> str:
    """Return SQL for these columns. Columns in `casts` are cast to the given type."""
    return ", ".join(casts.get(name, name) for name in names)


def _amount(text: str | None) -> int | str | None:
    return text if text is None or "/" in text else int(text)
