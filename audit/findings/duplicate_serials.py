"""The table of serials that were recorded more than once. It is updated when slips are stored. A list of a
year can look up its serials in this table and need not search all other days.

The table may contain stale serials but never misses one. A reader that needs certainty checks the slips of
the serials in this table.
"""

from __future__ import annotations

from collections.abc import Collection

from audit import database

SLIP, MARKER = "slip", "marker"
"""The two kinds of duplicates. SLIP: a fill or credit was recorded twice under a serial. MARKER: a marker was
issued under a serial that another marker fact had on an earlier day.
"""

_FIND = """SELECT property, 'slip' AS kind, slip FROM slip_tally WHERE property = %(property)s AND {0}
        AND kind IN ('fill-sent', 'credit-sent')
        GROUP BY property, slip HAVING count(*) > 1
    UNION ALL
    SELECT property, 'marker', slip FROM slip_tally WHERE property = %(property)s AND {0}
        AND kind IN ('marker-issued', 'marker-paid')
        GROUP BY property, slip HAVING min(right(stream, 10)) < max(right(stream,
            10)) FILTER (WHERE kind = 'marker-issued')"""


def note(property: str, serials: Collection[str], *, others_wait: bool = True) -> None:
    """Add each of these serials to the table if it was recorded more than once. Call it after the slips have
    been stored.

    Two concurrent transactions do not see each other's slips, so the second one waits here until the first
    ends. Call this last, because a transaction keeps its locks while it waits. Pass `others_wait=False` if
    the transaction will be rolled back.
    """
    if not serials:
        return
    if others_wait:
        lock(property)
    query = _FIND.format("slip = ANY(%(slips)s)")
    database.execute(
        f"INSERT INTO serial_again (property, kind, slip) {query} ON CONFLICT DO NOTHING",
        {"property": property, "slips": list(serials)},
    )


def lock(property: str) -> None:
    """Lock the tables of serials of a property for this transaction. Other writers wait."""
    database.execute("SELECT pg_advisory_xact_lock(hashtextextended('serial_again ' || %s, 0))", [property])


def missing(property: str) -> list[tuple[str, str]]:
    """Return (kind, serial) of each duplicate of a property that is missing in the table."""
    query = f"""SELECT kind, slip FROM ({_FIND.format("true")}) made
        WHERE NOT EXISTS (SELECT FROM serial_again s WHERE s.property = made.property
            AND s.kind = made.kind AND s.slip = made.slip COLLATE "C") ORDER BY 1, 2"""
    return [(kind, slip) for kind, slip in database.rows(query, {"property": property})]
