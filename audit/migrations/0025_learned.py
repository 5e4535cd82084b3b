"""Create an index of the corrected readings and cancelled rounds of a stream, because each examination reads
them.
"""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("audit", "0024_open_days")]
    operations = [
        migrations.RunSQL(
            "CREATE INDEX fact_learned ON fact (property, stream, number) WHERE kind IN ('read-corrected', 'round-cancelled')",
            "DROP INDEX fact_learned",
        )
    ]
