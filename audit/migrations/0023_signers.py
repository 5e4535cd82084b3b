"""Add the kinds at a table that name a person to the index of the ledger fold: voids, corrections, pauses,
answered alarms and corrected readings.

They are rare, so they need no index of their own. Postgres uses the index only if a query repeats this list
of kinds.
"""

from __future__ import annotations

from django.db import migrations

BEFORE = """'adjusted', 'box-pulled', 'chips-bought', 'closer-counted', 'count-verified', 'credit-sent', 'day-closed',
    'dealer-seated', 'drop-counted', 'fill-sent', 'flagged', 'log-written', 'marker-issued', 'marker-paid',
    'opener-counted', 'reexamined', 'register-set', 'round-opened', 'slip-voided', 'table-closed', 'table-opened',
    'verdict-given'"""
MORE = "'alarm-answered', 'corrected', 'paused', 'read-corrected', 'resumed', 'round-cancelled', 'void'"
INDEX = "DROP INDEX fact_of_the_ledger; CREATE INDEX fact_of_the_ledger ON fact (property, position) WHERE kind IN ({})"


class Migration(migrations.Migration):
    dependencies = [("audit", "0022_late")]
    operations = [migrations.RunSQL(INDEX.format(f"{BEFORE}, {MORE}"), INDEX.format(BEFORE))]
