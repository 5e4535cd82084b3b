"""Create two indexes for the pages of floor, cage and count room: the streams of a day, and the facts in them
that are not about play.
"""

from __future__ import annotations

from django.db import migrations

INDEXES = """
-- A query must repeat this list word for word to be given the index.
CREATE INDEX fact_beside_play ON fact (property, stream, number) WHERE kind IN (
    'box-pulled', 'chips-bought', 'closer-counted', 'count-verified', 'credit-sent', 'day-closed', 'dealer-seated', 'drop-counted',
    'fill-sent', 'marker-issued', 'marker-paid', 'opener-counted', 'slip-voided', 'table-closed', 'table-opened');
CREATE INDEX stream_of_day ON stream (property, right(name, 10));
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0007_hold")]
    operations = [migrations.RunSQL(INDEXES, "DROP INDEX stream_of_day; DROP INDEX fact_beside_play")]
