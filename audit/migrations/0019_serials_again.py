"""Create the table of serials that were recorded more than once, so that a list need not search for each of
its serials in all other days.

The table may have serials that are no longer duplicates, but it never misses a duplicate. Readers therefore
check the slips. A page of markers reads all of its sums from one index.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

# Both statements are those of audit/findings/duplicate_serials.py at this release, for all slips.
TABLES = """
CREATE TABLE serial_again (
    property text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('slip', 'marker')),
    slip text COLLATE "C" NOT NULL,
    PRIMARY KEY (property, kind, slip)
);
COMMENT ON COLUMN serial_again.kind IS 'slip: a fill or credit came under it twice; marker: one was issued under it after another came';
INSERT INTO serial_again SELECT property, 'slip', slip FROM slip_tally
    WHERE kind IN ('fill-sent', 'credit-sent') GROUP BY property, slip HAVING count(*) > 1;
INSERT INTO serial_again SELECT property, 'marker', slip FROM slip_tally WHERE kind IN ('marker-issued', 'marker-paid')
    GROUP BY property, slip HAVING min(right(stream, 10)) < max(right(stream, 10)) FILTER (WHERE kind = 'marker-issued');
DROP INDEX marker_of_day;
CREATE INDEX marker_of_day ON slip_tally (property, right(stream, 10)) INCLUDE (slip, stream, kind, currency, amount, stands)
    WHERE kind IN ('marker-issued', 'marker-paid');
"""
BACK = """
DROP TABLE serial_again;
DROP INDEX marker_of_day;
CREATE INDEX marker_of_day ON slip_tally (property, right(stream, 10)) INCLUDE (slip, stream)
    WHERE kind IN ('marker-issued', 'marker-paid');
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the new table."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON serial_again TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0018_stamps")]
    operations = [migrations.RunSQL(TABLES, BACK), migrations.RunPython(grant, migrations.RunPython.noop)]
