"""Create two indexes for queries that would become slower as the ledger grows.

The first has everything on which cached sums depend: how far each stream of a day was examined, by which
rules, and if it is closed. The second finds register entries without reading rounds and counts.
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
