"""Create the table of the units of work that one command spreads over all workers."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLE = """
CREATE TABLE work_unit (
    number integer PRIMARY KEY,
    property text NOT NULL,
    stream text NOT NULL,
    rules text NOT NULL,
    dry_run boolean NOT NULL,
    facts bigint,
    result bytea,
    UNIQUE (property, stream)
);
COMMENT ON TABLE work_unit IS 'streams that a command reexamines on workers, until it has collected their results';
COMMENT ON COLUMN work_unit.result IS 'what the worker found, as MessagePack; null: not done';
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the new table."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON work_unit TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0042_money")]
    operations = [
        migrations.RunSQL(TABLE, "DROP TABLE work_unit"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
