"""Verify pages of facts in one pass, without locating faults.

A page passes only if every fact in it is exactly as the append function writes it. If a page does not pass,
the caller reads it again with `audit.ledger.walk.Walk`, which is slower and names each fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from struct import Struct
from typing import Any

from audit.facts import HOUSE, decoder
from audit.facts.chain import FIRST
from audit.ledger import stored
from games.kit.events import Event, kind_of

INFINITE = (-(2**63), 2**63 - 1)
"""The integer values of the times -infinity and infinity in Postgres."""
_kinds: dict[type[Event], bytes] = {}
"""{type of a fact: the name of its kind}."""
_link = Struct(">c32sqq32s").pack
"""Packs the bytes whose hash is the next chain: 2, the chain before, position, number and leaf."""
_leaf = sha256(b"\0")
"""The hash of a leaf before its body. A copy of it costs less than a new hash."""


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


def add_page(part: LedgerPart, rows: Sequence[Any]) -> bool:
    """Add a page of rows, in the order of their positions, to a part of a ledger.

    Return False, and leave the part unchanged, if a fact is not exactly as the append function writes it.
    """
    streams: dict[bytes, StreamPart] = {}
    last, chain, time = part.last, part.chain, part.time
    leaves: list[bytes] = []
    try:
        stream, known = b"", None
        decode, new_leaf, link, add_leaf = decoder(), _leaf.copy, _link, leaves.append
        for position, name, number, kind, uid, round, body, leaf, linked, at in rows:
            event = decode(body)
            last += 1
            hashing = new_leaf()
            hashing.update(body)
            hashed = hashing.digest()
            chain = sha256(link(b"\2", chain, position, number, hashed)).digest()
            add_leaf(hashed)
            if position != last or hashed != leaf or chain != linked or time > at:
                return False
            time = at
            if known is None or name != stream:
                stream, known = name, _open_stream(part, streams, name, number, kind, event)
                table, day = known.table, known.day
            known.number += 1
            if (
                number != known.number
                or event.table != table
                or event.day != day
                or (event.uid.replace("-", "") != uid.hex() and not _is_uid(event.uid, uid))
                or (round is not None if event.round is None else round != event.round.encode())
                or (kind != _kinds.get(event.__class__) and kind != _name_of_kind(event))
            ):
                return False
            if kind == b"day-closed":
                known.sealed, known = True, None
        if time >= INFINITE[1] or len(part.chain) != len(FIRST):
            return False
    except Exception:  # Somebody may have changed these values in the database. Walk names the fault.
        return False
    if rows and part.first_time is None:
        part.first_time = rows[0][-1]
    part.streams |= streams
    part.last, part.chain, part.time = last, chain, time
    if part.leaves is not None:
        part.leaves += leaves
    return True


def _is_uid(text: str, uid: bytes) -> bool:
    """Return True if a text is this uid, also if it has upper-case digits."""
    return bytes.fromhex(text.replace("-", "")) == uid


def _name_of_kind(event: Event) -> bytes:
    return _kinds.setdefault(type(event), kind_of(event).encode())


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
