"""Add to a user the account at the OpenID Connect provider with which the user signs in."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("casino", "0036_person_write")]
    operations = [
        migrations.AddField("person", "openid", models.TextField(blank=True, default="")),
        migrations.AddConstraint(
            "person",
            models.UniqueConstraint(fields=["openid"], condition=~models.Q(openid=""), name="casino_person_openid"),
        ),
    ]
