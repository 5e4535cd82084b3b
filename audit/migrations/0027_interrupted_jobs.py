"""Count interruptions of jobs by outages, which are not failures of the job, and store who made jobs due
again.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations, models

FORWARD = """
ALTER TABLE job ADD COLUMN interruptions bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN job.interruptions IS 'how often in a row an outage ended the work; each time the job waits longer';
COMMENT ON COLUMN job.attempts IS 'how often in a row its own code failed';
UPDATE job SET attempts = 0 WHERE state <> 'set-aside';
CREATE TABLE job_revival (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    job bigint NOT NULL,
    property text NOT NULL,
    key text NOT NULL,
    by text NOT NULL,
    error text NOT NULL
);
COMMENT ON TABLE job_revival IS 'who made a job due again that was set aside or waited, and the error that it had';
CREATE INDEX job_revival_of_job ON job_revival (job, id);
CREATE INDEX job_interrupted ON job (property, id) WHERE interruptions >= 5;
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON job_revival FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
"""
BACK = "DROP TABLE job_revival; ALTER TABLE job DROP COLUMN interruptions"


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application add and read revivals of jobs, but not change them."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT ON job_revival TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0026_void_worth")]
    operations = [
        migrations.RunSQL(FORWARD, BACK),
        migrations.RunPython(grant, migrations.RunPython.noop),
        migrations.AddField("Job", "interruptions", models.BigIntegerField()),
        migrations.CreateModel(
            name="JobRevival",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
                ("job", models.BigIntegerField()),
                *((name, models.TextField()) for name in ("property", "key", "by", "error")),
            ],
            options={"db_table": "job_revival", "managed": False},
        ),
    ]
