"""Create the tables of archived reports, of their orders, and of rebuilt reports, whose rows nobody changes.
Let the application edit the schedules of beat.

A report is built in temporary tables of its own connection (audit/findings/as_of.py). The application may call
only one function of the owner. That function searches the temporary tables last, so the right to create them
does not give access to other data.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = """
CREATE TABLE report_order (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    property text NOT NULL,
    name text NOT NULL,
    begins date NOT NULL,
    ends date NOT NULL,
    by text[] NOT NULL,
    format text NOT NULL,
    books text NOT NULL,
    asked_by text NOT NULL,
    schedule text NOT NULL DEFAULT '',
    period text NOT NULL DEFAULT '',
    asked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE UNIQUE INDEX report_order_once ON report_order (property, schedule, period) WHERE schedule <> '';
CREATE INDEX report_order_latest ON report_order (property, id DESC);
COMMENT ON COLUMN report_order.ends IS 'the gaming day after the last';
COMMENT ON COLUMN report_order.period IS 'what a schedule orders once: 2026-11-27, 2026-11-27 swing, 2026-11';

CREATE TABLE kept_report (
    id bigint PRIMARY KEY REFERENCES report_order,
    position bigint NOT NULL,
    chain bytea NOT NULL,
    rules text NOT NULL,
    code text NOT NULL,
    sha256 text NOT NULL,
    content bytea NOT NULL,
    finished_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON COLUMN kept_report.position IS 'the head of the ledger that it saw; chain: its hash there';
COMMENT ON COLUMN kept_report.code IS 'a hash of the source that made it; rules: of those by which its streams were judged';

CREATE TABLE report_again (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kept bigint NOT NULL REFERENCES kept_report,
    by text NOT NULL,
    same boolean NOT NULL,
    says text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX report_again_of ON report_again (kept, id DESC);

ALTER TABLE viewing ADD COLUMN address text NOT NULL DEFAULT '';
COMMENT ON COLUMN viewing.address IS 'of a report: the page or file that was seen; hand then names it in words';
"""
NAMES = ("report_order", "kept_report", "report_again")
BACK = f"ALTER TABLE viewing DROP COLUMN address; DROP TABLE {', '.join(reversed(NAMES))};"
GUARD = "CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON {} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
BEAT = ("periodictask", "periodictasks", "crontabschedule", "intervalschedule", "solarschedule", "clockedschedule")


def grant(apps: Any, schema_editor: Any) -> None:
    """Grant the rights: read and add archived rows, edit schedules, and create temporary tables."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT ON {', '.join(NAMES)} TO {user}")
    for name in NAMES:
        schema_editor.execute(GUARD.format(name))
    beat = ", ".join(f"django_celery_beat_{name}" for name in BEAT)
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {beat} TO {user}")
    database = schema_editor.connection.ops.quote_name(schema_editor.connection.settings_dict["NAME"])
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT has_database_privilege(%s, current_database(), 'TEMP')", [settings.DATABASES["default"]["USER"]])
        may = cursor.fetchone()[0]
    if not may:
        schema_editor.execute(f"GRANT TEMPORARY ON DATABASE {database} TO {user}")


class Migration(migrations.Migration):
    dependencies = [("casino", "0014_cage"), ("audit", "0006_flags"), ("django_celery_beat", "0019_alter_periodictasks_options")]
    operations = [migrations.RunSQL(TABLES, BACK), migrations.RunPython(grant, migrations.RunPython.noop)]
