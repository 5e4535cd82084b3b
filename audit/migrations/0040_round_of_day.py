"""Create an index of rounds by gaming day in order of time. Without it, a search for one past day reads all
later rounds until it reaches that day.
"""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("audit", "0039_unpaid_markers")]
    operations = [
        migrations.RunSQL(
            "CREATE INDEX round_of_day ON round_tally (property, day, opened_at, stream, number)",
            "DROP INDEX round_of_day",
        )
    ]
