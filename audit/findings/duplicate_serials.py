"""The table of serials that were recorded more than once, updated when slips are stored. With it, a list of a
year need not search all other days for each of its serials.

The table may contain stale serials but never misses one. A reader that must be sure checks the slips
themselves, for these serials alone.
"""

from __future__ import annotations

from collections.abc import Collection

from audit import database

SLIP, MARKER = "slip", "marker"
"""Two kinds of duplicates. SLIP: a fill or credit was recorded twice under a serial. MARKER: a marker was
issued under a serial on a later day than another marker fact of that serial.
"""

_FIND = (
    """SELECT property, 'slip', slip FROM slip_tally WHERE property = %s AND slip = ANY(%s)
        AND kind IN ('fill-sent', 'credit-sent')
        GROUP BY property, slip HAVING count(*) > 1""",
    """SELECT property, 'marker', slip FROM slip_tally WHERE property = %s AND slip = ANY(%s)
        AND kind IN ('marker-issued', 'marker-paid')
        GROUP BY property, slip HAVING min(right(stream, 10)) < max(right(stream,
            10)) FILTER (WHERE kind = 'marker-issued')""",
)


def note(property: str, serials: Collection[str], *, others_wait: bool = True) -> None:
    """Add those of these serials that were recorded more than once to the table; call it after their slips
    have been stored.

    Two transactions that store slips at the same time do not see each other's slips, so the second waits here
    until the first ends. Call it last, because a transaction keeps its locks while it waits. Pass
    `others_wait=False` for a transaction that is rolled back.
    """
    if not serials:
        return
    if others_wait:
        database.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('serial_again ' || %s, 0))", [property]
        )
    for query in _FIND:
        database.execute(
            f"INSERT INTO serial_again (property, kind, slip) {query} ON CONFLICT DO NOTHING",
            [property, list(serials)],
        )
