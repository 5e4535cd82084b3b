"""The table `finding_tally`: the sums of findings by stream, code, grade and currency, with the verdicts that
count. The board of codes adds them up by gaming day.

The sums of a stream are recomputed in the transaction that changes its findings, its queue or the
verdicts on its findings. They are therefore never older than the queue.
"""

from __future__ import annotations

from audit import database
from audit.differences import StoredTable

SUMS = StoredTable(
    "finding_tally",
    ("stream", "code", "grade", "currency", "parts"),
    ("day", "findings", "hands", "confirmed", "dismissed", "escalated", "gained", "lost"),
)


def _parts(column: str) -> str:
    """Return SQL for the denominator of an amount that is stored as text, such as `25` or `25/2`."""
    return f"coalesce(nullif(split_part({column}, '/', 2), ''), '1')::numeric"


ROWS = f"""WITH one AS (
    SELECT f.code, f.grade, coalesce(q.currency, '') AS currency, v.verdict,
        coalesce(f.round, '#' || f.number) AS hand, m.moved_parts * m.owed_parts AS parts,
        coalesce(m.moved * m.owed_parts - coalesce(m.owed, 0) * m.moved_parts, 0) AS money
    FROM finding f
    CROSS JOIN LATERAL (SELECT
        split_part(f.moved, '/', 1)::numeric AS moved, {_parts("f.moved")} AS moved_parts,
        split_part(f.owed, '/', 1)::numeric AS owed, {_parts("f.owed")} AS owed_parts) m
    LEFT JOIN queued q ON q.property = %(property)s AND q.stream = %(stream)s
        AND q.hand = coalesce(f.round, '#' || f.number)
    LEFT JOIN LATERAL (SELECT verdict FROM verdict v WHERE v.property = %(property)s AND v.finding = f.id
        ORDER BY position DESC LIMIT 1) v ON true
    WHERE f.property = %(property)s AND f.stream = %(stream)s
), counted AS (
    SELECT one.*, row_number() OVER (PARTITION BY code, grade, currency, hand ORDER BY parts) AS place
    FROM one
)
SELECT %(property)s AS property, %(stream)s AS stream, right(%(stream)s, 10)::date AS day,
    code, grade, currency, parts, count(*) AS findings, count(*) FILTER (WHERE place = 1) AS hands,
    count(*) FILTER (WHERE verdict = 'confirmed') AS confirmed,
    count(*) FILTER (WHERE verdict = 'dismissed') AS dismissed,
    count(*) FILTER (WHERE verdict = 'escalated') AS escalated,
    sum(greatest(money, 0)) AS gained, sum(greatest(-money, 0)) AS lost
FROM counted GROUP BY code, grade, currency, parts"""
"""SQL for the rows of one stream. Amounts are in `parts` of a minor unit, so that sums are exact. A hand is
counted once for each code, grade and currency.
"""

_KEY = ("code", "grade", "currency", "parts")
_OF_KEY = "({})".format(", ".join(f"{{0}}.{name}" for name in _KEY))
_CHANGED = ("findings", "hands", "confirmed", "dismissed", "escalated", "gained", "lost")
_COLUMNS = ", ".join(("property", "stream", "day", *_KEY, *_CHANGED))
_REFRESH = f"""WITH made AS ({ROWS}), gone AS (
    DELETE FROM finding_tally t WHERE property = %(property)s AND stream = %(stream)s
        AND NOT EXISTS (SELECT FROM made m WHERE {_OF_KEY.format("m")} = {_OF_KEY.format("t")}))
INSERT INTO finding_tally AS t ({_COLUMNS}) SELECT {_COLUMNS} FROM made
ON CONFLICT (property, stream, {", ".join(_KEY)}) DO UPDATE
    SET {", ".join(f"{name} = excluded.{name}" for name in _CHANGED)}
    WHERE ({", ".join(f"t.{name}" for name in _CHANGED)})
        IS DISTINCT FROM ({", ".join(f"excluded.{name}" for name in _CHANGED)})"""


def refresh(property: str, stream: str) -> None:
    """Recompute the sums of a stream. The caller must have called `projections.lock_stream`."""
    database.execute(_REFRESH, {"property": property, "stream": stream})
