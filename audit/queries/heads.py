"""Where a property's ledger stands, or stood at a position: what a list, an export or a proof names as what it saw."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from audit.queries import _rows


class Head(NamedTuple):
    """A position of a ledger: the chain's hash there, and when its fact was recorded."""

    property: str
    position: int
    chain: str
    recorded_at: datetime | None


def head(property: str) -> Head:
    """Where it stands; a property without a ledger stands at nothing."""
    query = "SELECT property, position, encode(chain, 'hex'), recorded_at FROM head WHERE property = %s"
    return next((Head._make(row) for row in _rows(query, [property])), Head(property, 0, "0" * 64, None))


def at(property: str, position: int) -> Head | None:
    """Where it stood; None where it has not come so far."""
    query = "SELECT property, position, encode(chain, 'hex'), recorded_at FROM fact WHERE property = %s AND position = %s"
    return next((Head._make(row) for row in _rows(query, [property, position])), None)
