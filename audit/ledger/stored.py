"""Read the ledger's tables without assuming that stored values are valid. Values are read as bytes or
integers. A value of an unexpected type is returned as a fault and does not raise an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import psycopg
from django.db import connection
from psycopg.postgres import types
from psycopg.types.numeric import Int8BinaryLoader
from psycopg.types.string import ByteaBinaryLoader

PAGE = 5000
COLUMNS = ("position", "stream", "number", "kind", "uid", "round", "body", "leaf", "chain", "recorded_at")
_WITHOUT_ROUND = (int, bytes, int, bytes, bytes, type(None), bytes, bytes, bytes, int)
_USUAL = frozenset({_WITHOUT_ROUND, (*_WITHOUT_ROUND[:5], bytes, *_WITHOUT_ROUND[6:])})
"""The expected types of the values of a row."""
_WHOLE = ("int8", "timestamptz")
"""SQL types that are read as integers of eight bytes. Times are in microseconds since 2000."""
_NAMES = """WITH RECURSIVE one (property) AS (
        (SELECT property FROM public.fact ORDER BY property LIMIT 1)
        UNION ALL
        SELECT (SELECT f.property FROM public.fact f WHERE f.property > one.property
            ORDER BY f.property LIMIT 1)
        FROM one WHERE one.property IS NOT NULL),
    bound (property) AS (
        SELECT replace(substring(pg_catalog.pg_get_expr(c.relpartbound, c.oid)
            FROM $p$^FOR VALUES IN \\('((?:[^']|'')*)'\\)$$p$), $$''$$, $$'$$)
        FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'public.fact'::pg_catalog.regclass)
    SELECT property FROM one WHERE property IS NOT NULL
    UNION SELECT property FROM public.fact WHERE property IS NULL
    UNION SELECT property FROM public.head
    UNION SELECT property FROM public.stream
    UNION SELECT property FROM bound WHERE property IS NOT NULL
    ORDER BY 1"""
_FACTS = f"SELECT {', '.join(COLUMNS)} FROM public.fact WHERE property = %s{{}} ORDER BY position"

COLUMNS_PAGE = 512
"""Number of facts in a page whose columns the server joins. With larger pages, a column has more than 128 KB,
for which the server requests new memory from the kernel each time.
"""
PAGES_OF_A_QUERY = 8
"""Number of pages that one query returns."""
_OF_A_PAGE = """ AND position > before AND position <= least(before + %s, %s)
    AND length(leaf) = 32 AND length(chain) = 32"""
_COLUMNS = f"""SELECT page.* FROM generate_series(%s::bigint, %s::bigint, %s::bigint) AS before, LATERAL (
    SELECT count(*), string_agg(int8send(position) || int8send(number) || leaf || '\\x02' || chain, ''),
        string_agg(stream, E'\\n'), string_agg(kind, E'\\n'), string_agg(uuid_send(uid), ''),
        string_agg(coalesce('=' || round, ''), E'\\n'), string_agg(body, '\\x0a'),
        string_agg(timestamptz_send(recorded_at), '')
    FROM ({_FACTS.format(_OF_A_PAGE)}) facts) page"""


class Stored(NamedTuple):
    """A row of the ledger as it is stored. The uid is 16 bytes, and the time is in microseconds
    since 2000.
    """

    position: int
    stream: str
    number: int
    kind: str
    uid: bytes
    round: str | None
    body: bytes
    leaf: bytes
    chain: bytes
    recorded_at: int


class Columns(NamedTuple):
    """A page of facts as they are stored, column by column, in the order of their positions. If the leaf or
    the chain of a fact does not have 32 bytes, the page is without this fact.

    Times have eight bytes each, and uids 16. Texts and bodies are separated by line breaks. If values are
    NULL, a column is None or has too few values.
    """

    facts: int
    hashed: bytes
    """For each fact: its position and number with eight bytes each, its leaf, a byte 2, and its chain. The
    next chain is the hash of the byte 2, the chain, and the next position, number and leaf.
    """
    streams: bytes
    kinds: bytes
    uids: bytes
    rounds: bytes
    """Each round begins with "=". If a fact has no round, the text is empty."""
    bodies: bytes
    times: bytes


class Unreadable(NamedTuple):
    """A row with a value that is impossible in a fact.

    Attributes:
        position: the row's position, or None if it has none.
    """

    position: int | None
    says: str


def names() -> list[object]:
    """Return all property names that occur in a fact, a head, a stream or a partition, in alphabetical order.

    A name is a str, or None or bytes if the stored name is not text. Instead of scanning all facts, each
    property is found with one index lookup.
    """
    return list(dict.fromkeys(readable(name) for (name,) in fetch(_NAMES, ())))


def read_pages(property: str, after: int = 0, upto: int | None = None) -> Iterator[list[Any]]:
    """Yield the rows of a property by position, a page at a time, through one cursor. Texts are bytes.

    Keyset pages are not used, because they could miss the second of two rows that have the same position.

    Args:
        property: the property.
        after: the position before the first row; 0: all rows, also those with an impossible position.
        upto: the last position; None: all rows.
    """
    condition = ""
    values: list[str | int] = [property]
    if after:
        condition, values = " AND position > %s", [*values, after]
    if upto is not None:
        condition, values = f"{condition} AND position <= %s", [*values, upto]
    with psycopg.ServerCursor(connection.connection, "verify") as cursor:
        _read_as_bytes(cursor)
        cursor.execute(_FACTS.format(condition), values, binary=True)
        while page := cursor.fetchmany(PAGE):
            yield page


def read_columns(property: str, after: int, upto: int) -> Iterator[Columns]:
    """Yield the facts of a property after the position `after` up to `upto`, a page at a time, column by
    column. The server joins the values of a column, which takes less time than reading single values.

    A query returns several pages, so that server and Python wait for each other less often. Raises
    psycopg.Error if a column has another type than the append function writes.
    """
    connection.ensure_connection()
    with psycopg.Cursor(connection.connection) as cursor:
        _read_as_bytes(cursor)
        step = COLUMNS_PAGE * PAGES_OF_A_QUERY
        for begins in range(after, upto, step):
            ends = min(begins + step, upto)
            values = (begins, ends - 1, COLUMNS_PAGE, property, COLUMNS_PAGE, ends)
            for row in cursor.execute(_COLUMNS, values, binary=True, prepare=True).fetchall():
                if row[0]:
                    yield Columns(*row)


def readable_row(row: Any) -> Stored | Unreadable:
    """Return a row with texts as str, or a remark if one of its values is not possible in a fact."""
    return _stored(row) if tuple(map(type, row)) in _USUAL else _unreadable(row)


def fetch(query: str, values: tuple[Any, ...]) -> list[Any]:
    """Return the rows of a query. Texts are returned as bytes, and times in microseconds since 2000."""
    connection.ensure_connection()
    with psycopg.Cursor(connection.connection) as cursor:
        _read_as_bytes(cursor)
        return list(cursor.execute(query, values, binary=True).fetchall())


def readable(value: object) -> object:
    """Return stored text as str. Return text that is not UTF-8, and values of any other type, unchanged."""
    if isinstance(value, bytes):
        with suppress(UnicodeDecodeError):
            return value.decode()
    return value


def _text(value: bytes) -> str:
    return value.decode(errors="backslashreplace")


def _stored(row: Any) -> Stored | Unreadable:
    position, stream, number, kind, uid, round, body, leaf, chain, recorded_at = row
    if position < 1:
        return Unreadable(position, "has no position of a ledger: positions begin at 1")
    return Stored(
        position,
        _text(stream),
        number,
        _text(kind),
        uid,
        None if round is None else _text(round),
        body,
        leaf,
        chain,
        recorded_at,
    )


def _unreadable(row: Any) -> Unreadable:
    position = row[0] if isinstance(row[0], int) else None
    wrong = [
        f"{name} is {'NULL' if value is None else 'of another type'}"
        for name, value, expected in zip(COLUMNS, row, _WITHOUT_ROUND, strict=True)
        if type(value) is not expected and not (name == "round" and isinstance(value, bytes))
    ]
    return Unreadable(position, ", ".join(wrong))


def _read_as_bytes(cursor: Any) -> None:
    for known in types:
        cursor.adapters.register_loader(known.oid, ByteaBinaryLoader)
    for name in _WHOLE:
        cursor.adapters.register_loader(name, Int8BinaryLoader)
