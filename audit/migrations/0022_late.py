"""Store whether a day of a table came late: it began in the ledger after a later day of that table was
closed. This never changes.

When such a day begins, the journal has already booked the later day, and booked documents never change.
Earlier releases compared a day only with the next 62 days. An index finds the boxes that are already on their
tables when a range of days begins, even if they have been there for a long time.
"""

from __future__ import annotations

from django.db import migrations

COLUMN = """
ALTER TABLE examination ADD COLUMN late boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN examination.late IS 'it began in the ledger when a later day of its table was closed';
CREATE INDEX examination_box_of_table ON examination (property, "table", day) WHERE boxes = 0 OR stays;
WITH told AS (
    SELECT x.property, x.stream, x."table", x.day, begun.position AS begun, CASE WHEN s.sealed THEN last.position END AS closed
    FROM examination x JOIN stream s ON s.property = x.property AND s.name = x.stream
    JOIN fact begun ON begun.property = x.property AND begun.stream = x.stream AND begun.number = 1
    JOIN fact last ON last.property = x.property AND last.stream = x.stream AND last.number = s.number
    WHERE x.game <> ''),
behind AS (
    SELECT property, stream, begun, min(closed) OVER (
        PARTITION BY property, "table" ORDER BY day ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS closed
    FROM told)
UPDATE examination x SET late = true FROM behind b WHERE b.property = x.property AND b.stream = x.stream AND b.begun > b.closed;
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0021_slips_by_currency")]
    operations = [migrations.RunSQL(COLUMN, "DROP INDEX examination_box_of_table; ALTER TABLE examination DROP COLUMN late")]
