"""Where the hold went: what each row of the tally was owed by the rules, what its players' decisions cost, and what cannot be told apart.

A row that was kept before has no parts and is shown undivided; `manage.py reexamine` makes it anew from the ledger.
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
