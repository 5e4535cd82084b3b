"""Write facts to the ledger and read them. One call of the append function records a batch of facts, which
are passed as arrays.

Facts are sent and read in PostgreSQL's binary format. `audit.binary_arrays` packs the arrays, because the
driver's own conversion of lists takes about a microsecond more per item. Readers use keyset pages, so that a
long read does not hold a snapshot and can continue where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from audit import database
from audit.binary_arrays import byteas, byteas_of_one_length, int4s, texts, uuids
from audit.facts import LEDGER_KINDS, OTHER_KINDS, Prepared, Refused, decode
from games.kit.events import Event

PAGE = 5000
"""Number of facts that one query reads."""
LAST = 2**63 - 1
"""The highest number that a fact can have."""
REFUSED = "CW001"
"""The SQLSTATE that the append function raises to reject a fact."""


class Recorded(NamedTuple):
    """The place of a recorded fact in the ledger. `fresh` is False if an earlier request had already recorded
    the fact.
    """

    uid: UUID
    stream: str
    number: int
    position: int
    chain: bytes
    fresh: bool


class PackedFacts(NamedTuple):
    """Facts of one property, with `values` as the arguments of the append function.

    Attributes:
        subjects: the property, stream and kind of each fact, without repetition.
    """

    property: str
    facts: Sequence[Prepared]
    uids: Sequence[UUID]
    streams: Sequence[str]
    kinds: Sequence[str]
    values: tuple[str | bytes, ...]
    subjects: set[tuple[str, str, str]]


class Row(NamedTuple):
    """A fact of a stream: its number in the stream, its position in the ledger, and its bytes."""

    number: int
    position: int
    body: bytes


class StreamRow(NamedTuple):
    """A stream: the number of its last fact, and whether its day is closed."""

    property: str
    name: str
    number: int
    sealed: bool


def pack(facts: Sequence[Prepared]) -> PackedFacts:
    """Return facts of one property as arguments of `append`. There must be at least one fact, and no uid
    twice.
    """
    uids, properties, streams, kinds, rounds, bodies, leaves, _ = zip(*facts, strict=True)
    names = {name: place for place, name in enumerate(dict.fromkeys(streams), 1)}
    values = (
        properties[0],
        texts(names),
        int4s(map(names.__getitem__, streams)),
        uuids([uid.int.to_bytes(16, "big") for uid in uids]),
        texts(kinds),
        texts(rounds),
        byteas(bodies),
        byteas_of_one_length(leaves),
    )
    subjects = set(zip(properties, streams, kinds, strict=True))
    return PackedFacts(properties[0], facts, uids, streams, kinds, values, subjects)


def append(batch: PackedFacts) -> list[Recorded]:
    """Record a batch of one property's facts in the given order, inside the caller's transaction. Either all
    facts are recorded, or none. Return the place of each fact in the ledger, in the order of the batch.

    Raises Refused if a uid is already recorded with another body, if a stream is sealed, or if a stream does
    not begin with table-opened. After that the transaction can only be rolled back.
    """
    numbers, positions, chains, fresh, last = _append(_APPEND, batch)
    if fresh is None:
        count = len(batch.facts)
        positions, fresh = range(last - count + 1, last + 1), repeat(True, count)
    columns = batch.uids, batch.streams, numbers, positions, chains, fresh
    return list(map(_recorded, zip(*columns, strict=True)))


def append_without_places(
    batch: PackedFacts, meanwhile: Callable[[], object] | None = None
) -> Sequence[bool] | None:
    """Record a batch as `append` does, but do not read the places of the facts. Return True for each new fact
    and False for each other, in the order of the batch, or None if all facts are new.

    Args:
        meanwhile: a function to call while the server records the batch.
    """
    fresh: Sequence[bool] | None
    (fresh,) = _append(_APPEND_WITHOUT_PLACES, batch, meanwhile)
    return fresh


def _append(query: str, batch: PackedFacts, meanwhile: Callable[[], object] | None = None) -> Any:
    """Return the row of a query that calls the append function. Raises Refused as `append` does."""
    try:
        return next(database.prepared_rows(query, batch.values, meanwhile=meanwhile))
    except psycopg.Error as error:
        raise _refusal(error, batch.facts) from error


def learned(property: str, stream: str, until: int | None = None) -> list[Event]:
    """Return the corrected readings and the cancelled rounds of a stream (the facts `read-corrected` and
    `round-cancelled`), in the order of the stream.

    Args:
        until: the last ledger position to read, or None for the whole stream.
    """
    query = """SELECT body FROM fact
        WHERE property = %s AND stream = %s AND kind IN ('read-corrected', 'round-cancelled')
            AND (%s::bigint IS NULL OR position <= %s) ORDER BY number"""
    rows = database.prepared_rows(query, [property, stream, until, until])
    return [decode(bytes(body)) for (body,) in rows]


def read_stream(property: str, stream: str, after: int = 0) -> Iterator[Row]:
    """Yield the facts of a stream in the order of play, from the fact after number `after` on."""
    while True:
        page = list(database.prepared_rows(_STREAM_PAGE, (property, stream, after), _row))
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].number


def read_bodies(
    property: str, stream: str, after: int = 0, until: int | None = None
) -> Iterator[Sequence[tuple[int, bytes]]]:
    """Yield pages of (number, body) of a stream's facts in the order of play. The first fact is the one after
    number `after`. The last fact has the number `until`; if `until` is None, it is the last fact of the
    stream.
    """
    last = LAST if until is None else until
    while True:
        page = list(database.prepared_rows(_BODIES_PAGE, (property, stream, after, last)))
        yield page
        if len(page) < PAGE:
            return
        after = page[-1][0]


def read_kinds(
    property: str, kinds: Collection[str], after: int = 0
) -> Iterator[tuple[int, str, int, bytes]]:
    """Yield (position, stream, number, body) of a property's facts of these kinds after the position `after`,
    in the order of commit.

    Only the kinds in facts.LEDGER_KINDS have an index. Raises ValueError for any other kind.
    """
    if strange := set(kinds) - LEDGER_KINDS:
        raise ValueError(f"there is no index of the facts of these kinds: {', '.join(sorted(strange))}")
    wanted = sorted(kinds)
    while True:
        page = list(
            database.prepared_rows(
                *(
                    (_REGISTERS_PAGE, (property, after))
                    if wanted == [REGISTER]
                    else (_KINDS_PAGE, (property, after, wanted))
                )
            )
        )
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1][0]


def streams() -> list[StreamRow]:
    """Return every stream of every property, by property and name."""
    return list(
        database.prepared_rows(
            "SELECT property, name, number, sealed FROM stream ORDER BY 1, 2", (), StreamRow._make
        )
    )


# This is four times faster than _make, which runs Python code for each row.
_recorded: Callable[[Sequence[Any]], Recorded] = partial(tuple.__new__, Recorded)
_row: Callable[[Sequence[Any]], Row] = partial(tuple.__new__, Row)
_APPEND = "SELECT numbers, positions, chains, fresh, last FROM append_facts(%s, %s, %s, %s, %s, %s, %s, %s)"
_APPEND_WITHOUT_PLACES = "SELECT fresh FROM append_facts(%s, %s, %s, %s, %s, %s, %s, %s)"
_STREAM_PAGE = f"""SELECT number, position, body FROM fact
    WHERE property = %s AND stream = %s AND number > %s ORDER BY number LIMIT {PAGE}"""
_BODIES_PAGE = f"""SELECT number, body FROM fact
    WHERE property = %s AND stream = %s AND number > %s AND number <= %s ORDER BY number LIMIT {PAGE}"""
OF_THE_LEDGER = f"kind NOT IN ({', '.join(repr(kind) for kind in OTHER_KINDS)})"
"""The SQL condition of the index that has only the facts that the ledger fold may read. Postgres uses the
index only if a query repeats this condition.
"""
_KINDS_PAGE = f"""SELECT position, stream, number, body FROM fact
    WHERE property = %s AND position > %s AND {OF_THE_LEDGER} AND kind = ANY (%s)
    ORDER BY position LIMIT {PAGE}"""

REGISTER = "register-set"
_REGISTERS_PAGE = f"""SELECT position, stream, number, body FROM fact
    WHERE property = %s AND position > %s AND kind = '{REGISTER}' ORDER BY position LIMIT {PAGE}"""
"""SQL for one page of a property's register entries. Migration 0018 adds an index for this query, because the
entries are few and are read often.
"""


def _refusal(error: psycopg.Error, batch: Sequence[Prepared]) -> Exception:
    """Return a Refused that names the fact which the append function rejected. Return any other database
    error unchanged.
    """
    diagnosis = error.diag
    if error.sqlstate != REFUSED or diagnosis.message_primary is None:
        return error
    place = next((at for at, fact in enumerate(batch) if str(fact.uid) == diagnosis.message_detail), None)
    return Refused(
        diagnosis.constraint_name or "",
        diagnosis.message_primary,
        field=diagnosis.column_name,
        uid=diagnosis.message_detail,
        index=place,
    )
