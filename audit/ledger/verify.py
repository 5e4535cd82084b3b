"""Verify from the stored bytes that the ledger contains all recorded facts, unchanged and in the original
order. Reads only.

No stored leaf, chain, number or column is trusted. Each is computed again from the bodies and compared. One
or more processes verify page after page (`pages.py`). After the first page with a fault, one process verifies
fact by fact and names the faults (`walk.py`). If somebody rewrites the bodies and all later chains, only a
checkpoint reveals it (`audit/proofs/tree.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import psycopg
from django.db import transaction

from audit import database
from audit.garbage import without_garbage_collection
from audit.ledger import stored
from audit.ledger.pages import LedgerPart, add_page, join, part_before
from audit.ledger.stored import Unreadable
from audit.ledger.walk import Fault as Fault
from audit.ledger.walk import Walk
from audit.snapshot_map import Map, snapshot_map

RANGE = 16_384
"""Number of facts that one process verifies at a time. Small ranges keep all processes busy up to the end."""


class Verified(NamedTuple):
    """The result of verifying one property's ledger."""

    property: str
    facts: int
    streams: int
    faults: list[Fault]
    hashed: tuple[Any, ...] = ()
    """What `UseLeaves` returned for the ranges of a ledger without faults, from its first position on."""


UseLeaves = Callable[[str, int, bytes], Any]
"""The type of a function that is called in the process that verified a range. It gets the property, the
position before the range, and the leaves, which were computed from the bodies.
"""
VerifiedRange = tuple[LedgerPart, Any]
"""A range without faults, and what `UseLeaves` returned for it."""
Ranges = Mapping[tuple[str, int], VerifiedRange | None]
"""{(property, position before a range): the verified range, or None if it has a fault}."""
NO_RANGES: Ranges = MappingProxyType({})
Progress = Callable[[int], None]
NO_POSITIONS: Mapping[str, int] = MappingProxyType({})


def verify(progress: Progress = lambda facts: None, processes: int = 1) -> Iterator[Verified]:
    """Verify every property's ledger in turn, each in one snapshot, and yield the results.

    `progress` is called with the number of facts read so far.
    """
    for name in stored.names():
        with database.snapshot(), snapshot_map(processes) as parallel:
            yield _ledger(name, progress, parallel)


def ledgers(
    progress: Progress = lambda facts: None,
    processes: int = 1,
    since: Mapping[str, int] = NO_POSITIONS,
    use_leaves: UseLeaves | None = None,
    ranges: Ranges = NO_RANGES,
) -> Iterator[Verified]:
    """Verify every property's ledger in the caller's snapshot, and yield the results.

    If reading a ledger raises an error, the error is reported as a fault of that ledger, and the other
    ledgers are still verified.

    Args:
        progress: called with the number of facts read so far.
        processes: the number of processes.
        since: {property: position up to which its facts are not read again}.
        use_leaves: a function at the top level of a module, called with the leaves of each range.
        ranges: results of ranges that were verified before, with the same `use_leaves`.
    """
    with snapshot_map(processes) as parallel:
        for name in stored.names():
            try:
                with transaction.atomic():
                    before = since.get(str(name), 0)
                    verified = _ledger(name, progress, parallel, before, use_leaves, ranges)
            except Exception as error:
                says = f"could not be read to its end: {type(error).__name__}: {error}"
                verified = Verified(str(name), 0, 0, [Fault(str(name), None, "error", says)])
            yield verified


def _ledger(
    name: object,
    progress: Progress,
    parallel: Map[Any],
    since: int = 0,
    use_leaves: UseLeaves | None = None,
    ranges: Ranges = NO_RANGES,
) -> Verified:
    if not isinstance(name, str) or "\0" in name:
        says = "rows have a property whose name is not text: their facts cannot be verified"
        return Verified(str(name), 0, 0, [Fault(str(name), None, "column", says)])
    part = LedgerPart(name) if not since else part_before(name, since)
    # One of several processes counts the uids while others read facts.
    uids = iter(()) if since else parallel(_count_uids, [(name,)])
    hashed = _add_ranges(part, progress, parallel, use_leaves, ranges)
    faults: list[Fault] = []
    walk = Walk.after(part)
    for page in stored.read_pages(name, part.last):
        for row in map(stored.readable_row, page):
            if isinstance(row, Unreadable):
                walk.facts += 1
                faults.append(Fault(name, row.position, "column", row.says))
            else:
                faults.extend(walk.take(row))
        progress(walk.facts)
    faults.extend(_head(walk))
    faults.extend(_streams(walk, since))
    if since or next(uids) != walk.facts:
        named = {(fault.position, fault.kind) for fault in faults}
        doubled = _twice(name, since)
        faults.extend(fault for fault in doubled if (fault.position, fault.kind) not in named)
    return Verified(name, walk.facts - since, len(walk.streams), faults, () if faults else hashed)


