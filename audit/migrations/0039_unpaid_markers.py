"""Create the table of markers that are not fully paid, and an index with which waiting hands are counted
without reading their rows.

The rows for existing markers are computed here, so that the pages are correct directly after an upgrade.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLE = """
CREATE TABLE unpaid_marker (
    property text NOT NULL,
    slip text NOT NULL,
    currency text NOT NULL,
    "table" text NOT NULL,
    issued_on date NOT NULL,
    issued numeric NOT NULL,
    paid_on date,
    paid numeric NOT NULL,
    last_on date NOT NULL,
    PRIMARY KEY (property, slip, currency)
);
COMMENT ON TABLE unpaid_marker IS 'markers of which less was paid than issued, at any table and on any day';
COMMENT ON COLUMN unpaid_marker.last_on IS 'the last gaming day with a fact of the marker';
CREATE INDEX unpaid_marker_by_day ON unpaid_marker (property, last_on);
INSERT INTO unpaid_marker
SELECT * FROM (
    SELECT property, slip, currency,
        min(left(stream, -11) COLLATE "C") FILTER (WHERE kind = 'marker-issued') AS "table",
        min(right(stream, 10)::date) FILTER (WHERE kind = 'marker-issued') AS issued_on,
        coalesce(sum(amount) FILTER (WHERE kind = 'marker-issued' AND stands), 0) AS issued,
        max(right(stream, 10)::date) FILTER (WHERE kind = 'marker-paid') AS paid_on,
        coalesce(sum(amount) FILTER (WHERE kind = 'marker-paid'), 0) AS paid,
        max(right(stream, 10)::date) AS last_on
    FROM slip_tally WHERE kind IN ('marker-issued', 'marker-paid')
    GROUP BY property, slip, currency) m WHERE issued > paid;
DROP INDEX queued_waiting;
CREATE INDEX queued_waiting ON queued (property, "table", day) INCLUDE (rank)
    WHERE state <> 'decided' AND rank < 5;
"""
BACK = """
DROP TABLE unpaid_marker;
DROP INDEX queued_waiting;
CREATE INDEX queued_waiting ON queued (property, "table", day) WHERE state <> 'decided' AND rank < 5;
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the new table, because it can be computed again from the ledger."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON unpaid_marker TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0038_review_sums")]
    operations = [
        migrations.RunSQL(TABLE, BACK),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
