"""Create the tables of surveillance's daily log, of camera outages, and of recordings that are held. All of
them are computed from facts. The index of the ledger fold gets the new kinds.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

BEFORE = """'adjusted', 'alarm-answered', 'box-pulled', 'chips-bought', 'closer-counted', 'corrected',
    'count-verified', 'credit-sent', 'day-closed', 'dealer-seated', 'drop-counted', 'fill-sent', 'flagged',
    'log-written', 'marker-issued', 'marker-paid', 'opener-counted', 'paused', 'read-corrected', 'reexamined',
    'register-set', 'resumed', 'round-cancelled', 'round-opened', 'slip-voided', 'table-closed',
    'table-opened', 'verdict-given', 'void', 'hand-assigned', 'hand-snoozed',
    'alert-rule-set', 'webhook-set'"""
MORE = """'camera-down', 'camera-up', 'clip-exported', 'hand-over-accepted', 'hold-ordered', 'hold-released',
    'hold-secured'"""
INDEX = """DROP INDEX fact_of_the_ledger;
CREATE INDEX fact_of_the_ledger ON fact (property, position) WHERE kind IN ({});
"""
TABLES = """
CREATE TABLE log_entry (
    property text NOT NULL,
    number bigint NOT NULL,
    position bigint NOT NULL,
    uid text NOT NULL,
    day date NOT NULL,
    at timestamptz NOT NULL,
    began timestamptz,
    type text NOT NULL,
    about text NOT NULL,
    place text NOT NULL,
    of_table text NOT NULL,
    of_day date,
    round text,
    of text NOT NULL,
    camera text NOT NULL,
    video jsonb NOT NULL,
    disposition text NOT NULL,
    pending boolean NOT NULL,
    waits boolean NOT NULL,
    corrects bigint,
    corrected_by bigint,
    closes bigint,
    closed_by bigint,
    still_open jsonb,
    accepted_by text NOT NULL,
    accepted_at timestamptz,
    words_sha256 text NOT NULL,
    by text NOT NULL,
    PRIMARY KEY (property, number)
);
CREATE INDEX log_entry_by_uid ON log_entry (property, uid);
CREATE INDEX log_entry_of_hand ON log_entry (property, of_table, of_day, round) WHERE of_table <> '';
CREATE INDEX log_entry_of_fact ON log_entry (property, of) WHERE of <> '';
CREATE INDEX log_entry_of_camera ON log_entry (property, camera, number) WHERE camera <> '';
CREATE INDEX log_entry_of_type ON log_entry (property, type, number);
CREATE INDEX log_entry_of_day ON log_entry (property, day, number);
CREATE INDEX log_entry_waits ON log_entry (property, number) WHERE waits;
COMMENT ON COLUMN log_entry.number IS 'counts the entries of the property, without gaps, in the order of commit';
COMMENT ON COLUMN log_entry.waits IS 'something is still to be done, or a hand-over is not accepted';
CREATE TABLE camera_outage (
    property text NOT NULL,
    position bigint NOT NULL,
    camera text NOT NULL,
    at timestamptz NOT NULL,
    reason text NOT NULL,
    by text NOT NULL,
    ended_position bigint,
    ended_at timestamptz,
    repair text NOT NULL,
    ended_by text NOT NULL,
    PRIMARY KEY (property, position)
);
CREATE INDEX camera_outage_now ON camera_outage (property, camera) WHERE ended_position IS NULL;
CREATE TABLE video_hold (
    property text NOT NULL,
    position bigint NOT NULL,
    uid text NOT NULL,
    camera text NOT NULL,
    begins timestamptz NOT NULL,
    ends timestamptz NOT NULL,
    of_table text NOT NULL,
    of_day date,
    round text,
    of text NOT NULL,
    reason text NOT NULL,
    until date,
    by text NOT NULL,
    at timestamptz NOT NULL,
    state text NOT NULL,
    secured_at timestamptz,
    secured_by text NOT NULL,
    "where" text NOT NULL,
    sha256 text NOT NULL,
    released_at timestamptz,
    released_by text NOT NULL,
    release_reason text NOT NULL,
    PRIMARY KEY (property, position)
);
CREATE INDEX video_hold_by_uid ON video_hold (property, uid);
CREATE INDEX video_hold_of_hand ON video_hold (property, of_table, of_day, round) WHERE of_table <> '';
CREATE INDEX video_hold_of_fact ON video_hold (property, of) WHERE of <> '';
CREATE INDEX video_hold_of_state ON video_hold (property, state, position);
COMMENT ON COLUMN video_hold.state IS 'ordered, secured or released';
CREATE TABLE clip_export (
    property text NOT NULL,
    position bigint NOT NULL,
    camera text NOT NULL,
    begins timestamptz NOT NULL,
    ends timestamptz NOT NULL,
    of_table text NOT NULL,
    of_day date,
    round text,
    of text NOT NULL,
    "where" text NOT NULL,
    sha256 text NOT NULL,
    by text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (property, position)
);
CREATE INDEX clip_export_of_hand ON clip_export (property, of_table, of_day, round) WHERE of_table <> '';
CREATE INDEX clip_export_of_fact ON clip_export (property, of) WHERE of <> '';
CREATE TABLE log_followed (
    property text PRIMARY KEY,
    position bigint NOT NULL,
    entries bigint NOT NULL
);
COMMENT ON TABLE log_followed IS 'the position up to which the facts of the log were read, and how many entries they have';
"""
NAMES = ("log_entry", "camera_outage", "video_hold", "clip_export", "log_followed")


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the new tables, because they can be computed again from the ledger.
    """
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {', '.join(NAMES)} TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0035_queue_rules")]
    operations = [
        migrations.RunSQL(INDEX.format(f"{BEFORE}, {MORE}"), INDEX.format(BEFORE)),
        migrations.RunSQL(TABLES, f"DROP TABLE {', '.join(NAMES)}"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
