"""Create the table of jobs, which workers lease. Messages through the broker only notify the workers."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations, models

TABLE = """
CREATE TABLE job (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    key text NOT NULL UNIQUE,
    property text NOT NULL,
    stream text NOT NULL DEFAULT '',
    state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'taken', 'done', 'set-aside')),
    asked bigint NOT NULL DEFAULT 1,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    rung_at timestamptz NOT NULL DEFAULT now(),
    lease text NOT NULL DEFAULT '',
    lease_until timestamptz,
    renewed_at timestamptz,
    cursor bigint NOT NULL DEFAULT 0,
    done bigint NOT NULL DEFAULT 0,
    total bigint NOT NULL DEFAULT 0,
    error text NOT NULL DEFAULT ''
) WITH (fillfactor = 50);
CREATE INDEX job_open ON job (due_at) WHERE state IN ('due', 'taken');
COMMENT ON COLUMN job.asked IS 'how often it was asked for; a job asked for while it was worked on is due again';
COMMENT ON COLUMN job.rung_at IS 'when a message was last sent for it; one that nobody answers is sent again';
COMMENT ON COLUMN job.cursor IS 'how far the last work on it came: a number in the stream, a position in the ledger';
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the table of jobs."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON job TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0002_findings")]
    operations = [
        migrations.RunSQL(TABLE, "DROP TABLE job"),
        migrations.RunPython(grant, migrations.RunPython.noop),
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                *((name, models.TextField()) for name in ("kind", "key", "property", "stream", "state", "lease", "error")),
                *((name, models.BigIntegerField()) for name in ("asked", "attempts", "cursor", "done", "total")),
                *((name, models.DateTimeField()) for name in ("due_at", "rung_at")),
                *((name, models.DateTimeField(null=True)) for name in ("lease_until", "renewed_at")),
            ],
            options={"db_table": "job", "managed": False},
        ),
    ]
