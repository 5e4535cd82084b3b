"""Create the tables of the officers' queue (one row for each hand with findings), of verdicts, and of
findings that a reexamination withdrew. They can be computed again from the ledger.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = """
CREATE TABLE queued (
    property text NOT NULL,
    stream text NOT NULL,
    hand text NOT NULL,
    "table" text NOT NULL,
    day date NOT NULL,
    number bigint NOT NULL,
    at timestamptz NOT NULL,
    rank smallint NOT NULL,
    less numeric NOT NULL,
    to_player numeric NOT NULL,
    to_house numeric NOT NULL,
    currency text NOT NULL,
    codes text[] NOT NULL,
    findings integer NOT NULL,
    notices integer NOT NULL,
    decided integer NOT NULL,
    state text NOT NULL,
    touched xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (property, stream, hand)
);
COMMENT ON COLUMN queued.hand IS 'the round''s name; # and its number for a fact outside a round';
COMMENT ON COLUMN queued.rank IS '1 integrity, 2 money, 3 outcome, 4 procedure, 5 notices alone';
COMMENT ON COLUMN queued.less IS 'minus the money in question: the queue is read upwards';
COMMENT ON COLUMN queued.touched IS 'the transaction that last changed the row: what a page has not seen yet';
CREATE INDEX queued_by_state ON queued (property, state, rank, less, stream, hand);
CREATE INDEX queued_in_order ON queued (property, rank, less, stream, hand);
CREATE INDEX queued_by_table ON queued (property, "table", rank, less, stream, hand);
CREATE INDEX queued_by_day ON queued (property, day, rank, less, stream, hand);
CREATE INDEX queued_by_code ON queued USING gin (codes);
CREATE INDEX queued_touched ON queued (touched);

CREATE TABLE verdict (
    property text NOT NULL,
    position bigint NOT NULL,
    finding text NOT NULL,
    uid text NOT NULL,
    code text NOT NULL,
    says text NOT NULL,
    owed text,
    moved text,
    verdict text NOT NULL,
    disposition text NOT NULL,
    by text NOT NULL,
    second text,
    lacks_second boolean NOT NULL,
    note_sha256 text,
    savings numeric NOT NULL,
    losses numeric NOT NULL,
    recovered numeric NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (property, position)
);
CREATE INDEX verdict_of_finding ON verdict (property, finding, position DESC);
CREATE INDEX verdict_of_fact ON verdict (property, uid);
COMMENT ON COLUMN verdict.uid IS 'the fact that the finding points at: the first part of its id';

CREATE TABLE withdrawn (
    property text NOT NULL,
    finding text NOT NULL,
    uid text NOT NULL,
    position bigint NOT NULL,
    at timestamptz NOT NULL,
    rules text NOT NULL,
    PRIMARY KEY (property, finding)
);
CREATE INDEX withdrawn_of_fact ON withdrawn (property, uid);
COMMENT ON TABLE withdrawn IS 'findings that the last reexamined fact about them lost';

CREATE TABLE followed (property text PRIMARY KEY, position bigint NOT NULL);
COMMENT ON TABLE followed IS 'how far the verdicts of a property have been read';

-- A hand is found by its round, the settings and the dealer that it was dealt under by their kind: one fact in twenty is of these.
CREATE INDEX fact_of_a_hand ON fact (property, stream, kind, number) INCLUDE (round)
    WHERE kind IN ('table-opened', 'dealer-seated', 'round-opened', 'corrected');
"""

NAMES = ("queued", "verdict", "withdrawn", "followed")


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the new tables, because they can be computed again from the ledger.
    """
    quote = schema_editor.connection.ops.quote_name
    user = quote(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {', '.join(NAMES)} TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_jobs")]
    operations = [
        migrations.RunSQL(TABLES, f"DROP INDEX fact_of_a_hand; DROP TABLE {', '.join(NAMES)}"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
