"""Create indexes for the floor page: the last day of a table, and the last fact of each kind on that day.
Their cost does not grow with the age of the ledger.
"""

from __future__ import annotations

from django.db import migrations

INDEXES = """
-- By code point, whatever the server's language: so the days of a table stand together, and its last one is one step.
CREATE INDEX stream_of_table ON stream (property, name COLLATE "C");

-- The settings and the dealer are in fact_of_a_hand; these are the rest of what the board asks. A few facts a table's day.
CREATE INDEX fact_of_the_floor ON fact (property, stream, kind, number) WHERE kind IN (
    'table-closed', 'opener-counted', 'closer-counted', 'fill-sent', 'credit-sent', 'slip-voided', 'box-pulled', 'drop-counted');
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0009_beside_play")]
    operations = [migrations.RunSQL(INDEXES, "DROP INDEX fact_of_the_floor; DROP INDEX stream_of_table")]
