"""Create an index of the gaming days that are not closed. Before a day is closed, Catwalk uses the index to
check that no earlier day of the table is open.
"""

from __future__ import annotations

from django.db import migrations

INDEX = 'CREATE INDEX stream_open ON stream (property, name COLLATE "C") WHERE NOT sealed'


class Migration(migrations.Migration):
    dependencies = [("audit", "0023_signers")]
    operations = [migrations.RunSQL(INDEX, "DROP INDEX stream_open")]
