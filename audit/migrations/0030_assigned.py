"""Create tables of the owners and snoozes of hands in the queue, and indexes to sort the queue by money, time
and table and to find hands that need a verdict.

The ledger fold also reads the kinds `hand-assigned` and `hand-snoozed`. Postgres uses its index only if a
query repeats the list of kinds.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = """
CREATE TABLE assigned (
    property text NOT NULL,
    position bigint NOT NULL,
    stream text NOT NULL,
    hand text NOT NULL,
    owner text,
    by text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (property, position)
);
CREATE INDEX assigned_of_hand ON assigned (property, stream, hand, position DESC);
COMMENT ON COLUMN assigned.owner IS 'null: the hand was released';

CREATE TABLE snoozed (
    property text NOT NULL,
    position bigint NOT NULL,
    stream text NOT NULL,
    hand text NOT NULL,
    until timestamptz,
    by text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (property, position)
);
CREATE INDEX snoozed_of_hand ON snoozed (property, stream, hand, position DESC);
COMMENT ON COLUMN snoozed.until IS 'null: the hand is shown again';

ALTER TABLE queued ADD COLUMN owner text NOT NULL DEFAULT '', ADD COLUMN until timestamptz;
COMMENT ON COLUMN queued.owner IS 'the officer who looks after the hand; empty: nobody';
CREATE INDEX queued_waiting ON queued (property, "table", day) WHERE state <> 'decided' AND rank < 5;
CREATE INDEX queued_of_owner ON queued (property, owner) WHERE state <> 'decided' AND owner <> '';
CREATE INDEX queued_until ON queued (property, until) WHERE state <> 'decided' AND until IS NOT NULL;
CREATE INDEX queued_by_money ON queued (property, state, less, stream, hand) WHERE rank < 5;
CREATE INDEX queued_by_time ON queued (property, state, at DESC, stream, hand) WHERE rank < 5;
CREATE INDEX queued_by_place ON queued (property, state, "table", at, stream, hand) WHERE rank < 5;
"""
BACK = """
DROP INDEX queued_by_place, queued_by_time, queued_by_money, queued_until, queued_of_owner, queued_waiting;
ALTER TABLE queued DROP COLUMN owner, DROP COLUMN until;
DROP TABLE assigned, snoozed;
"""
BEFORE = """'adjusted', 'alarm-answered', 'box-pulled', 'chips-bought', 'closer-counted', 'corrected', 'count-verified',
    'credit-sent', 'day-closed', 'dealer-seated', 'drop-counted', 'fill-sent', 'flagged', 'log-written',
    'marker-issued', 'marker-paid', 'opener-counted', 'paused', 'read-corrected', 'reexamined', 'register-set',
    'resumed', 'round-cancelled', 'round-opened', 'slip-voided', 'table-closed', 'table-opened', 'verdict-given',
    'void'"""
MORE = "'hand-assigned', 'hand-snoozed'"
INDEX = "DROP INDEX fact_of_the_ledger; CREATE INDEX fact_of_the_ledger ON fact (property, position) WHERE kind IN ({})"


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the new tables, because they can be computed again from the ledger.
    """
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON assigned, snoozed TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0029_round_tally")]
    operations = [
        migrations.RunSQL(TABLES, BACK),
        migrations.RunSQL(INDEX.format(f"{BEFORE}, {MORE}"), INDEX.format(BEFORE)),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
