"""Read the entries of a property's log (`log-written`) directly from the ledger, through their own index."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from msgspec import json

from audit import database
from audit.queries.span import Span


class Logged(NamedTuple):
    """One `log-written` fact with all fields of its body. `words` is None if the words were erased or were
    never stored here.
    """

    property: str
    position: int
    day: date
    uid: str
    body: dict[str, Any]
    words: str | None


def logged(span: Span, about: str) -> Iterator[Logged]:
    """Yield the entries of these days whose subject begins with `about`, in the order of commit."""
    query = """SELECT f.property, f.position, right(f.stream, 10)::date AS day, f.uid::text, f.body, w.words
        FROM fact f LEFT JOIN free_words w
            ON w.property = f.property AND w.sha256 = convert_from(f.body, 'UTF8')::json->>'words_sha256'
        WHERE kind = 'log-written' AND (%s::text IS NULL OR f.property = %s)
            AND position <= coalesce(%s, 9223372036854775807)
            AND right(f.stream, 10)::date >= coalesce(%s, '-infinity'::date)
                AND right(f.stream, 10)::date < coalesce(%s, 'infinity'::date)
        ORDER BY f.property, f.position"""
    values = [span.property, span.property, span.until, span.begins, span.ends]
    for entry in database.records(Logged, query, values, body=lambda body: json.decode(bytes(body))):
        if str(entry.body.get("about", "")).startswith(about):
            yield entry


def erased(property: str) -> bool:
    """Return True if the words of at least one log entry are not stored here, because they were erased or
    never stored.
    """
    query = """SELECT EXISTS (SELECT FROM fact f WHERE kind = 'log-written' AND f.property = %s
        AND NOT EXISTS (SELECT FROM free_words w
            WHERE w.property = f.property AND w.sha256 = convert_from(f.body,
                'UTF8')::json->>'words_sha256'))"""
    return bool(database.rows(query, [property])[0][0])


def head(property: str) -> tuple[int, str]:
    """Return the last position of the property's ledger, and the chain's hash at that position."""
    position, chain = database.rows("SELECT position, chain FROM head WHERE property = %s", [property])[0]
    return position, bytes(chain).hex()
