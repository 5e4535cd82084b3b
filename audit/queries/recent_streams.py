"""Tables' gaming days for which facts were recorded between two positions of a ledger."""

from __future__ import annotations

from typing import NamedTuple

from audit import database


class RecentStream(NamedTuple):
    """A table's gaming day, with the number and the position of its last fact up to a position."""

    property: str
    table: str
    day: str
    number: int
    position: int


def between(property: str, after: int, upto: int) -> list[RecentStream]:
    """Return the tables' gaming days with facts after one position and up to another, in the order of their
    last fact.
    """
    tables = []
    for stream, number, position in database.rows(_RECENT, [property, after, upto]):
        _, table, day = (*stream.split("/", 2), "", "")[:3]
        tables.append(RecentStream(property, table, day, number, position))
    return tables


_RECENT = """SELECT stream, max(number), max(position) FROM fact
    WHERE property = %s AND position > %s AND position <= %s GROUP BY stream ORDER BY 3"""
