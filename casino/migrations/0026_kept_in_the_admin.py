"""Declare the archived exports to Django for the admin. The tables exist already and are not changed."""

from __future__ import annotations

from typing import Any

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

ORDER: list[tuple[str, Any]] = [
    ("id", models.BigIntegerField(primary_key=True, serialize=False)),
    *((name, models.TextField()) for name in ("property", "name", "format", "books", "asked_by", "schedule", "period")),
    *((name, models.DateField()) for name in ("begins", "ends")),
    ("by", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
    ("filters", models.JSONField()),
    ("asked_at", models.DateTimeField()),
]
MADE: list[tuple[str, Any]] = [
    ("order", models.OneToOneField("casino.KeptReport", django.db.models.deletion.DO_NOTHING, primary_key=True, db_column="id",
                                   related_name="made", serialize=False)),
    ("position", models.BigIntegerField()),
    ("chain", models.BinaryField()),
    *((name, models.TextField()) for name in ("rules", "code", "sha256")),
    ("length", models.BigIntegerField()),
    ("finished_at", models.DateTimeField()),
]


class Migration(migrations.Migration):
    dependencies = [("casino", "0025_no_forms")]
    operations = [
        migrations.CreateModel("KeptReport", ORDER, {"db_table": "report_order", "managed": False, "default_permissions": ()}),
        migrations.CreateModel("Made", MADE, {"db_table": "kept_report", "managed": False, "default_permissions": ()}),
    ]
