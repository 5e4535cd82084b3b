"""Keyed digests of cached sums, and of the rules by which a stream was examined.

Cached sums are deleted, because none has a digest; they are built again when they are read. The rules of
examinations that exist get their digests here.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations
from django.utils.crypto import salted_hmac

COLUMNS = """
DELETE FROM summed;
ALTER TABLE summed ADD COLUMN digest bytea NOT NULL DEFAULT '';
ALTER TABLE examination ADD COLUMN seal bytea;
ALTER TABLE ledger_examination ADD COLUMN seal bytea;
COMMENT ON COLUMN summed.digest IS 'keyed digest of the row; without a valid one the row is not read';
COMMENT ON COLUMN examination.seal IS 'keyed digest of property, stream and rules';
COMMENT ON COLUMN ledger_examination.seal IS 'keyed digest of property and rules';
"""
BACK = """
ALTER TABLE ledger_examination DROP COLUMN seal;
ALTER TABLE examination DROP COLUMN seal;
ALTER TABLE summed DROP COLUMN digest;
"""
PURPOSE = "catwalk rules of an examination"
"""As audit/findings/save.py has it."""


def seal(apps: Any, schema_editor: Any) -> None:
    """Write the digests of the examinations that exist."""
    for table, stream in (("examination", "stream"), ("ledger_examination", "''")):
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(f"SELECT property, {stream}, rules FROM {table}")
            rows = cursor.fetchall()
        where = "property = %s AND stream = %s" if stream == "stream" else "property = %s AND '' = %s"
        with schema_editor.connection.cursor() as cursor:
            cursor.executemany(
                f"UPDATE {table} SET seal = %s WHERE {where}",
                [
                    (
                        salted_hmac(PURPOSE, "\0".join(row).encode(), algorithm="sha256").digest(),
                        row[0],
                        row[1],
                    )
                    for row in rows
                ],
            )


class Migration(migrations.Migration):
    dependencies = [("audit", "0027_interrupted_jobs")]
    operations = [
        migrations.RunSQL(COLUMNS, BACK),
        migrations.RunPython(seal, migrations.RunPython.noop),
    ]
