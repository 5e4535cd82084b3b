"""Markers are found by their days and by their serials, without what else has a serial: a year of them is asked for on one page."""

from __future__ import annotations

from django.db import migrations

# A query must repeat the list of kinds, and the day as the stream's name ends on it, to be given these.
INDEXES = """
CREATE INDEX marker_of_day ON slip_tally (property, right(stream, 10)) INCLUDE (slip, stream)
    WHERE kind IN ('marker-issued', 'marker-paid');
CREATE INDEX marker_by_serial ON slip_tally (property, slip, currency) INCLUDE (stream, kind, amount, stands)
    WHERE kind IN ('marker-issued', 'marker-paid');
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0016_together")]
    operations = [migrations.RunSQL(INDEXES, "DROP INDEX marker_by_serial; DROP INDEX marker_of_day")]
