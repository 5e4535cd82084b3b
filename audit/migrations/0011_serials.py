"""A slip is found by its serial: everything that was ever recorded under it, whenever and at whatever table."""

from __future__ import annotations

from django.db import migrations

# By its hash: a serial is as long as its sender likes, and no index may be a reason to refuse a fact. The function says of itself that it
# never changes its answer, which Postgres cannot know: it would have to know the encoding of the database.
INDEX = """
CREATE FUNCTION serial_of(body bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT md5(convert_from(body, 'UTF8')::jsonb ->> 'slip') $$;
CREATE INDEX fact_of_slip ON fact (property, serial_of(body))
    WHERE kind IN ('credit-sent', 'fill-sent', 'marker-issued', 'marker-paid', 'slip-voided');
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0010_floor")]
    operations = [migrations.RunSQL(INDEX, "DROP INDEX fact_of_slip; DROP FUNCTION serial_of")]
