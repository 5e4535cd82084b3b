"""Create the table of hands that an officer flagged. They are in the queue like hands with findings. The
table can be computed again from the facts.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = """
CREATE TABLE flag (
    property text NOT NULL,
    position bigint NOT NULL,
    finding text NOT NULL,
    stream text NOT NULL,
    round text NOT NULL,
    why text NOT NULL,
    by text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (property, position)
);
CREATE INDEX flag_of_hand ON flag (property, stream, round);
CREATE INDEX flag_by_id ON flag (property, finding);
COMMENT ON COLUMN flag.finding IS 'uid of the fact:flagged::, as the ids of findings are made; verdicts name it';
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the new table, because it can be computed again from the ledger."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON flag TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0005_reports")]
    operations = [
        migrations.RunSQL(TABLES, "DROP TABLE flag"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
