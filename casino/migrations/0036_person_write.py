"""Create the table of each person's latest change, which tells if a replica has replayed it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

# Unlogged: a row is of use for the permitted lag of the replica, at most an hour, and a crash may delete it.
TABLE = """
CREATE UNLOGGED TABLE person_write (
    person text PRIMARY KEY,
    lsn pg_lsn NOT NULL,
    at timestamptz NOT NULL
);
COMMENT ON TABLE person_write IS 'how far a replica must be before a person reads it: the position in the WAL after
the latest change; only filled if DATABASE_REPLICA_URL is set';
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application write the positions."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE ON person_write TO {user}")


class Migration(migrations.Migration):
    dependencies = [("casino", "0035_check_times")]
    operations = [
        migrations.RunSQL(TABLE, "DROP TABLE person_write"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
