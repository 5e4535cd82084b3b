"""Add to a token its purpose, the uid of the form that created it, and the user who revoked it. Add to a
person a number that changes when all sessions are ended.
"""

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
