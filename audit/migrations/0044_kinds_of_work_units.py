"""Let several commands use units of work: each unit names its kind and its arguments, and each result has a
keyed digest.
"""

from __future__ import annotations

from django.db import migrations

# Units are there only while a command runs, so none of them is worth a conversion.
CHANGE = """
DELETE FROM work_unit;
ALTER TABLE work_unit DROP CONSTRAINT work_unit_property_stream_key, DROP COLUMN dry_run,
    ADD COLUMN kind text NOT NULL, ADD COLUMN arguments text NOT NULL, ADD COLUMN digest bytea,
    ADD UNIQUE (kind, property, stream);
COMMENT ON TABLE work_unit IS 'units of work of a command that workers do, until it has collected their results';
COMMENT ON COLUMN work_unit.stream IS 'the subject within the property: a stream, or a range of positions';
COMMENT ON COLUMN work_unit.result IS 'what the worker found; null: not done';
COMMENT ON COLUMN work_unit.digest IS 'keyed digest of the unit and its result';
"""
BACK = """
DELETE FROM work_unit;
ALTER TABLE work_unit DROP CONSTRAINT work_unit_kind_property_stream_key, DROP COLUMN kind,
    DROP COLUMN arguments, DROP COLUMN digest, ADD COLUMN dry_run boolean NOT NULL,
    ADD UNIQUE (property, stream);
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0043_work_units")]
    operations = [migrations.RunSQL(CHANGE, BACK)]
