"""A token says what it is for, by which form it was made and who ended it; all logins of a person can be ended at once."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("casino", "0022_signs")]
    operations = [
        migrations.AddField("token", "label", models.TextField(blank=True, default="")),
        migrations.AddField("token", "uid", models.UUIDField(null=True, unique=True)),
        migrations.AddField("token", "revoked_by", models.TextField(blank=True, default="")),
        migrations.AddField("person", "logins_ended", models.IntegerField(default=0)),
    ]
