"""Create the table of the hands that officers have open now, so that two officers who review one hand know of
each other.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = """
CREATE TABLE open_hand (
    property text NOT NULL,
    stream text NOT NULL,
    hand text NOT NULL,
    person text NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (property, stream, hand, person)
);
CREATE INDEX open_hand_of_person ON open_hand (person);
COMMENT ON TABLE open_hand IS 'true for seconds: the page writes its row again while the hand is open';
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Grant the application's role to write and delete rows."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON open_hand TO {user}")


class Migration(migrations.Migration):
    dependencies = [("casino", "0027_seals")]
    operations = [
        migrations.RunSQL(TABLES, "DROP TABLE open_hand"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
