"""Store which findings have been announced to webhooks, and create an index of the facts that configure
alerts and webhooks.

Findings that exist at this upgrade count as announced: the stream of events begins with this release.
"""

from __future__ import annotations

from django.db import migrations

BEFORE = """'adjusted', 'alarm-answered', 'box-pulled', 'chips-bought', 'closer-counted', 'corrected', 'count-verified',
    'credit-sent', 'day-closed', 'dealer-seated', 'drop-counted', 'fill-sent', 'flagged', 'log-written',
    'marker-issued', 'marker-paid', 'opener-counted', 'paused', 'read-corrected', 'reexamined', 'register-set',
    'resumed', 'round-cancelled', 'round-opened', 'slip-voided', 'table-closed', 'table-opened', 'verdict-given',
    'void', 'hand-assigned', 'hand-snoozed'"""
MORE = "'alert-rule-set', 'webhook-set'"
INDEX = "DROP INDEX fact_of_the_ledger; CREATE INDEX fact_of_the_ledger ON fact (property, position) WHERE kind IN ({});"
TABLES = f"""
CREATE INDEX fact_of_alerts ON fact (property, position) WHERE kind IN ({MORE});
ALTER TABLE finding ADD COLUMN announced bigint DEFAULT 0;
ALTER TABLE finding ALTER COLUMN announced DROP DEFAULT;
CREATE INDEX finding_to_announce ON finding (property, stream, number) WHERE announced IS NULL;
COMMENT ON COLUMN finding.announced IS 'the number of the event that announced it; null: not yet; 0: before there were events';
"""
BACK = "DROP INDEX finding_to_announce, fact_of_alerts; ALTER TABLE finding DROP COLUMN announced;"


class Migration(migrations.Migration):
    dependencies = [("audit", "0032_boards")]
    operations = [
        migrations.RunSQL(INDEX.format(f"{BEFORE}, {MORE}"), INDEX.format(BEFORE)),
        migrations.RunSQL(TABLES, BACK),
    ]
