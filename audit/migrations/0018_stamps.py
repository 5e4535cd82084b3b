"""Two indexes by which no asking costs more as the ledger grows older.

What sums are kept by is read from the first alone: how far each stream of a day was examined, by which rules, and if it is closed. The
entries of registers are found by the second without going through rounds and counts.
"""

from __future__ import annotations

from django.db import migrations

INDEXES = """
CREATE INDEX examination_stamps ON examination (property, day) INCLUDE (stream, rules, cursor, closed, game);
CREATE INDEX fact_of_registers ON fact (property, position) WHERE kind = 'register-set';
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0017_markers")]
    operations = [migrations.RunSQL(INDEXES, "DROP INDEX fact_of_registers; DROP INDEX examination_stamps")]
