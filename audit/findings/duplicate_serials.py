"""Serials that came more than once, noted when slips are kept: a list of a year need not ask where else each
of its numbers came.

What is noted may be more than there is, where a slip is found no more, and is never less. So who wants to
know asks the slips themselves, and of these serials alone.
"""

from __future__ import annotations

from collections.abc import Collection

from audit import database

SLIP, MARKER = "slip", "marker"
"""A fill or credit came twice under a serial; a marker was issued under it after another had come, by the
days of their streams.
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
    """Note those of these serials that came more than once; their slips have been kept.

    Of two streams that are kept at one time neither sees the other's slips, so the second waits here until
    the first is done. Call it last, for it waits while it holds what it holds. Not `others_wait`: nothing of
    this transaction is kept.
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
