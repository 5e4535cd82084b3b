"""Store an upper limit for the variance of the win if the wagers of one round win and lose together.

For earlier tallies, `manage.py reexamine` computes it from the ledger.
"""

from __future__ import annotations

from django.db import migrations

COLUMN = """
ALTER TABLE tally ADD COLUMN together numeric NOT NULL DEFAULT 0;
COMMENT ON COLUMN tally.together IS 'squares of the stakes that stood, each as many times as wagers stood in its round';
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0015_found")]
    operations = [migrations.RunSQL(COLUMN, "ALTER TABLE tally DROP COLUMN together")]
