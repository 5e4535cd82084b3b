"""Create a table of sums of findings by stream and code, and add the columns of verdicts that the board of
officers reads.

The values for existing findings and verdicts are computed here, so that the boards are correct directly after
an upgrade.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLE = """
CREATE TABLE finding_tally (
    property text NOT NULL,
    stream text NOT NULL,
    day date NOT NULL,
    code text NOT NULL,
    grade text NOT NULL,
    currency text NOT NULL,
    parts numeric NOT NULL,
    findings bigint NOT NULL,
    hands bigint NOT NULL,
    confirmed bigint NOT NULL,
    dismissed bigint NOT NULL,
    escalated bigint NOT NULL,
    gained numeric NOT NULL,
    lost numeric NOT NULL,
    PRIMARY KEY (property, stream, code, grade, currency, parts)
);
COMMENT ON TABLE finding_tally IS 'sums of the findings of a stream, with the verdicts that count';
COMMENT ON COLUMN finding_tally.parts IS 'the number of parts of a minor unit in which gained and lost are given';
COMMENT ON COLUMN finding_tally.gained IS 'what players received beyond the amount owed';
COMMENT ON COLUMN finding_tally.lost IS 'what players received too little';
CREATE INDEX finding_tally_by_day ON finding_tally (property, day);
ALTER TABLE verdict ADD COLUMN day date, ADD COLUMN overturned boolean NOT NULL DEFAULT false,
    ADD COLUMN seconds bigint;
COMMENT ON COLUMN verdict.day IS 'the gaming day on which it was given';
COMMENT ON COLUMN verdict.overturned IS 'another officer decided otherwise later';
COMMENT ON COLUMN verdict.seconds IS
    'from the recording of the fact to the first verdict on the finding; null for later verdicts';
"""
FILL = """
INSERT INTO finding_tally
WITH one AS (
    SELECT f.property, f.stream, f.code, f.grade, coalesce(q.currency, '') AS currency, v.verdict,
        coalesce(f.round, '#' || f.number) AS hand, m.moved_parts * m.owed_parts AS parts,
        coalesce(m.moved * m.owed_parts - coalesce(m.owed, 0) * m.moved_parts, 0) AS money
    FROM finding f
    CROSS JOIN LATERAL (SELECT
        split_part(f.moved, '/', 1)::numeric AS moved,
        coalesce(nullif(split_part(f.moved, '/', 2), ''), '1')::numeric AS moved_parts,
        split_part(f.owed, '/', 1)::numeric AS owed,
        coalesce(nullif(split_part(f.owed, '/', 2), ''), '1')::numeric AS owed_parts) m
    LEFT JOIN queued q ON q.property = f.property AND q.stream = f.stream
        AND q.hand = coalesce(f.round, '#' || f.number)
    LEFT JOIN (SELECT DISTINCT ON (property, finding) property, finding, verdict FROM verdict
        ORDER BY property, finding, position DESC) v ON v.property = f.property AND v.finding = f.id
), counted AS (
    SELECT one.*, row_number() OVER (
        PARTITION BY property, stream, code, grade, currency, hand ORDER BY parts) AS place FROM one
)
SELECT property, stream, right(stream, 10)::date, code, grade, currency, parts, count(*),
    count(*) FILTER (WHERE place = 1), count(*) FILTER (WHERE verdict = 'confirmed'),
    count(*) FILTER (WHERE verdict = 'dismissed'), count(*) FILTER (WHERE verdict = 'escalated'),
    sum(greatest(money, 0)), sum(greatest(-money, 0))
FROM counted GROUP BY property, stream, code, grade, currency, parts;
UPDATE verdict t SET day = coalesce(right(given.stream, 10)::date, (t.at AT TIME ZONE 'UTC')::date),
    overturned = t.verdict NOT IN ('escalated', 'withdrawn') AND EXISTS (
        SELECT FROM verdict w WHERE w.property = t.property AND w.finding = t.finding
            AND w.position > t.position AND w.by <> t.by AND w.verdict <> t.verdict
            AND w.verdict NOT IN ('escalated', 'withdrawn')),
    seconds = CASE WHEN NOT EXISTS (SELECT FROM verdict w WHERE w.property = t.property
            AND w.finding = t.finding AND w.position < t.position)
        THEN floor(greatest(extract(epoch FROM given.recorded_at - found.recorded_at), 0))::bigint END
    FROM verdict v
    LEFT JOIN fact given ON given.property = v.property AND given.position = v.position
    LEFT JOIN fact found ON found.property = v.property AND found.uid = CASE WHEN v.uid
        ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN v.uid::uuid END
    WHERE v.property = t.property AND v.position = t.position;
ALTER TABLE verdict ALTER COLUMN day SET NOT NULL;
CREATE INDEX verdict_by_day ON verdict (property, day)
    INCLUDE (by, second, verdict, lacks_second, overturned, seconds);
DROP INDEX verdict_by_time;
"""
BACK = """
CREATE INDEX verdict_by_time ON verdict (property, at);
ALTER TABLE verdict DROP COLUMN day, DROP COLUMN overturned, DROP COLUMN seconds;
DROP TABLE finding_tally;
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the new table, because it can be computed again from the ledger."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON finding_tally TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0037_cases")]
    operations = [
        migrations.RunSQL(TABLE + FILL, BACK),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
