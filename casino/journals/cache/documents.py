"""Cached documents of a journal, by month: a file of a year reads one row for each of its months.

The documents of each day are compressed by themselves, with the stamp under which they were built. A page
decompresses the days that it shows, and compares the stamp with the one under which lines were counted
(`casino.journals.cache.lines`). Decompressed documents equal those that were built.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import json, msgpack

from audit.queries.cache.aggregates import code_fingerprint, read_cache
from casino.journals.documents import Document

LEVEL = 1
"""Accounts and texts repeat in every document: the lowest level compresses them to a twentieth, and a higher
level hardly further.
"""


class Packed(NamedTuple):
    """The compressed documents of a day, and the stamp under which they were built."""

    stamp: str
    documents: bytes


def name(by: str) -> str:
    """Return the name under which documents are cached."""
    return f"journal documents,{by} {code_fingerprint(__name__)}"


def packed(stamp: str, documents: Sequence[Document]) -> Packed:
    """Return the documents of a day in compressed form."""
    return Packed(stamp, zlib.compress(json.encode(documents), LEVEL))


def unpacked(day: Packed) -> list[Document]:
    """Return the documents of a day."""
    return _documents(zlib.decompress(day.documents))


def of_month(property: str, by: str, month: str) -> dict[str, Packed]:
    """Return what is cached of a month, by day."""
    _, content = read_cache(property, name(by), [month]).get(month, ("", b""))
    return _days(content) if content else {}


written = msgpack.encode
"""Encodes a month; its days are read without being decompressed."""
_days = msgpack.Decoder(dict[str, Packed]).decode
_documents = json.Decoder(list[Document]).decode  # JSON, because an amount may have any number of digits
