"""Create indexes of markers by day and by serial that leave out all other slips, because one page lists the
markers of a year.
"""

from __future__ import annotations

from django.db import migrations

# Postgres uses these indexes only if a query repeats the list of kinds, and takes the day from the end of the
# stream's name.
INDEXES = """
CREATE INDEX marker_of_day ON slip_tally (property, right(stream, 10)) INCLUDE (slip, stream)
    WHERE kind IN ('marker-issued', 'marker-paid');
CREATE INDEX marker_by_serial ON slip_tally (property, slip, currency) INCLUDE (stream, kind, amount, stands)
    WHERE kind IN ('marker-issued', 'marker-paid');
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0016_together")]
    operations = [migrations.RunSQL(INDEXES, "DROP INDEX marker_by_serial; DROP INDEX marker_of_day")]
