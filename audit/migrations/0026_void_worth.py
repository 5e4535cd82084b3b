"""Create a table for the report of voids. It has the amount owed on each wager of a void round when the round
was voided.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLE = """
CREATE TABLE void_tally (
    property text NOT NULL,
    stream text NOT NULL,
    number numeric NOT NULL,
    spot text NOT NULL,
    wager text NOT NULL,
    round text NOT NULL,
    shift text NOT NULL,
    hour text NOT NULL,
    dealer text NOT NULL,
    currency text NOT NULL,
    stake numeric NOT NULL,
    refunded numeric NOT NULL,
    worth text,
    PRIMARY KEY (property, stream, number, spot, wager)
);
COMMENT ON TABLE void_tally IS 'every wager of a round that was voided or cancelled, and what it was owed then';
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the new table, because it can be computed again from the ledger."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON void_tally TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0025_learned")]
    operations = [
        migrations.RunSQL(TABLE, "DROP TABLE void_tally"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
