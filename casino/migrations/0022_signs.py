"""Create the table of heartbeats, which says when the worker and beat were last active
(casino/runtime/operations/heartbeats.py).
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLE = """
CREATE TABLE sign (
    process text PRIMARY KEY,
    at timestamptz NOT NULL
) WITH (fillfactor = 10);
COMMENT ON TABLE sign IS 'a row for each kind of process, written every few seconds; may be emptied at any time';
"""


def grant(apps: Any, schema_editor: Any) -> None:
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON sign TO {user}")


class Migration(migrations.Migration):
    dependencies = [("casino", "0020_scopes")]
    operations = [migrations.RunSQL(TABLE, "DROP TABLE sign"), migrations.RunPython(grant, migrations.RunPython.noop)]
