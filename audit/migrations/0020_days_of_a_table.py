"""If a table has dealt anything but live games since a day is read from the index of its days: the journal asks it of each."""

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
