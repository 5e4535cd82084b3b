"""Create the table of nonces of signed requests."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations, models


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application add nonces and delete old ones."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON used_nonce TO {user}")


class Migration(migrations.Migration):
    dependencies = [("casino", "0030_cases")]
    operations = [
        migrations.CreateModel(
            name="UsedNonce",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False, auto_created=True, verbose_name="ID")),
                ("property", models.TextField()),
                ("device", models.TextField()),
                ("nonce", models.TextField()),
                ("ends_at", models.DateTimeField(db_index=True)),
            ],
            options={"db_table": "used_nonce", "default_permissions": ()},
        ),
        migrations.AddConstraint(
            model_name="usednonce",
            constraint=models.UniqueConstraint(
                fields=["property", "device", "nonce"], name="nonce_used_once"
            ),
        ),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
