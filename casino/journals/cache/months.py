"""Where in the ledger each month was over, kept for ever: what comes later comes behind it.

It is kept under the chain's hash there: whoever reads a ledger that ends before, or is another, does not find
it.
"""

from __future__ import annotations

from datetime import date

from msgspec import json

from audit.queries import closed_books as queries
from audit.queries.cache.aggregates import code_fingerprint, read_cache, write_cache


def over(property: str, last: date, until: int | None) -> int | None:
    """The position at which the first table was opened after this last day of a month, as the ledger stood at
    `until`; None: none was.
    """
    name, month = f"journal months {code_fingerprint(__name__)}", f"{last:%Y-%m}"
    stamp, content = read_cache(property, name, [month]).get(month, ("", b""))
    position = _read(content) if content else 0
    if not stamp or queries.chain_at(property, position) != stamp:
        found = queries.passed(property, last)
        if found is None:
            return None
        position = found.position
        write_cache(property, month, name, found.chain, json.encode(position))
    return position if until is None or position <= until else None


_read = json.Decoder(int).decode
