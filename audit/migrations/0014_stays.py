"""Store whether the last box of a table's day stayed on the table, and the shift of its first box.

For days that were examined before, `manage.py reexamine` computes both.
"""

from __future__ import annotations

from django.db import migrations

COLUMNS = """
ALTER TABLE examination ADD COLUMN stays boolean NOT NULL DEFAULT false, ADD COLUMN first_box text NOT NULL DEFAULT '';
COMMENT ON COLUMN examination.stays IS 'boxes of several shifts were pulled, and that of the last shift stayed on the table';
COMMENT ON COLUMN examination.first_box IS 'the shift of the first box that was pulled or counted';
DROP INDEX examination_without_box;
CREATE INDEX examination_box_stays ON examination (property, day) WHERE boxes = 0 OR stays;
"""
BACK = """
DROP INDEX examination_box_stays;
CREATE INDEX examination_without_box ON examination (property, day) WHERE boxes = 0;
ALTER TABLE examination DROP COLUMN stays, DROP COLUMN first_box;
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0013_log")]
    operations = [migrations.RunSQL(COLUMNS, BACK)]
