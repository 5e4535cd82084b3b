"""Create an index of slips by serial. It finds all facts with a serial, from any day and any table."""

from __future__ import annotations

from django.db import migrations

# The index has the hash of the serial, because a serial may have any length and an index must never cause a fact to be
# refused. The function is declared IMMUTABLE. Postgres cannot know that it is, because its result depends on the
# encoding of the database.
INDEX = """
CREATE FUNCTION serial_of(body bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT md5(convert_from(body, 'UTF8')::jsonb ->> 'slip') $$;
CREATE INDEX fact_of_slip ON fact (property, serial_of(body))
    WHERE kind IN ('credit-sent', 'fill-sent', 'marker-issued', 'marker-paid', 'slip-voided');
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0010_floor")]
    operations = [migrations.RunSQL(INDEX, "DROP INDEX fact_of_slip; DROP FUNCTION serial_of")]
