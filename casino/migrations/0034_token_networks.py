"""Add to a token the networks from which it may be used, and how many days before its end a warning is shown.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("casino", "0033_bi")]
    operations = [
        migrations.AddField("token", "networks", ArrayField(models.TextField(), default=list)),
        migrations.AddField("token", "warn_days", models.SmallIntegerField(default=14)),
        migrations.AddField("token", "changed_at", models.DateTimeField(null=True)),
        migrations.AddField("token", "changed_by", models.TextField(blank=True, default="")),
        migrations.AddField("token", "refused_at", models.DateTimeField(null=True)),
        migrations.AddField("token", "refused_from", models.TextField(blank=True, default="")),
    ]
