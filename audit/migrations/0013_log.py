"""What was written into the log is found without reading the rest of the ledger: there is little of it, and a page asks for all."""

from __future__ import annotations

from django.db import migrations

INDEX = "CREATE INDEX fact_logged ON fact (property, position) WHERE kind = 'log-written'"


class Migration(migrations.Migration):
    dependencies = [("audit", "0012_count")]
    operations = [migrations.RunSQL(INDEX, "DROP INDEX fact_logged")]
