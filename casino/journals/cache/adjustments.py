"""Cached list of a property's adjustments: when each adjustment was made, and which day it adjusts. The list
contains the adjustments up to the ledger position that was read.

The cache key is the chain hash at the last adjustment, which depends on every fact before it. New adjustments
are read after that position. If the ledger ends earlier or is a different one, all adjustments are read
again.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from msgspec import json

from audit.queries import closed_books as queries
from audit.queries.cache.aggregates import code_fingerprint, write_cache
from audit.queries.cache.cached_rows import read_cache

UNIT = "adjusted"


class Adjusted(NamedTuple):
    """An adjustment: the gaming day on which it was made, the day that it adjusts, and the position of its
    fact in the ledger.
    """

    made: date
    of_day: date
    position: int


def adjusted(property: str) -> list[Adjusted]:
    """Return every adjustment of the property, in the order of commit."""
    name = f"journal adjustments {code_fingerprint(__name__)}"
    chain, content = read_cache(property, name, [UNIT]).get(UNIT, ("", b"[]"))
    known = _read(content)
    new = list(queries.adjusted_from(property, known[-1].position if known else 0))
    if known and (not new or new[0].chain != chain):
        known, new = [], list(queries.adjusted_from(property, 0))
    news = new[1:] if known else new
    every = known + [Adjusted(adjustment.made, adjustment.of_day, adjustment.position) for adjustment in news]
    if news:
        write_cache(property, UNIT, name, news[-1].chain, json.encode(every))
    return every


_read = json.Decoder(list[Adjusted]).decode
