"""Create the tables of findings and tallies, and of the number up to which each stream was examined. Replay
can compute all of them again from the ledger.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = """
CREATE TABLE finding (
    property text NOT NULL,
    id text NOT NULL,
    stream text NOT NULL,
    number bigint NOT NULL,
    uid uuid NOT NULL,
    reader text NOT NULL,
    round text,
    code text NOT NULL,
    grade text NOT NULL,
    spot text,
    wager text,
    owed text,
    moved text,
    says text NOT NULL,
    cite text NOT NULL,
    slip text,
    PRIMARY KEY (property, id)
);
CREATE INDEX finding_of_stream ON finding (property, stream, number);
COMMENT ON COLUMN finding.reader IS 'table = the table fold of its stream, ledger = the ledger fold';
COMMENT ON COLUMN finding.owed IS 'exact minor units, signed from the player; a fraction as 25/2';

CREATE TABLE tally (
    property text NOT NULL,
    stream text NOT NULL,
    currency text NOT NULL,
    shift text NOT NULL,
    hour text NOT NULL,
    dealer text NOT NULL,
    wager text NOT NULL,
    pay_table text NOT NULL,
    price_class text NOT NULL,
    rounds numeric NOT NULL,
    bets numeric NOT NULL,
    staked numeric NOT NULL,
    paid numeric NOT NULL,
    taken numeric NOT NULL,
    returned numeric NOT NULL,
    found jsonb NOT NULL,
    PRIMARY KEY (property, stream, currency, shift, hour, dealer, wager, pay_table, price_class)
);

CREATE TABLE cage_tally (
    property text NOT NULL,
    stream text NOT NULL,
    currency text NOT NULL,
    shift text NOT NULL,
    kind text NOT NULL,
    number numeric NOT NULL,
    amount numeric NOT NULL,
    PRIMARY KEY (property, stream, currency, shift, kind)
);

CREATE TABLE player_tally (
    property text NOT NULL,
    stream text NOT NULL,
    currency text NOT NULL,
    player text NOT NULL,
    wager text NOT NULL,
    rounds numeric NOT NULL,
    bets numeric NOT NULL,
    staked numeric NOT NULL,
    paid numeric NOT NULL,
    taken numeric NOT NULL,
    returned numeric NOT NULL,
    PRIMARY KEY (property, stream, currency, player, wager)
);

CREATE TABLE examination (
    property text NOT NULL,
    stream text NOT NULL,
    "table" text NOT NULL,
    day date NOT NULL,
    cursor bigint NOT NULL DEFAULT 0,
    rules text NOT NULL DEFAULT '',
    game text NOT NULL DEFAULT '',
    live_dealer boolean NOT NULL DEFAULT false,
    settings jsonb NOT NULL DEFAULT '[]',
    open_boxes integer NOT NULL DEFAULT 0,
    state bytea,
    PRIMARY KEY (property, stream)
);
CREATE INDEX examination_by_day ON examination (day, property);
COMMENT ON COLUMN examination.state IS 'a cache: the fold between two rounds; may be set to NULL at any time';

CREATE TABLE ledger_examination (
    property text PRIMARY KEY,
    cursor bigint NOT NULL DEFAULT 0,
    rules text NOT NULL DEFAULT '',
    state bytea
);
"""

NAMES = ("finding", "tally", "cage_tally", "player_tally", "examination", "ledger_examination")


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the new tables, because they can be computed again from the ledger.
    """
    quote = schema_editor.connection.ops.quote_name
    user = quote(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {', '.join(NAMES)} TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_ledger")]
    operations = [
        migrations.RunSQL(TABLES, "; ".join(f"DROP TABLE {name}" for name in reversed(NAMES))),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
