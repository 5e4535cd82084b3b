"""Read how long ago each open table sent its last fact, and how late that fact arrived. If the table has
equipment, facts that people recorded on pages are left out: they do not show that the equipment works. The
cost for each table does not grow with the age of the ledger.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from audit import database
from audit.facts import decode
from audit.queries.floor import PAGES


class FeedAge(NamedTuple):
    """The last fact of an open table.

    Attributes:
        age: how long ago the fact was recorded.
        lag: the time between the clock time in the fact and its recording.
    """

    table: str
    stream: str
    recorded_at: datetime
    age: timedelta
    lag: timedelta


def open_tables(property: str, last_day: str) -> list[FeedAge]:
    """Return a row for each open table of a property.

    Args:
        last_day: the last gaming day to read. A stream with a later day was recorded by mistake.
    """
    values = {"property": property, "first": f"{property}/", "upto": last_day, "house": f"{property}/house/"}
    return [
        FeedAge(stream[:-11], stream, recorded, age, recorded - decode(bytes(body)).at.astimezone(UTC))
        for stream, recorded, age, body in database.rows(_AGES, values)
        if stream.startswith(f"{property}/")
    ]


_LAST = """LATERAL (SELECT number, body FROM fact WHERE property = %(property)s AND stream = s.name
    AND kind = '{}' ORDER BY number DESC LIMIT 1)"""
_AGES = f"""WITH RECURSIVE known (prefix) AS (
        (SELECT left(name, -10) FROM stream WHERE property = %(property)s AND name COLLATE "C" >= %(first)s
            ORDER BY name COLLATE "C" LIMIT 1)
        UNION ALL
        SELECT (SELECT left(name, -10) FROM stream WHERE property = %(property)s
            AND name COLLATE "C" > left(k.prefix, -1) || '0' ORDER BY name COLLATE "C" LIMIT 1)
        FROM known k WHERE k.prefix IS NOT NULL)
    SELECT s.name, last.recorded_at, clock_timestamp() - last.recorded_at, last.body
    FROM known k
    CROSS JOIN LATERAL (SELECT name, number, sealed FROM stream WHERE property = %(property)s
        AND name COLLATE "C" > k.prefix AND name COLLATE "C" <= k.prefix || %(upto)s
        ORDER BY name COLLATE "C" DESC LIMIT 1) s
    CROSS JOIN {_LAST.format("table-opened")} opened
    LEFT JOIN {_LAST.format("table-closed")} closed ON true
    CROSS JOIN LATERAL (SELECT recorded_at, body FROM fact WHERE property = %(property)s AND stream = s.name
        AND number >= opened.number AND (number = opened.number
            OR json_array_length(convert_from(opened.body, 'UTF8')::json->'sees') = 0
            OR convert_from(body, 'UTF8')::json->>'source' <> '{PAGES}')
        ORDER BY number DESC LIMIT 1) last
    WHERE k.prefix IS NOT NULL AND k.prefix <> %(house)s AND NOT s.sealed
        AND coalesce(closed.number, 0) < opened.number ORDER BY s.name COLLATE "C\""""
