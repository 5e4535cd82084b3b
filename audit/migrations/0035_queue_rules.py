"""Store the fingerprint of the rules by which the queue was computed, so that a difference caused by an
upgrade can be distinguished from tampering.

Earlier releases did not store a fingerprint. The placeholder for their rules gets a digest here, because only
a row with a valid digest may be explained by earlier rules.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations

from audit.keyed_digest import keyed_digest

COLUMNS = "ALTER TABLE followed ADD COLUMN rules text NOT NULL DEFAULT '', ADD COLUMN seal bytea"
BACK = "ALTER TABLE followed DROP COLUMN rules, DROP COLUMN seal"
EARLIER = "before 0.3.0"


def seal(apps: Any, schema_editor: Any) -> None:
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT property FROM followed")
        for (property,) in cursor.fetchall():
            digest = keyed_digest("rules of the queue", property, EARLIER)
            cursor.execute(
                "UPDATE followed SET rules = %s, seal = %s WHERE property = %s", [EARLIER, digest, property]
            )


class Migration(migrations.Migration):
    dependencies = [("audit", "0034_saved_views")]
    operations = [
        migrations.RunSQL(COLUMNS, BACK),
        migrations.RunPython(seal, migrations.RunPython.noop),
    ]
