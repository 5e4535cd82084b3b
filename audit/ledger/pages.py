"""Verify pages of facts column by column, without locating faults.

A page passes only if every fact in it is exactly as the append function writes it. If a page does not pass,
the caller reads it again with `audit.ledger.walk.Walk`, which is slower and names each fault.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from struct import unpack

from audit.facts import HOUSE, decoder
from audit.facts.chain import FIRST
from audit.ledger import stored
from audit.ledger.page_checks import (
    INFINITE,
    are_columns_equal,
    are_streams_continued,
    are_times_in_order,
    leaves_of,
    numbers_if_hashes_match,
)
from audit.ledger.stored import Columns
from games.kit.events import Event


@dataclass(slots=True)
class StreamPart:
    """The facts of one stream that were read.

    Attributes:
        first: the number of the first of these facts.
    """

    table: str
    day: date
    first: int
    number: int
    sealed: bool = False


@dataclass(slots=True)
class LedgerPart:
    """The part of a ledger that was verified, from the position after `begins` up to `last`.

    Args:
        property: the property.
        begins: the position before the first fact.
        last: the last position.
        before: the chain before the first fact.
        chain: the chain of the last fact.
        first_time: the time at which the first fact was recorded; None if there is no fact.
        time: the time at which the last fact was recorded.
        streams: {name as stored: the facts of the stream}.
        is_alone: True for a part that is verified without the facts before it; `join` compares it with them.
        leaves: the leaves of the facts, computed from their bodies, or None if nobody needs them.
    """

    property: str
    begins: int = 0
    last: int = 0
    before: bytes = FIRST
    chain: bytes = FIRST
    first_time: int | None = None
    time: int = INFINITE[0] + 1
    streams: dict[bytes, StreamPart] = field(default_factory=dict)
    is_alone: bool = False
    leaves: list[bytes] | None = None


def part_before(property: str, position: int) -> LedgerPart:
    """Return the state of a ledger at a position, read from the stored rows without verifying them. The facts
    after the position can then be verified. The result has only streams with a fact after the position.
    """
    part = LedgerPart(property, position, position)
    for chain, at in stored.fetch(_AT, (property, position)):
        part.before = part.chain = chain
        part.first_time = part.time = at
    for name, number, kind in stored.fetch(_STREAMS, (position, property, property, position)):
        if number is not None:
            text = name.decode()
            state = text[:-11], date.fromisoformat(text[-10:]), number, number, kind == b"day-closed"
            part.streams[name] = StreamPart(*state)
    return part


def add_page(part: LedgerPart, page: Columns) -> bool:
    """Add a page of facts, in the order of their positions, to a part of a ledger.

    Return False, and leave the part unchanged, if a fact is not exactly as the append function writes it.
    """
    streams: dict[bytes, StreamPart] = {}
    try:
        bodies = page.bodies.split(b"\n")
        events = list(map(decoder(), bodies))
        times = unpack(f">{page.facts}q", page.times)
        numbers = numbers_if_hashes_match(part.chain, part.last + 1, page, bodies)
        if (
            numbers is None
            or len(events) != page.facts
            or not are_columns_equal(page, events)
            or not are_times_in_order(part.time, times)
            or not are_streams_continued(page, numbers, events, partial(_open_stream, part, streams))
        ):
            return False
    except Exception:  # Somebody may have changed these values in the database. Walk names the fault.
        return False
    if part.first_time is None:
        part.first_time = times[0]
    part.streams |= streams
    part.last, part.chain, part.time = part.last + page.facts, page.hashed[-32:], times[-1]
    if part.leaves is not None:
        part.leaves += leaves_of(page)
    return True


def join(part: LedgerPart, after: LedgerPart) -> bool:
    """Add the next part of a ledger, which was verified alone. Return False if it does not continue this
    part.
    """
    if (part.last, part.chain) != (after.begins, after.before) or part.time > (after.first_time or part.time):
        return False
    for name, stream in after.streams.items():
        known = part.streams.get(name)
        if stream.first != (known.number + 1 if known else 1) or (known and known.sealed):
            return False
    for name, stream in after.streams.items():
        known = part.streams.get(name)
        part.streams[name] = replace(stream, first=known.first) if known else stream
    part.last, part.chain, part.time = after.last, after.chain, max(part.time, after.time)
    if part.first_time is None:
        part.first_time = after.first_time
    return True


def _open_stream(
    part: LedgerPart, streams: dict[bytes, StreamPart], name: bytes, number: int, kind: bytes, event: Event
) -> StreamPart:
    """Return the state of the stream of this fact before the fact, in `streams`. Raise ValueError if the
    append function would have rejected the fact.
    """
    known = streams.get(name)
    if known is None:
        known = streams[name] = _stream(part, name, number, event)
        if number == 1 and kind != b"table-opened" and not _is_of_property(part.property, event.table):
            raise ValueError(kind)
    if known.sealed:
        raise ValueError(name)
    return known


def _stream(part: LedgerPart, name: bytes, number: int, event: Event) -> StreamPart:
    """Return the state of a stream before the fact with this number, which is the first fact of the stream on
    the page.
    """
    known = part.streams.get(name)
    if known is not None:
        return replace(known)
    if name != f"{event.table}/{event.day}".encode() or not event.table.startswith(f"{part.property}/"):
        raise ValueError(name)
    if not part.is_alone and number != 1:
        raise ValueError(number)
    return StreamPart(event.table, event.day, number, number - 1)


def _is_of_property(property: str, table: str) -> bool:
    return table == f"{property}/{HOUSE}"


_AT = "SELECT chain, recorded_at FROM public.fact WHERE property = %s AND position = %s"
_STREAMS = """SELECT n.stream, b.number, b.kind FROM (
        SELECT property, stream, min(number) AS number FROM public.fact
        WHERE position > %s AND property = %s GROUP BY property, stream) n
    LEFT JOIN LATERAL (SELECT number, kind FROM public.fact f
        WHERE f.property = %s AND f.stream = n.stream AND f.number < n.number AND f.position <= %s
        ORDER BY f.number DESC LIMIT 1) b ON true"""
