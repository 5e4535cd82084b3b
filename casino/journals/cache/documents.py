"""The documents of a journal, kept by month beside how many lines they have: a file of a year reads one row
for each of its months.

Those of a day are packed by themselves, under the stamp with which they were made: a page unpacks the days
that it shows, and whoever reads them holds the stamp against the one that he counted lines by
(`casino.journals.cache.lines`). Unpacked they are what they were when made.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import json, msgpack

from audit.queries.cache.aggregates import code_fingerprint, read_cache
from casino.journals.documents import Document

LEVEL = 1
"""Accounts and texts come again in every document: the lowest level makes them twenty times as small, a
higher one hardly smaller.
"""


class Packed(NamedTuple):
    """The documents of a day, and the stamp under which they were made."""

    stamp: str
    documents: bytes


def name(by: str) -> str:
    """Under which they are kept."""
    return f"journal documents,{by} {code_fingerprint(__name__)}"


def packed(stamp: str, documents: Sequence[Document]) -> Packed:
    """The documents of a day as they are kept."""
    return Packed(stamp, zlib.compress(json.encode(documents), LEVEL))


def unpacked(of: Packed) -> list[Document]:
    """The documents of a day as they were made."""
    return _documents(zlib.decompress(of.documents))


def of_month(property: str, by: str, month: str) -> dict[str, Packed]:
    """What is kept of a month, by day."""
    _, content = read_cache(property, name(by), [month]).get(month, ("", b""))
    return _days(content) if content else {}


written = msgpack.encode
"""A month as it is kept: its days are read without being unpacked."""
_days = msgpack.Decoder(dict[str, Packed]).decode
_documents = json.Decoder(list[Document]).decode  # JSON, because an amount has as many digits as it has
