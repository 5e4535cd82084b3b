"""Create the tables of the cage: the last number of each series of slips, and slips that still need
signatures.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = """
CREATE TABLE slips_read (
    property text PRIMARY KEY,
    position bigint NOT NULL
);
COMMENT ON TABLE slips_read IS 'how far the ledger has been read for serials; its row is the lock under which a property numbers its slips';

CREATE TABLE slip_series (
    property text NOT NULL,
    series text NOT NULL,
    last bigint NOT NULL,
    PRIMARY KEY (property, series)
);
COMMENT ON TABLE slip_series IS 'a cache: the highest number of each series in the ledger; both tables may be emptied at any time';

CREATE TABLE slip_under_way (
    uid uuid PRIMARY KEY,
    property text NOT NULL,
    "table" text NOT NULL,
    kind text NOT NULL,
    currency text NOT NULL,
    chips jsonb NOT NULL,
    amount bigint NOT NULL,
    signatures jsonb NOT NULL,
    begun timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX slip_under_way_of_property ON slip_under_way (property, "table", begun);
COMMENT ON TABLE slip_under_way IS 'a fill or credit that lacks a signature; with the last it becomes a fact of the same uid';
COMMENT ON COLUMN slip_under_way.signatures IS '[[role, house id, instant], ...] in the order in which they were given';
"""
NAMES = ("slips_read", "slip_series", "slip_under_way")


def grant(apps: Any, schema_editor: Any) -> None:
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {', '.join(NAMES)} TO {user}")


class Migration(migrations.Migration):
    dependencies = [("casino", "0010_viewing"), ("audit", "0009_beside_play")]
    operations = [
        migrations.RunSQL(TABLES, f"DROP TABLE {', '.join(NAMES)}"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
