"""Cached ends of months, as positions in the ledger. Later facts do not change an end.

The cache key is the chain hash at that position. So a cached position is not used for a ledger that ends
earlier or is a different one.
"""

from __future__ import annotations

from datetime import date

from msgspec import json

from audit.queries import closed_books as queries
from audit.queries.cache.aggregates import code_fingerprint, write_cache
from audit.queries.cache.cached_rows import read_cache


def month_end(property: str, last: date, until: int | None) -> int | None:
    """Return the position in the ledger at which a month ended: the first opening of a table after its last
    day. Return None if no table was opened after it, or if that position is later than `until`.
    """
    name, month = f"journal months {code_fingerprint(__name__)}", f"{last:%Y-%m}"
    stamp, content = read_cache(property, name, [month]).get(month, ("", b""))
    position = _read(content) if content else 0
    if not stamp or queries.chain_at(property, position) != stamp:
        day_end = queries.passed(property, last)
        if day_end is None:
            return None
        position = day_end.position
        write_cache(property, month, name, day_end.chain, json.encode(position))
    return position if until is None or position <= until else None


_read = json.Decoder(int).decode
