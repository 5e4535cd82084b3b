"""All that pages, reports and exports ask of the tallies and findings: the only place with the SQL of reports."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection


def grave_findings(streams: Iterable[tuple[str, str]]) -> int:
    """How many findings that are no notices stand in these (property, stream)."""
    properties, names = zip(*streams, strict=True)
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT count(*) FROM finding WHERE grade <> 'notice'
               AND (property, stream) IN (SELECT * FROM unnest(%s::text[], %s::text[]))""",
            [list(properties), list(names)],
        )
        count: int = cursor.fetchone()[0]
    return count
