"""Arrays in the binary form of the database: the driver's own lists cost a microsecond an item."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from struct import Struct
from typing import TypeVar

from psycopg.adapt import Dumper
from psycopg.pq import Format


class Int4Array(bytes):
    """int4[] in the database's binary form."""


class UuidArray(bytes):
    """uuid[] in the database's binary form."""


class TextArray(bytes):
    """text[] in the database's binary form."""


class ByteaArray(bytes):
    """bytea[] in the database's binary form."""


Array = TypeVar("Array", bound=bytes)


class _AsIs(Dumper):
    """A dumper that returns packed bytes as they are."""

    format = Format.BINARY

    def dump(self, obj: bytes) -> bytes:
        """Return the packed bytes."""
        return obj


def _dumper(array: int) -> type[Dumper]:
    """Return a dumper for the array type with this OID."""
    return type("_Packed", (_AsIs,), {"oid": array})


DUMPERS: dict[type[bytes], type[Dumper]] = {
    Int4Array: _dumper(1007),
    UuidArray: _dumper(2951),
    TextArray: _dumper(1009),
    ByteaArray: _dumper(1001),
}
_INT4, _BYTEA, _TEXT, _UUID = 23, 17, 25, 2950
"""OIDs of the types of single items."""
_HEAD = Struct("!iiIii").pack
"""The number of dimensions (one), whether there are nulls, the type of an item, how many there are, and the
number of the first.
"""
_LENGTH = Struct("!i").pack
_NULL = _LENGTH(-1)
_SHORT = [_LENGTH(length) for length in range(4096)]


def int4s(values: Iterable[int]) -> Int4Array:
    """Pack integers."""
    return _packed(Int4Array, _INT4, [_int4(value) for value in values])


def uuids(values: Sequence[bytes]) -> UuidArray:
    """Pack UUIDs, each given as 16 bytes."""
    return _fixed(UuidArray, _UUID, values)


def texts(values: Collection[str | None]) -> TextArray:
    """Pack texts; None is NULL."""
    return _packed(TextArray, _TEXT, list(map(_text, values)))


def byteas(values: Sequence[bytes]) -> ByteaArray:
    """Pack byte strings of any lengths."""
    parts = [part for value in values for part in (_length(len(value)), value)]
    return _packed(ByteaArray, _BYTEA, parts, len(values))


def byteas_of_one_length(values: Sequence[bytes]) -> ByteaArray:
    """Pack byte strings that are all as long as the first."""
    return _fixed(ByteaArray, _BYTEA, values)


def _length(length: int) -> bytes:
    return _SHORT[length] if length < 4096 else _LENGTH(length)


@lru_cache(maxsize=8192)
def _text(text: str | None) -> bytes:
    """Return one item of a text[]; the same kinds and rounds are packed again and again."""
    if text is None:
        return _NULL
    raw = text.encode()
    return _LENGTH(len(raw)) + raw


@lru_cache(maxsize=1024)
def _int4(value: int) -> bytes:
    return _LENGTH(4) + _LENGTH(value)


def _fixed(array: type[Array], item: int, items: Sequence[bytes]) -> Array:
    """Return an array whose items are all as long as the first."""
    length = _LENGTH(len(items[0]))
    return array(b"".join((_HEAD(1, 0, item, len(items), 1), length, length.join(items))))


def _packed(array: type[Array], item: int, parts: Sequence[bytes], count: int | None = None) -> Array:
    """Return an array of items that each carry their length; `count` if parts are not whole items."""
    return array(b"".join((_HEAD(1, 1, item, len(parts) if count is None else count, 1), *parts)))
