"""Add the game and the live-dealer column to the index of a table's days. The journal uses this index to find
out if a table has dealt a game that is not a live-dealer game since a day.
"""

from __future__ import annotations

from django.db import migrations

INDEX = """
DROP INDEX examination_of_table;
CREATE INDEX examination_of_table ON examination (property, "table", day) INCLUDE (game, live_dealer);
"""
BACK = """
DROP INDEX examination_of_table;
CREATE INDEX examination_of_table ON examination (property, "table", day);
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0019_serials_again")]
    operations = [migrations.RunSQL(INDEX, BACK)]
