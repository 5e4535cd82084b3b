"""Create indexes for the boards of surveillance: the tally of one dealer, and the verdicts of a range of
days.
"""

from __future__ import annotations

from django.db import migrations

INDEXES = """
CREATE INDEX tally_by_dealer ON tally (property, dealer, stream);
CREATE INDEX verdict_by_time ON verdict (property, at);
"""
BACK = "DROP INDEX tally_by_dealer; DROP INDEX verdict_by_time;"


class Migration(migrations.Migration):
    dependencies = [("audit", "0031_tree")]
    operations = [migrations.RunSQL(INDEXES, BACK)]
