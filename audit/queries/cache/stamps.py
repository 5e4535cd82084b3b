"""The fingerprints of gaming days, which show if cached sums are current. Code that reads several aggregates,
such as a home page, can read every fingerprint only once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date

from audit import database
from audit.queries.span import OF_BOOKS, Span, day_values

Stamp = tuple[str, date, str]
"""A property, one of its gaming days, and the fingerprint of this day. The fingerprint is a hash of how far
each stream of the day was examined, and by which rules. It covers only streams that the requested books
include.
"""
_known: ContextVar[dict[tuple[str, Span], list[Stamp]] | None] = ContextVar("fingerprints", default=None)


@contextmanager
def stamps_read_once() -> Iterator[None]:
    """Let this block read the fingerprints of a day only once, so that all its sums are of the same facts.

    If a fact is examined before the block ends, sums that must be read again are not cached, because
    `aggregates.is_current` always reads the fingerprints from the database.
    """
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def read_ahead(span: Span) -> None:
    """Read the fingerprints of a span, to read its parts later. Outside `stamps_read_once`, do nothing."""
    if _known.get() is not None:
        stamps_of(span)


def stamps_of(span: Span) -> list[Stamp]:
    """Return the fingerprint of every day of the span that has a stream, in order.

    Adjustments are not included, so closed and restated books have the same fingerprints here.
    """
    known = _known.get()
    if known is None:
        return read_stamps(span)
    alias = database.read_alias()
    for (read_by, wider), stamps in known.items():
        if read_by == alias and _is_part(span, wider):
            return [stamp for stamp in stamps if _has_day(span, stamp[1])]
    return known.setdefault((alias, span), read_stamps(span))


def _is_part(span: Span, wider: Span) -> bool:
    """Return True if all streams of the span are also in the wider span, and are of the same books."""
    return (
        span._replace(begins=wider.begins, ends=wider.ends) == wider
        and (wider.begins is None or (span.begins is not None and wider.begins <= span.begins))
        and (wider.ends is None or (span.ends is not None and span.ends <= wider.ends))
    )


def _has_day(span: Span, day: date) -> bool:
    return (span.begins is None or span.begins <= day) and (span.ends is None or day < span.ends)


def read_stamps(span: Span) -> list[Stamp]:
    """Return the fingerprints of `stamps_of` as they are in the database now."""
    query = f"""SELECT property, day,
            count(*) || ' ' || bit_xor(hashtextextended(stream, hashtextextended(rules, cursor)))
        FROM examination
        WHERE day >= coalesce(%s, '-infinity'::date) AND day < coalesce(%s, 'infinity'::date)
            AND (%s::text IS NULL OR property = %s) AND {OF_BOOKS}
        GROUP BY property, day ORDER BY property, day"""
    return [(property, day, stamp) for property, day, stamp in database.rows(query, day_values(span))]
