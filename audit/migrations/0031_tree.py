"""Create the tables for the Merkle tree of each ledger: tiles, signed checkpoints, the keys that sign them,
and the copies of checkpoints.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = """
CREATE TABLE tile (
    property text NOT NULL,
    level bigint NOT NULL,
    index bigint NOT NULL,
    hashes bytea NOT NULL,
    PRIMARY KEY (property, level, index)
);
ALTER TABLE tile ALTER hashes SET STORAGE EXTERNAL;
COMMENT ON TABLE tile IS 'the Merkle tree of a ledger in tiles of 256 hashes; leaf number i is that of position i + 1';

CREATE TABLE checkpoint_key (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    property text NOT NULL,
    name text NOT NULL,
    public bytea NOT NULL,
    secret text NOT NULL,
    made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    made_by text NOT NULL,
    retired_at timestamptz,
    revoked_at timestamptz,
    revoked_by text NOT NULL DEFAULT '',
    UNIQUE (name, public)
);
COMMENT ON COLUMN checkpoint_key.secret IS 'the private key, encrypted with the secret key of the installation';
CREATE UNIQUE INDEX checkpoint_key_active ON checkpoint_key (property) WHERE retired_at IS NULL AND revoked_at IS NULL;

CREATE TABLE checkpoint (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    property text NOT NULL,
    size bigint NOT NULL,
    root bytea NOT NULL,
    note text NOT NULL,
    made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (property, size)
);
COMMENT ON TABLE checkpoint IS 'number of leaves and root of a tree as a signed note';

CREATE TABLE checkpoint_copy (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    property text NOT NULL,
    destination text NOT NULL,
    size bigint NOT NULL,
    answer text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (property, destination, size)
);
COMMENT ON TABLE checkpoint_copy IS 'which checkpoint was written to which place outside the database; answer: cosignatures of a witness';
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoint FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoint_copy FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
"""
BACK = "DROP TABLE checkpoint_copy, checkpoint, checkpoint_key, tile"


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application write tiles and keys, and add checkpoints and copies."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE ON tile, checkpoint_key TO {user}")
    schema_editor.execute(f"GRANT SELECT, INSERT ON checkpoint, checkpoint_copy TO {user}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0030_assigned")]
    operations = [
        migrations.RunSQL(TABLES, BACK),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
