"""Create an index of the facts of the log, so that a page with all entries does not read the rest of the
ledger.
"""

from __future__ import annotations

from django.db import migrations

INDEX = "CREATE INDEX fact_logged ON fact (property, position) WHERE kind = 'log-written'"


class Migration(migrations.Migration):
    dependencies = [("audit", "0012_count")]
    operations = [migrations.RunSQL(INDEX, "DROP INDEX fact_logged")]
