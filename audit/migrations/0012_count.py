"""Store the position at which each day of a table was closed, and whether the day had its own box.

A closed day takes no more facts, so the days that are closed at a position of the ledger never change. A day
on which a table dealt but no box was pulled is counted with a later day. Both columns can be computed again
from the ledger.
"""

from __future__ import annotations

from django.db import migrations

TABLES = """
ALTER TABLE examination ADD COLUMN closed bigint, ADD COLUMN boxes integer;
COMMENT ON COLUMN examination.closed IS 'position of the fact by which the day was closed, once it has been read; null: it is open';
COMMENT ON COLUMN examination.boxes IS 'boxes pulled and counted; null at a table that has no drop';
UPDATE examination x SET closed = (SELECT f.position
    FROM stream s JOIN fact f ON f.property = s.property AND f.stream = s.name AND f.number = s.number
    WHERE s.property = x.property AND s.name = x.stream AND s.sealed AND s.number = x.cursor);
UPDATE examination x SET boxes = (SELECT coalesce(sum(number) FILTER (WHERE kind IN ('box-pulled', 'drop-counted')), 0)
    FROM cage_tally c WHERE c.property = x.property AND c.stream = x.stream AND kind <> 'corrected' HAVING count(*) > 0)
    WHERE NOT live_dealer;
CREATE INDEX examination_of_table ON examination (property, "table", day);
CREATE INDEX examination_without_box ON examination (property, day) WHERE boxes = 0;
"""
BACK = """
DROP INDEX examination_without_box; DROP INDEX examination_of_table;
ALTER TABLE examination DROP COLUMN closed, DROP COLUMN boxes;
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0011_serials")]
    operations = [migrations.RunSQL(TABLES, BACK)]
