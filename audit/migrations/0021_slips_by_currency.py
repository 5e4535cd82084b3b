"""Store one row for each serial and currency, even if a table plays in two currencies on one day, because no
report adds two currencies.
"""

from __future__ import annotations

from django.db import migrations

KEY = "ALTER TABLE slip_tally DROP CONSTRAINT slip_tally_pkey, ADD PRIMARY KEY (property, stream, kind, slip{0})"


class Migration(migrations.Migration):
    dependencies = [("audit", "0020_days_of_a_table")]
    operations = [migrations.RunSQL(KEY.format(", currency"), KEY.format(""))]
