"""Create the tables of case data that is not in facts: texts, which can be erased together with their salt,
and files, in blobs of one megabyte. The views of a confidential case are logged in a separate table, because
other users read the viewing log.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = """
CREATE TABLE case_words (
    property text NOT NULL,
    sha256 text NOT NULL,
    salt text NOT NULL,
    words text NOT NULL,
    by text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (property, sha256)
);
COMMENT ON TABLE case_words IS
    'what officers wrote in cases; a fact has the hash of salt and words. To erase is to delete the row';

CREATE TABLE case_file (
    property text NOT NULL,
    confidential boolean NOT NULL,
    sha256 text NOT NULL,
    bytes bigint NOT NULL,
    type text NOT NULL,
    by text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (property, confidential, sha256)
);
COMMENT ON TABLE case_file IS 'a file of a case, stored once. To erase is to delete the row with its pieces';
COMMENT ON COLUMN case_file.confidential IS 'files of suspicions are stored apart from those of other cases';

CREATE TABLE case_file_piece (
    property text NOT NULL,
    confidential boolean NOT NULL,
    sha256 text NOT NULL,
    place int NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (property, confidential, sha256, place),
    FOREIGN KEY (property, confidential, sha256) REFERENCES case_file ON DELETE CASCADE
);
ALTER TABLE case_file_piece ALTER COLUMN content SET STORAGE EXTERNAL;
COMMENT ON COLUMN case_file_piece.place IS 'from 0; every piece but the last has 1,048,576 bytes';

CREATE TABLE confidential_viewing (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    person text NOT NULL,
    property text NOT NULL,
    "case" text NOT NULL
);
CREATE INDEX confidential_viewing_of_case ON confidential_viewing (property, "case", id);
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON confidential_viewing
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE INDEX report_order_of_case ON report_order (property, (filters ->> 'case')) WHERE filters ? 'case';
"""
BACK = """DROP INDEX report_order_of_case;
DROP TABLE confidential_viewing, case_file_piece, case_file, case_words"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Grant the application's role to add rows to all these tables, and to erase texts and files."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT ON confidential_viewing TO {user}")
    for table in ("case_words", "case_file", "case_file_piece"):
        schema_editor.execute(f"GRANT SELECT, INSERT, DELETE ON {table} TO {user}")


class Migration(migrations.Migration):
    dependencies = [("casino", "0029_alerts"), ("audit", "0037_cases")]
    operations = [
        migrations.RunSQL(TABLES, BACK),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
