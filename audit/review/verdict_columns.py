"""The columns of `verdict` that depend on other facts than the verdict: whether another officer decided
otherwise later, and how long the finding had waited. The board of officers adds them up by gaming day.
"""

from __future__ import annotations

from collections.abc import Collection

from audit import database
from audit.differences import StoredTable

JUDGED = StoredTable("verdict", ("position",), ("overturned", "seconds"))
UID_PATTERN = f"'^{'[0-9a-f]' * 8}(-{'[0-9a-f]' * 4}){{3}}-{'[0-9a-f]' * 12}$'"
"""SQL for the pattern of a uid. The id of a finding begins with a uid only if the finding is about a fact."""

ROWS = f"""SELECT v.position,
    v.verdict NOT IN ('escalated', 'withdrawn') AND EXISTS (
        SELECT FROM verdict w WHERE w.property = %(property)s AND w.finding = v.finding
            AND w.position > v.position AND w.by <> v.by AND w.verdict <> v.verdict
            AND w.verdict NOT IN ('escalated', 'withdrawn')) AS overturned,
    CASE WHEN NOT EXISTS (SELECT FROM verdict w WHERE w.property = %(property)s AND w.finding = v.finding
            AND w.position < v.position)
        THEN floor(greatest(extract(epoch FROM given.recorded_at - found.recorded_at), 0))::bigint
        END AS seconds
FROM verdict v
JOIN fact given ON given.property = %(property)s AND given.position = v.position
LEFT JOIN fact found ON found.property = %(property)s
    AND found.uid = CASE WHEN v.uid ~* {UID_PATTERN} THEN v.uid::uuid END
WHERE v.property = %(property)s AND (%(findings)s::text[] IS NULL OR v.finding = ANY (%(findings)s))"""
"""SQL for the correct values of all verdicts on these findings. If the findings are null, all verdicts are
included.
"""
_UPDATE = f"""UPDATE verdict t SET overturned = m.overturned, seconds = m.seconds FROM ({ROWS}) m
    WHERE t.property = %(property)s AND t.position = m.position
        AND (t.overturned, t.seconds) IS DISTINCT FROM (m.overturned, m.seconds)"""


def refresh(property: str, findings: Collection[str]) -> None:
    """Recompute the columns `overturned` and `seconds` of all verdicts on these findings."""
    if findings:
        database.execute(_UPDATE, {"property": property, "findings": sorted(set(findings))})
