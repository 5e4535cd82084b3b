"""Create a table with one row for each finished round, for the search over hands. After an upgrade,
`manage.py reexamine` fills it for earlier days. Days with new facts are filled when they are examined.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLE = """
CREATE TABLE round_tally (
    property text NOT NULL,
    stream text NOT NULL,
    number bigint NOT NULL,
    round text NOT NULL,
    "table" text NOT NULL,
    day date NOT NULL,
    game text NOT NULL,
    shift text NOT NULL,
    dealer text NOT NULL,
    supervisor text NOT NULL,
    opened_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    voided boolean NOT NULL,
    currency text NOT NULL,
    bets bigint NOT NULL,
    staked numeric NOT NULL,
    paid numeric NOT NULL,
    taken numeric NOT NULL,
    returned numeric NOT NULL,
    spots text[] NOT NULL,
    players text[] NOT NULL,
    wagers text[] NOT NULL,
    outcomes text[] NOT NULL,
    cards text[] NOT NULL,
    rank smallint NOT NULL DEFAULT 0,
    codes text[] NOT NULL DEFAULT '{}',
    state text NOT NULL DEFAULT '',
    to_player numeric NOT NULL DEFAULT 0,
    to_house numeric NOT NULL DEFAULT 0,
    verdicts text[] NOT NULL DEFAULT '{}',
    officers text[] NOT NULL DEFAULT '{}',
    difference numeric NOT NULL GENERATED ALWAYS AS (to_player + to_house) STORED,
    PRIMARY KEY (property, stream, number)
);
COMMENT ON TABLE round_tally IS 'one row for each finished round, by which hands are searched';
COMMENT ON COLUMN round_tally.number IS 'the number of the first fact of the round';
COMMENT ON COLUMN round_tally.outcomes IS 'how each wager ended, the sum of the dice, or void';
COMMENT ON COLUMN round_tally.rank IS 'the rank of its row in the queue; 0 without findings and flags';
COMMENT ON COLUMN round_tally.verdicts IS 'the verdicts that count on its findings';
COMMENT ON COLUMN round_tally.officers IS 'who gave or reviewed a verdict on its findings';
CREATE INDEX round_by_time ON round_tally (property, opened_at, stream, number);
CREATE INDEX round_by_table ON round_tally (property, "table", opened_at, stream, number);
CREATE INDEX round_by_dealer ON round_tally (property, dealer, opened_at, stream, number);
CREATE INDEX round_by_supervisor ON round_tally (property, supervisor, opened_at, stream, number);
CREATE INDEX round_by_day ON round_tally (property, day);
CREATE INDEX round_by_stake ON round_tally (property, staked, stream, number);
CREATE INDEX round_by_difference ON round_tally (property, difference, stream, number);
CREATE INDEX round_by_state ON round_tally (property, state, opened_at, stream, number) WHERE state <> '';
CREATE INDEX round_by_list ON round_tally
    USING gin (codes, verdicts, officers, players, outcomes, cards, wagers, spots);
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the new table, because it can be computed again from the ledger."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON round_tally TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0028_keyed_digests")]
    operations = [
        migrations.RunSQL(TABLE, "DROP TABLE round_tally"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
