"""Verify pages of facts in one pass, without locating faults.

A page passes only if every fact in it is exactly as the append function writes it. Otherwise the caller reads
it again with `audit.ledger.walk.Walk`, which is slower and names each fault.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from struct import Struct
from typing import Any

from audit.facts import HOUSE, decode
from audit.facts.chain import FIRST
from audit.ledger import stored
from games.kit.events import Event, kind_of

INFINITE = (-(2**63), 2**63 - 1)
"""The integer values of the times -infinity and infinity in Postgres."""
_kinds: dict[type[Event], bytes] = {}
"""{type of a fact: the name of its kind}."""
_place = Struct(">qq").pack


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


def part_before(property: str, position: int) -> LedgerPart:
    """Return the state of a ledger at a position, read from the stored rows without verifying them. The facts
    after the position can then be verified. Streams without a fact after the position are left out.
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


def add_page(part: LedgerPart, rows: Iterable[Any]) -> bool:
    """Add a page of rows, in the order of their positions, to a part of a ledger.

    Return False, and leave the part unchanged, if a fact is not exactly as the append function writes it.
    """
    streams: dict[bytes, StreamPart] = {}
    last, chain, time, first = part.last, part.chain, part.time, part.first_time
    try:
        for position, stream, number, kind, uid, round, body, leaf, linked, at in rows:
            last += 1
            hashed = sha256(b"\0" + body).digest()
            chain = sha256(b"\2" + chain + _place(position, number) + hashed).digest()
            if position != last or hashed != leaf or chain != linked or not time <= at < INFINITE[1]:
                return False
            time = at
            event = decode(body)
            known = streams.get(stream)
            if known is None:
                known = streams[stream] = _stream(part, stream, number, event)
            known.number += 1
            if (
                known.number != number
                or known.sealed
                or known.table != event.table
                or known.day != event.day
                or bytes.fromhex(event.uid.replace("-", "")) != uid
                or (round is not None if event.round is None else round != event.round.encode())
            ):
                return False
            name = _kinds.get(type(event)) or _kinds.setdefault(type(event), kind_of(event).encode())
            if name != kind:
                return False
            if kind == b"day-closed":
                known.sealed = True
            if number == 1 and kind != b"table-opened" and not _is_of_property(part.property, event.table):
                return False
            if first is None:
                first = at
    except Exception:  # Somebody may have changed these values in the database. Walk names the fault.
        return False
    part.streams |= streams
    part.last, part.chain, part.time, part.first_time = last, chain, time, first
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
