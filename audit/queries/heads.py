"""The head of a property's ledger, now or at a position. Lists, exports and proofs name the head on which
they are based.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from audit import database


class Head(NamedTuple):
    """A position of a ledger, the chain's hash at that position, and the time at which the fact was
    recorded.
    """

    property: str
    position: int
    chain: str
    recorded_at: datetime | None


_COLUMNS = "property, position, encode(chain, 'hex') AS chain, recorded_at"


def head(property: str) -> Head:
    """Return the head of a property's ledger. Return position 0 if the property has no ledger."""
    query = f"SELECT {_COLUMNS} FROM head WHERE property = %s"
    return next(iter(database.records(Head, query, [property])), Head(property, 0, "0" * 64, None))


def at(property: str, position: int) -> Head | None:
    """Return the head at a position, or None if the ledger has not reached it."""
    query = f"SELECT {_COLUMNS} FROM fact WHERE property = %s AND position = %s"
    return next(iter(database.records(Head, query, [property, position])), None)


def read_up_to(property: str) -> Head:
    """Return the last position up to which all streams have been examined. This is the head, or the position
    before the first fact that has not been examined.

    Exports read up to this position, so that they contain the findings about all facts that they include.
    """
    query = """SELECT min(f.position) - 1 FROM job j
        JOIN stream s ON s.property = j.property AND s.name = j.stream
        LEFT JOIN examination x ON x.property = s.property AND x.stream = s.name
        JOIN fact f ON f.property = s.property AND f.stream = s.name AND f.number = coalesce(x.cursor, 0) + 1
        WHERE j.property = %s AND j.kind = 'examine-stream' AND j.state <> 'done'
            AND s.number > coalesce(x.cursor, 0)"""
    newest, before = head(property), database.rows(query, [property])[0][0]
    if before is None or before >= newest.position:
        return newest
    return at(property, before) or Head(property, 0, "0" * 64, None)


def waiting(property: str) -> int:
    """Return how many folds of a property must still read new facts. This is the number of its streams with
    facts that have not been examined, plus 1 if its ledger fold must still read facts. If the result is 0,
    the findings are complete.
    """
    count: int = database.rows(f"SELECT count(*) {_WAITING}", [[property]])[0][0]
    return count


def waiting_jobs(properties: Sequence[str]) -> list[int]:
    """Return the ids of the jobs that `waiting` counts at these properties."""
    return [id for (id,) in database.rows(f"SELECT j.id {_WAITING} ORDER BY j.id", [list(properties)])]


_WAITING = """FROM job j
    LEFT JOIN stream s ON j.kind = 'examine-stream' AND s.property = j.property AND s.name = j.stream
    LEFT JOIN examination x ON x.property = s.property AND x.stream = s.name
    LEFT JOIN head h ON j.kind = 'examine-ledger' AND h.property = j.property
    LEFT JOIN ledger_examination l ON l.property = h.property
    WHERE j.property = ANY(%s) AND j.kind IN ('examine-stream', 'examine-ledger') AND j.state <> 'done'
        AND NOT coalesce(x.cursor >= s.number OR l.cursor >= h.position, false)"""