def _add_ranges(
    part: LedgerPart, progress: Progress, parallel: Map[Any], use_leaves: UseLeaves | None, known: Ranges
) -> tuple[Any, ...]:
    """Verify ranges of a ledger. Stop at the first range in which a fact is wrong or missing. Verify no range
    if rows have impossible positions. Return what `use_leaves` returned for each range.
    """
    begins = part.last
    results: list[Any] = []
    last = last_position(part.property, begins)
    while (part.property, part.last) in known:
        verified = known[part.property, part.last]
        if verified is None or not join(part, verified[0]):
            return tuple(results)
        results.append(verified[1])
        progress(part.last)
    ranges = (
        (part.property, start, min(start + RANGE, last), use_leaves)
        for start in range(part.last, last, RANGE)
    )
    for verified in parallel(verify_range, ranges):
        if verified is None or not join(part, verified[0]):
            break
        results.append(verified[1])
        progress(part.last)
    return tuple(results)


def last_position(property: str, begins: int) -> int:
    """Return the position up to which the ranges of a ledger are verified. Return 0 if rows have impossible
    positions.

    The facts are not counted for it. Somebody may have given a fact a position far beyond the others, so the
    result is at most the number of facts for which the table has space.
    """
    ((first, last, space),) = stored.fetch(_ENDS, (property,) * 3)
    if not isinstance(last, int) or not isinstance(space, int) or first < 1:
        return 0
    return min(last, begins + space)


def verify_range(property: str, begins: int, ends: int, use_leaves: UseLeaves | None) -> VerifiedRange | None:
    """Verify the facts after position `begins` up to `ends`, and call `use_leaves` with their leaves. Return
    None if one of the facts has a fault.
    """
    part = LedgerPart(property, begins, begins, is_alone=True, leaves=[])
    if begins:
        rows = stored.fetch(_CHAIN, (property, begins))
        if len(rows) != 1 or not isinstance(rows[0][0], bytes):
            return None
        part.before = part.chain = rows[0][0]
    with without_garbage_collection():
        try:
            with transaction.atomic():
                if not all(add_page(part, page) for page in stored.read_columns(property, begins, ends)):
                    return None
        except psycopg.Error:  # somebody may have changed the type of a column
            return None
        if part.last != ends:
            return None
        leaves, part.leaves = b"".join(part.leaves or ()), None
        return part, use_leaves(property, begins, leaves) if use_leaves else None


def _head(walk: Walk) -> Iterator[Fault]:
    """Yield a fault if the stored head differs from the last fact in its position, chain or time."""
    heads = stored.fetch(
        "SELECT position, chain, recorded_at FROM public.head WHERE property = %s", (walk.property,)
    )
    if len(heads) != 1 or tuple(map(type, heads[0])) != (int, bytes, int):
        yield from walk.settle(b"")
        says = "is gone" if not heads else f"exists {len(heads)} times" if len(heads) > 1 else "is incomplete"
        yield Fault(walk.property, None, "head", says)
        return
    ((position, chain, time),) = heads
    yield from walk.settle(chain)
    if position > walk.last:
        yield from walk.miss(position)
        return
    if position != walk.last:
        yield Fault(walk.property, None, "head", f"is at {position}, but the last fact is at {walk.last}")
    elif position == 0:
        yield Fault(walk.property, None, "head", "is at 0 and has no facts: a ledger begins with a fact")
    if chain != walk.chain and chain != walk.made:
        yield Fault(
            walk.property, None, "head", f"has chain {chain.hex()}, but the last fact has {walk.chain.hex()}"
        )
    if walk.facts and time != walk.time:
        yield Fault(walk.property, None, "head", "has another time than the last fact")


