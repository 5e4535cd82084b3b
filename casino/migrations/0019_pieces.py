"""Store archived exports in blobs of one megabyte, so that an export is never wholly in memory. Add their
manifests and filters.

Exports that were archived before have no manifest, because their rows were not counted when they were built.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

PIECES = """
ALTER TABLE report_order ADD COLUMN filters jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN report_order.name IS 'a report, or what else leaves the house: facts, findings, the tally';
COMMENT ON COLUMN report_order.filters IS 'besides property and days: {"table": "EOU-01"}';

CREATE TABLE kept_piece (
    kept bigint NOT NULL REFERENCES kept_report,
    place int NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (kept, place)
);
COMMENT ON COLUMN kept_piece.place IS 'from 0; every piece but the last has 1,048,576 bytes';

ALTER TABLE kept_report ADD COLUMN length bigint NOT NULL DEFAULT 0, ADD COLUMN manifest text NOT NULL DEFAULT '';
COMMENT ON COLUMN kept_report.manifest IS 'its bytes as they are given away; empty of what was kept before there were any';
INSERT INTO kept_piece (kept, place, content)
    SELECT id, place, substring(content FROM place * 1048576 + 1 FOR 1048576)
    FROM kept_report, generate_series(0, (greatest(length(content), 1) - 1) / 1048576) place;
ALTER TABLE kept_report DISABLE TRIGGER never_changed;
UPDATE kept_report SET length = length(content);
ALTER TABLE kept_report ENABLE TRIGGER never_changed;
ALTER TABLE kept_report ALTER COLUMN length DROP DEFAULT, ALTER COLUMN manifest DROP DEFAULT, DROP COLUMN content;
"""
BACK = """
ALTER TABLE kept_report ADD COLUMN content bytea;
ALTER TABLE kept_report DISABLE TRIGGER never_changed;
UPDATE kept_report SET content = (SELECT string_agg(content, '' ORDER BY place) FROM kept_piece WHERE kept = id);
ALTER TABLE kept_report ENABLE TRIGGER never_changed;
ALTER TABLE kept_report ALTER COLUMN content SET NOT NULL, DROP COLUMN length, DROP COLUMN manifest;
DROP TABLE kept_piece;
ALTER TABLE report_order DROP COLUMN filters;
"""
GUARD = "CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON kept_piece FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"


def grant(apps: Any, schema_editor: Any) -> None:
    """Grant the application's role to read and add blobs."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT ON kept_piece TO {user}")
    schema_editor.execute(GUARD)


class Migration(migrations.Migration):
    dependencies = [("casino", "0024_one_time")]
    operations = [migrations.RunSQL(PIECES, BACK), migrations.RunPython(grant, migrations.RunPython.noop)]
