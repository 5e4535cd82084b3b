"""The ledger fold reads the kinds at a table that name a person too: voids, corrections, pauses, answered alarms, corrected reads.

They are rare, so the one index of what the fold reads takes them in; a query must repeat this list to be given the index.
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
