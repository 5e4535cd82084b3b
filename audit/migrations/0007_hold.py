"""Add columns for the attribution of the hold to each tally row: the amounts owed under the rules, the cost
of the players' decisions, and the amounts that cannot be attributed.

An earlier row has `parts` 0 and is shown without attribution until `manage.py reexamine` computes it again
from the ledger.
"""

from __future__ import annotations

from django.db import migrations

NAMES = ("decided", "owed", "choices", "rounding", "undivided", "unseen", "parts")
COLUMNS = f"""
ALTER TABLE tally {", ".join(f"ADD COLUMN {name} numeric NOT NULL DEFAULT 0" for name in NAMES)};
COMMENT ON COLUMN tally.parts IS 'of a minor unit, in which owed, choices, rounding, undivided and unseen are; 0: never divided';
"""
BACK = f"ALTER TABLE tally {', '.join(f'DROP COLUMN {name}' for name in NAMES)}"


class Migration(migrations.Migration):
    dependencies = [("audit", "0006_flags")]
    operations = [migrations.RunSQL(COLUMNS, BACK)]
