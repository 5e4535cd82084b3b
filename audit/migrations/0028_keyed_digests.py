"""Add keyed digests of cached sums, and of the rules by which a stream was examined.

Existing cached sums are deleted, because they have no digest. They are computed again when they are read.
Existing examinations get the digests of their rules here.
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
"""The purpose of the digests of rules, the same as in audit/findings/save.py."""


def seal(apps: Any, schema_editor: Any) -> None:
    """Write the digests of the existing examinations."""
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
