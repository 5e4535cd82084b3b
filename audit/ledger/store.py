"""The ledger's one writer and its readers. A batch is one call of the append function, over arrays.

Facts go and come in the database's binary form, packed here: the driver's own lists cost a microsecond an
item. Readers take keyset pages, so that a long read holds no snapshot and can go on from where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import chain, repeat
from struct import Struct
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from django.db import connection
from psycopg.adapt import Dumper
from psycopg.pq import Format

from audit.facts import LEDGER_KINDS, Prepared, Refused, decode
from games.kit.events import Event

PAGE = 5000
"""Facts read at a time."""
REFUSED = "CW001"
"""The SQLSTATE with which the append function refuses a fact."""


class Recorded(NamedTuple):
    """Where a fact stands. `fresh` is False when it had already been recorded by an earlier post."""

    uid: UUID
    stream: str
    number: int
    position: int
    chain: bytes
    fresh: bool


class Row(NamedTuple):
    """A fact as a reader of one stream takes it."""

    number: int
    position: int
    body: bytes


class StreamRow(NamedTuple):
    """A stream: the number of its last fact, and whether its day is closed."""

    property: str
    name: str
    number: int
    sealed: bool


def append(property: str, batch: Sequence[Prepared]) -> list[Recorded]:
    """Record a batch of one property's facts in their order, inside the caller's transaction; all or none.

    Each uid stands once in the batch. The answer has the order of the batch. Raises Refused when a uid is
    recorded with another body, a stream is sealed, or a stream does not begin with table-opened; the
    transaction is then lost.
    """
    if not batch:
        return []
    uids, _, streams, kinds, rounds, bodies, leaves = zip(*batch, strict=True)
    names = {name: place for place, name in enumerate(dict.fromkeys(streams), 1)}
    values = (
        property,
        _texts(names),
        _packed(_Int4s, 23, [_int4(names[name]) for name in streams]),
        _fixed(_Uuids, 2950, [uid.int.to_bytes(16, "big") for uid in uids]),
        _texts(kinds),
        _texts(rounds),
        _packed(_Byteas, 17, chain.from_iterable((_length(len(body)), body) for body in bodies), len(bodies)),
        _fixed(_Byteas, 17, leaves),
    )
    try:
        numbers, positions, chains, fresh, last = next(rows(_APPEND, values))
    except psycopg.Error as error:
        raise _told(error, batch) from error
    if fresh is None:
        positions, fresh = range(last - len(batch) + 1, last + 1), repeat(True, len(batch))
    return list(map(_recorded, zip(uids, streams, numbers, positions, chains, fresh, strict=True)))


def learned(property: str, stream: str, until: int | None = None) -> list[Event]:
    """Return the corrected readings and cancelled rounds of a stream up to a position, in its order, by an
    index of their own.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT body FROM fact WHERE property = %s AND stream = %s AND kind IN ('read-corrected', 'round-cancelled')
               AND (%s::bigint IS NULL OR position <= %s) ORDER BY number""",
            [property, stream, until, until],
        )
        return [decode(bytes(body)) for (body,) in cursor.fetchall()]


def read_stream(property: str, stream: str, after: int = 0) -> Iterator[Row]:
    """The facts of a stream in the order of play, from the one after number `after`."""
    while True:
        page = list(rows(_STREAM_PAGE, (property, stream, after), _row))
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].number


def read_kinds(
    property: str, kinds: Collection[str], after: int = 0
) -> Iterator[tuple[int, str, int, bytes]]:
    """(position, stream, number, body) of a property's facts of these kinds in the order of commit, after
    `after`.

    Only kinds of facts.LEDGER_KINDS: they have an index. Raises ValueError for another.
    """
    if strange := set(kinds) - LEDGER_KINDS:
        raise ValueError(f"no index to read {', '.join(sorted(strange))} by")
    wanted = sorted(kinds)
    while True:
        page = list(
            rows(
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
    """Every stream of every property, by property and name."""
    return list(rows("SELECT property, name, number, sealed FROM stream ORDER BY 1, 2", (), StreamRow._make))


# a quarter of the time that _make takes, which goes through Python for each
_recorded: Callable[[Sequence[Any]], Recorded] = partial(tuple.__new__, Recorded)
_row: Callable[[Sequence[Any]], Row] = partial(tuple.__new__, Row)
_APPEND = "SELECT numbers, positions, chains, fresh, last FROM append_facts(%s, %s, %s, %s, %s, %s, %s, %s)"
_STREAM_PAGE = f"""SELECT number, position, body FROM fact
    WHERE property = %s AND stream = %s AND number > %s ORDER BY number LIMIT {PAGE}"""
_INDEXED = ", ".join(f"'{kind}'" for kind in sorted(LEDGER_KINDS))
_KINDS_PAGE = f"""SELECT position, stream, number, body FROM fact
    WHERE property = %s AND position > %s AND kind IN ({_INDEXED}) AND kind = ANY (%s) ORDER BY position LIMIT {PAGE}"""

REGISTER = "register-set"
_REGISTERS_PAGE = f"""SELECT position, stream, number, body FROM fact
    WHERE property = %s AND position > %s AND kind = '{REGISTER}' ORDER BY position LIMIT {PAGE}"""
"""Entries of registers are few and read again and again: migration 0018 keeps an index for them alone."""


def rows(query: str, values: Sequence[Any], make: Callable[[Sequence[Any]], Any] = tuple) -> Iterator[Any]:
    """The answer of a query, both ways in binary form, prepared the first time a connection is given it."""
    connection.ensure_connection()
    driver = connection.connection
    # the driver's own cursor: Django's writes the values into the text of the query
    with psycopg.Cursor(driver, row_factory=lambda _: make) as cursor, _preparing(driver):
        for packed in (_Int4s, _Uuids, _Texts, _Byteas):
            cursor.adapters.register_dumper(packed, _DUMPERS[packed])
        cursor.execute(query, values, binary=True)
        rows: list[Any] = cursor.fetchall()
    return iter(rows)


@contextmanager
def _preparing(driver: Any) -> Iterator[None]:
    """Django turns the driver's preparing off; it is on for our own queries alone."""
    before, driver.prepare_threshold = driver.prepare_threshold, 0
    try:
        yield
    finally:
        driver.prepare_threshold = before


