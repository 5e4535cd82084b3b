"""Store what reports need in addition: the opening of each tally row, squares of stakes, void rounds, slips
and trays.

`manage.py reexamine` computes earlier tallies again from the ledger. The table `summed` is a cache of sums
over whole days and months. It may be emptied at any time.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = """
ALTER TABLE tally ADD COLUMN opening integer NOT NULL DEFAULT 1, ADD COLUMN squared numeric NOT NULL DEFAULT 0,
    ADD COLUMN voided numeric NOT NULL DEFAULT 0;
ALTER TABLE tally DROP CONSTRAINT tally_pkey;
ALTER TABLE tally ADD PRIMARY KEY (property, stream, currency, shift, hour, dealer, wager, pay_table, price_class, opening);

CREATE TABLE tray_tally (
    property text NOT NULL,
    stream text NOT NULL,
    place integer NOT NULL,
    kind text NOT NULL,
    currency text NOT NULL,
    shift text NOT NULL,
    amount numeric NOT NULL,
    PRIMARY KEY (property, stream, place)
);
COMMENT ON TABLE tray_tally IS 'every opener and closer of a stream, in the order in which they were recorded';

CREATE TABLE slip_tally (
    property text NOT NULL,
    stream text NOT NULL,
    kind text NOT NULL,
    slip text NOT NULL,
    currency text NOT NULL,
    shift text NOT NULL,
    number numeric NOT NULL,
    amount numeric NOT NULL,
    stands boolean NOT NULL,
    PRIMARY KEY (property, stream, kind, slip)
);
CREATE INDEX slip_by_serial ON slip_tally (property, slip);
COMMENT ON COLUMN slip_tally.number IS 'how often this serial came in this stream';

CREATE TABLE summed (
    property text NOT NULL,
    unit text NOT NULL,
    name text NOT NULL,
    stamp text NOT NULL,
    sums bytea NOT NULL,
    PRIMARY KEY (property, unit, name)
);
COMMENT ON TABLE summed IS 'a cache: what a report adds up over a whole day or month, and the stamp of the streams it was added up from';

CREATE INDEX examination_of_property ON examination (property, day, "table");
CREATE INDEX fact_adjusted ON fact (property, position) WHERE kind = 'adjusted';
CREATE INDEX finding_of_money ON finding (property, code, stream) WHERE grade = 'money';
"""
NAMES = ("tray_tally", "slip_tally", "summed")
BACK = f"""
DROP INDEX finding_of_money; DROP INDEX fact_adjusted; DROP INDEX examination_of_property; DROP TABLE {", ".join(NAMES)};
ALTER TABLE tally DROP CONSTRAINT tally_pkey;
ALTER TABLE tally DROP COLUMN opening, DROP COLUMN squared, DROP COLUMN voided;
ALTER TABLE tally ADD PRIMARY KEY (property, stream, currency, shift, hour, dealer, wager, pay_table, price_class);
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read and change the new tables, because they can be computed again from the ledger.
    """
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {', '.join(NAMES)} TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0004_queue")]
    operations = [migrations.RunSQL(TABLES, BACK), migrations.RunPython(grant, migrations.RunPython.noop)]