def _streams(walk: Walk, since: int) -> Iterator[Fault]:
    """Yield a fault for each difference between the database table `stream` and the facts. If the ledger is
    read only after the position `since`, only streams with facts after this position are checked.
    """
    rows = stored.fetch(
        "SELECT name, number, sealed FROM public.stream WHERE property = %s ORDER BY name", (walk.property,)
    )
    in_table: dict[str, tuple[object, object]] = {}
    for raw, number, sealed in rows:
        name = str(stored.readable(raw))
        if since and name not in walk.streams:
            continue
        if name in in_table:
            yield Fault(walk.property, None, "stream", f"{name} exists twice")
        in_table[name] = number, {b"\1": True, b"\0": False}.get(sealed, sealed)
    for name in sorted(in_table.keys() | walk.streams.keys()):
        state = walk.streams.get(name)
        computed = (state.number, state.sealed) if state else None
        number = in_table[name][0] if name in in_table else None
        short = number - (state.number if state else 0) if isinstance(number, int) else 0
        if 0 < short <= walk.lost:  # its missing facts have already been reported as missing
            walk.lost -= short
        elif in_table.get(name) != computed:
            yield Fault(
                walk.property,
                None,
                "stream",
                f"{name} is stored with {_state(in_table.get(name))}, but its facts give {_state(computed)}",
            )


def _state(state: tuple[object, object] | None) -> str:
    """Return a text with the last number of a stream and whether the stream is sealed."""
    if state is None:
        return "nothing"
    number, sealed = state
    return f"number {number}, {'closed' if sealed is True else 'open' if sealed is False else repr(sealed)}"


def _twice(name: str, since: int) -> list[Fault]:
    """Return a fault for each uid that is recorded twice. This is possible only if the unique constraint was
    dropped.
    """
    query = """SELECT uid, position, first FROM (
            SELECT uid, position, min(position) OVER (PARTITION BY uid) AS first FROM public.fact
            WHERE property = %s AND uid IN (
                SELECT uid FROM public.fact WHERE property = %s GROUP BY uid HAVING count(*) > 1)) twice
        WHERE position > first ORDER BY position"""
    if since:
        query = """SELECT f.uid, f.position, g.position FROM public.fact f JOIN public.fact g
            ON g.property = f.property AND g.uid = f.uid AND g.position < f.position
            WHERE f.property = %s AND f.position > %s ORDER BY f.position"""
    return [
        Fault(name, position, "doubled", f"repeats the uid {uid.hex()} of the fact at {first}")
        for uid, position, first in stored.fetch(query, (name, since or name))
    ]


def _count_uids(name: str) -> int:
    """Return the number of different uids in the index of uids. No uid is recorded twice if it is the number
    of facts that were read.

    Reading the index in its order takes a fifth of the time of grouping the rows. The facts are read by
    another index, because somebody may have switched off the index of uids while rows were added.
    """
    with transaction.atomic():
        for setting in _BY_INDEX:
            database.execute(f"SET LOCAL {setting} = off")
        ((uids,),) = stored.fetch(_UIDS, (name,))
        for setting in _BY_INDEX:
            database.execute(f"SET LOCAL {setting} TO DEFAULT")
    return int(uids)


_BY_INDEX = ("enable_seqscan", "enable_bitmapscan")
_UIDS = "SELECT count(DISTINCT uid) FROM public.fact WHERE property = %s"
_ENDS = """SELECT
    (SELECT min(position) FROM public.fact WHERE property = %s),
    (SELECT position FROM public.fact WHERE property = %s ORDER BY position DESC NULLS FIRST LIMIT 1),
    (SELECT pg_catalog.pg_relation_size(tableoid) / 128 FROM public.fact WHERE property = %s LIMIT 1)"""
"""SQL for the first and the last position, and for the number of facts for which the table has space. The
last position is NULL if a fact has none. A fact has more than 128 bytes: its hashes, its uid, its two numbers
and its time have 104, and each row has 28 bytes in addition.
"""
_CHAIN = "SELECT chain FROM public.fact WHERE property = %s AND position = %s"
