"""Create the viewing log, which says who saw which hand and is never changed. Create the table of officers'
free texts, which can be erased while a fact keeps their hash.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = """
CREATE TABLE viewing (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    person text NOT NULL,
    property text NOT NULL,
    stream text NOT NULL,
    hand text NOT NULL
);
CREATE INDEX viewing_of_person ON viewing (person, id);
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON viewing FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE free_words (
    property text NOT NULL,
    sha256 text NOT NULL,
    words text NOT NULL,
    by text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (property, sha256)
);
COMMENT ON TABLE free_words IS 'what officers wrote; a fact carries the hash. To erase is to delete the row';
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Grant the application's role to read and add rows in both tables, and to erase free texts."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT ON viewing TO {user}")
    schema_editor.execute(f"GRANT SELECT, INSERT, DELETE ON free_words TO {user}")


class Migration(migrations.Migration):
    dependencies = [("casino", "0002_grants"), ("audit", "0001_ledger")]
    operations = [
        migrations.RunSQL(TABLES, "DROP TABLE viewing, free_words"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
