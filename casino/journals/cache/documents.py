"""Cached documents of a journal, by month. The file of a year reads only one row for each of its months.

The documents of each day are compressed separately, and a page decompresses only the days that it shows.
They are stored with a fingerprint of the day, which is a hash of everything on which the documents depend.
The number of lines of a day is cached with the same kind of fingerprint in `casino.journals.cache.lines`. If
the two fingerprints of a day differ, its cached documents are not used.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import json, msgpack

from audit.queries.cache.aggregates import code_fingerprint
from audit.queries.cache.cached_rows import read_cache
from casino.journals.documents import Document

LEVEL = 1
"""The lowest compression level. Accounts and texts repeat in every document, so even this level compresses
them to a twentieth. A higher level saves hardly more.
"""


class Packed(NamedTuple):
    """The compressed documents of a day, and their cache fingerprint. It is a hash of all data from which the
    documents were built.
    """

    stamp: str
    documents: bytes


def name(by: str) -> str:
    """Return the cache name of the documents of a journal by day, shift or month."""
    return f"journal documents,{by} {code_fingerprint(__name__)}"


def packed(stamp: str, documents: Sequence[Document]) -> Packed:
    """Compress the documents of a day. Return them together with its cache fingerprint `stamp`."""
    return Packed(stamp, zlib.compress(json.encode(documents), LEVEL))


def unpacked(day: Packed) -> list[Document]:
    """Return the documents of a day, decompressed."""
    return _documents(zlib.decompress(day.documents))


def of_month(property: str, by: str, month: str) -> dict[str, Packed]:
    """Return the cached documents of a month, by day."""
    _, content = read_cache(property, name(by), [month]).get(month, ("", b""))
    return _days(content) if content else {}


written = msgpack.encode
"""Encodes the cached days of a month. Decoding the month does not decompress any day."""
_days = msgpack.Decoder(dict[str, Packed]).decode
_documents = json.Decoder(list[Document]).decode  # JSON, because an amount may have any number of digits
