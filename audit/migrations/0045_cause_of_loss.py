"""Store why a finding is no longer made, as the fact `reexamined` says it."""

from __future__ import annotations

from django.db import migrations

# Earlier facts do not say it, so there is no row to change.
CHANGE = """
ALTER TABLE withdrawn ADD COLUMN cause text;
COMMENT ON COLUMN withdrawn.cause IS 'why the finding is no longer made; null: the fact does not say it';
"""
BACK = "ALTER TABLE withdrawn DROP COLUMN cause;"


class Migration(migrations.Migration):
    dependencies = [("audit", "0044_kinds_of_work_units")]
    operations = [migrations.RunSQL(CHANGE, BACK)]
