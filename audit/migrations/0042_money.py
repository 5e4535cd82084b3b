"""Create an index of the facts about money after the table: markers that are written off or recovered, and
money that goes to the cage and to the bank. These facts are few and are read by many pages.
"""

from __future__ import annotations

from django.db import migrations

# Postgres uses this index only if a query repeats its list of kinds.
INDEX = """CREATE INDEX fact_of_money ON fact (property, position)
    WHERE kind IN ('marker-written-off', 'marker-recovered', 'drop-received', 'deposit-sent', 'deposit-confirmed')"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0041_cheap_conditions")]
    operations = [migrations.RunSQL(INDEX, "DROP INDEX fact_of_money")]
