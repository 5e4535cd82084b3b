"""The gaming days that are not closed, by an index: closing a later one asks if an earlier one of the table is open."""

from __future__ import annotations

from django.db import migrations

INDEX = 'CREATE INDEX stream_open ON stream (property, name COLLATE "C") WHERE NOT sealed'


class Migration(migrations.Migration):
    dependencies = [("audit", "0023_signers")]
    operations = [migrations.RunSQL(INDEX, "DROP INDEX stream_open")]
