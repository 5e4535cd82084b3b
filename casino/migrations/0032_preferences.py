"""Create the table of each person's preferences: favorite reports, when a report was last used, columns and
row height.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLE = """
CREATE TABLE preference (
    person text NOT NULL,
    name text NOT NULL,
    value jsonb NOT NULL,
    PRIMARY KEY (person, name)
);
COMMENT ON TABLE preference IS 'what a person prefers to see; no figure depends on it; erased with the person';
COMMENT ON COLUMN preference.name IS 'such as report:hold';
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application write preferences."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON preference TO {user}")


class Migration(migrations.Migration):
    dependencies = [("casino", "0031_used_nonce")]
    operations = [
        migrations.RunSQL(TABLE, "DROP TABLE preference"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
