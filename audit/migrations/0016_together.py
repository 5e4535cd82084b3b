"""What a win may vary by at most where the wagers of a round fall together.

Tallies that were kept before have it once they are made anew from the ledger: `manage.py reexamine`.
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
