"""Create the tables of surveillance's cases, which are computed from facts, the table of confidential facts
about suspicions of money laundering, and indexes of the facts of cases.

Readers of the ledger must not notice a suspicion, so its facts have their own table and chain.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

BEFORE = """'adjusted', 'alarm-answered', 'alert-rule-set', 'box-pulled', 'camera-down', 'camera-up', 'chips-bought',
    'clip-exported', 'closer-counted', 'corrected', 'count-verified', 'credit-sent', 'day-closed', 'dealer-seated',
    'drop-counted', 'fill-sent', 'flagged', 'hand-assigned', 'hand-over-accepted', 'hand-snoozed', 'hold-ordered',
    'hold-released', 'hold-secured', 'log-written', 'marker-issued', 'marker-paid', 'opener-counted', 'paused',
    'read-corrected', 'reexamined', 'register-set', 'resumed', 'round-cancelled', 'round-opened', 'slip-voided',
    'table-closed', 'table-opened', 'verdict-given', 'void', 'webhook-set'"""
CASES = """'case-changed', 'case-closed', 'case-erased', 'case-file-added', 'case-joined', 'case-noted',
    'case-opened', 'case-parted', 'case-subject-set'"""
INDEX = """DROP INDEX fact_of_the_ledger;
CREATE INDEX fact_of_the_ledger ON fact (property, position) WHERE kind IN ({});
"""
TABLES = f"""
CREATE FUNCTION case_of(body bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT md5(convert_from(body, 'UTF8')::jsonb ->> 'case') $$;
CREATE INDEX fact_of_case ON fact (property, case_of(body), position) WHERE kind IN ({CASES});
CREATE INDEX fact_of_all_cases ON fact (property, position) WHERE kind IN ({CASES});

CREATE TABLE confidential_fact (
    property text NOT NULL,
    position bigint NOT NULL,
    "case" text NOT NULL,
    kind text NOT NULL,
    uid uuid NOT NULL,
    body bytea NOT NULL,
    leaf bytea NOT NULL,
    chain bytea NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (property, position),
    UNIQUE (property, uid)
);
CREATE INDEX confidential_fact_of_case ON confidential_fact (property, "case", position);
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON confidential_fact
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
COMMENT ON TABLE confidential_fact IS
    'facts of suspicions of money laundering; chained like the ledger, and read by compliance alone';

CREATE TABLE case_state (
    property text NOT NULL,
    confidential boolean NOT NULL,
    "case" text NOT NULL,
    concerns text NOT NULL,
    status text NOT NULL,
    outcome text NOT NULL,
    title_sha256 text NOT NULL,
    owner text NOT NULL,
    due date,
    seen_by text[] NOT NULL,
    opened_by text NOT NULL,
    opened_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    closed_at timestamptz,
    position bigint NOT NULL,
    hands int NOT NULL,
    notes int NOT NULL,
    files int NOT NULL,
    subjects int NOT NULL,
    PRIMARY KEY (property, confidential, "case")
);
CREATE INDEX case_state_by_change ON case_state (property, confidential, changed_at DESC, "case");
COMMENT ON COLUMN case_state.status IS 'open, in-work, waiting, review, or closed';
COMMENT ON COLUMN case_state.position IS 'of its last fact, in the ledger or in confidential_fact';

CREATE TABLE case_part (
    property text NOT NULL,
    confidential boolean NOT NULL,
    "case" text NOT NULL,
    what text NOT NULL,
    of text NOT NULL,
    stream text NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (property, confidential, "case", what, stream, of)
);
CREATE INDEX case_part_of ON case_part (property, what, stream, of);
COMMENT ON COLUMN case_part.stream IS 'of a hand: its stream; otherwise empty';

CREATE TABLE case_subject (
    property text NOT NULL,
    confidential boolean NOT NULL,
    "case" text NOT NULL,
    subject bigint NOT NULL,
    role text NOT NULL,
    id text,
    description_sha256 text NOT NULL,
    reason_sha256 text,
    measure text NOT NULL,
    begins date,
    ends date,
    photo_sha256 text,
    position bigint NOT NULL,
    PRIMARY KEY (property, confidential, "case", subject)
);
CREATE INDEX case_subject_measure ON case_subject (property, confidential, measure, "case", subject)
    WHERE measure <> 'none';
CREATE INDEX case_subject_id ON case_subject (property, id) WHERE id IS NOT NULL;

CREATE TABLE case_followed (
    property text PRIMARY KEY,
    position bigint NOT NULL
);
COMMENT ON COLUMN case_followed.position IS 'up to which the facts of cases were read';
"""
BACK = """
DROP TABLE case_followed, case_subject, case_part, case_state, confidential_fact;
DROP INDEX fact_of_case;
DROP INDEX fact_of_all_cases;
DROP FUNCTION case_of;
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application add confidential facts, and read and change the other tables, which can be computed
    again from the facts.
    """
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT ON confidential_fact TO {user}")
    for table in ("case_state", "case_part", "case_subject", "case_followed"):
        schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0036_daily_log")]
    operations = [
        migrations.RunSQL(INDEX.format(f"{BEFORE}, {CASES}"), INDEX.format(BEFORE)),
        migrations.RunSQL(TABLES, BACK),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
