"""Change the name of the model `Asking` in the admin to `check time`."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("casino", "0034_token_networks")]
    operations = [
        migrations.AlterModelOptions(
            "Asking",
            {"default_permissions": (), "verbose_name": "check time", "verbose_name_plural": "check times"},
        ),
    ]