def _told(error: psycopg.Error, batch: Sequence[Prepared]) -> Exception:
    """The refusal that the append function raised; any other error of the database stays what it is."""
    said = error.diag
    if error.sqlstate != REFUSED or said.message_primary is None:
        return error
    place = next((at for at, fact in enumerate(batch) if str(fact.uid) == said.message_detail), None)
    return Refused(
        said.constraint_name or "",
        said.message_primary,
        field=said.column_name,
        uid=said.message_detail,
        index=place,
    )


class _Int4s(bytes):
    """int4[] in the database's binary form."""


class _Uuids(bytes):
    """uuid[] in the database's binary form."""


class _Texts(bytes):
    """text[] in the database's binary form."""


class _Byteas(bytes):
    """bytea[] in the database's binary form."""


class _AsItIs(Dumper):
    """Hands packed bytes over."""

    format = Format.BINARY

    def dump(self, obj: bytes) -> bytes:
        return obj


def _dumper(array: int) -> type[Dumper]:
    return type("_Packed", (_AsItIs,), {"oid": array})


_DUMPERS: dict[type[bytes], type[Dumper]] = {
    _Int4s: _dumper(1007),
    _Uuids: _dumper(2951),
    _Texts: _dumper(1009),
    _Byteas: _dumper(1001),
}
_HEAD = Struct("!iiIii").pack
"""One dimension, whether nulls are in it, the type of an item, how many, counted from 1."""
_LENGTH = Struct("!i").pack
_NULL = _LENGTH(-1)
_SHORT = [_LENGTH(length) for length in range(4096)]


def _length(length: int) -> bytes:
    return _SHORT[length] if length < 4096 else _LENGTH(length)


@lru_cache(maxsize=8192)
def _text(text: str | None) -> bytes:
    """One item of a text[]; kinds and rounds come again and again."""
    if text is None:
        return _NULL
    raw = text.encode()
    return _LENGTH(len(raw)) + raw


@lru_cache(maxsize=1024)
def _int4(value: int) -> bytes:
    return _LENGTH(4) + _LENGTH(value)


def _texts(items: Collection[str | None]) -> Any:
    return _packed(_Texts, 25, list(map(_text, items)))


def _fixed(array: type[Any], item: int, items: Sequence[bytes]) -> Any:
    """An array whose items are all as long as the first."""
    length = _LENGTH(len(items[0]))
    return array(b"".join((_HEAD(1, 0, item, len(items), 1), length, length.join(items))))


def _packed(array: type[Any], item: int, items: Iterable[bytes], count: int | None = None) -> Any:
    """An array of items that each carry their length."""
    parts = list(items)
    return array(b"".join((_HEAD(1, 1, item, len(parts) if count is None else count, 1), *parts)))
