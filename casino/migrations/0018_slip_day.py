"""Add to a pending slip the gaming day on which it was requested. The slip is recorded on that day and never
later.
"""

from __future__ import annotations

from django.db import migrations

COLUMN = """
ALTER TABLE slip_under_way ADD COLUMN day date;
COMMENT ON COLUMN slip_under_way.day IS 'the table''s gaming day on which it was asked for; null before this was kept: that of begun';
"""


class Migration(migrations.Migration):
    dependencies = [("casino", "0017_schedules")]
    operations = [migrations.RunSQL(COLUMN, "ALTER TABLE slip_under_way DROP COLUMN day")]
