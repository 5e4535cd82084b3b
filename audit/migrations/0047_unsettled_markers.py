"""Add markers of which more was paid than issued to the table of markers that are not settled, and store the
recorded serials of slips in a column of their own.

The report of marker ageing then reads only the table of markers, and not the slips of all days. The report of
slips reads only the serials, and not the whole state of the ledger fold. Existing rows are filled here, so
that both reports are correct directly after an upgrade.
"""

from __future__ import annotations

from django.db import migrations

ADDED = """
ALTER TABLE unpaid_marker ALTER COLUMN issued_on DROP NOT NULL;
COMMENT ON TABLE unpaid_marker IS
    'markers of which more or less was paid than issued, at any table and on any day';
COMMENT ON COLUMN unpaid_marker.issued_on IS
    'the first gaming day on which it was issued; null if it was never issued here';
INSERT INTO unpaid_marker
SELECT * FROM (
    SELECT property, slip, currency,
        coalesce(min(left(stream, -11) COLLATE "C") FILTER (WHERE kind = 'marker-issued'),
            min(left(stream, -11) COLLATE "C")) AS "table",
        min(right(stream, 10)::date) FILTER (WHERE kind = 'marker-issued') AS issued_on,
        coalesce(sum(amount) FILTER (WHERE kind = 'marker-issued' AND stands), 0) AS issued,
        max(right(stream, 10)::date) FILTER (WHERE kind = 'marker-paid') AS paid_on,
        coalesce(sum(amount) FILTER (WHERE kind = 'marker-paid'), 0) AS paid,
        max(right(stream, 10)::date) AS last_on
    FROM slip_tally WHERE kind IN ('marker-issued', 'marker-paid')
    GROUP BY property, slip, currency) m WHERE paid > issued
ON CONFLICT DO NOTHING;
ALTER TABLE ledger_examination ADD COLUMN serials text;
COMMENT ON COLUMN ledger_examination.serials IS
    'the part of the state with the recorded serials of slips, as JSON; null if only the state has it';
UPDATE ledger_examination SET serials = convert_from(state, 'UTF8')::json -> 'checks' ->> 'slip-serials'
    WHERE substring(state FOR 1) = '{';
"""
BACK = """
ALTER TABLE ledger_examination DROP COLUMN serials;
DELETE FROM unpaid_marker WHERE paid > issued;
COMMENT ON TABLE unpaid_marker IS 'markers of which less was paid than issued, at any table and on any day';
COMMENT ON COLUMN unpaid_marker.issued_on IS NULL;
ALTER TABLE unpaid_marker ALTER COLUMN issued_on SET NOT NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0045_cause_of_loss")]
    operations = [migrations.RunSQL(ADDED, BACK)]
