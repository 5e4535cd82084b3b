"""Seal the tables outside the ledger, anchor the logs in the ledger, and encrypt the secrets of
authenticators.

All rows that exist at this upgrade are accepted, because nothing proves what they were before. The tables and
columns are those of this release. A later migration that changes one of them seals its rows again.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

from casino.sealing import journal, keys
from casino.sealing.tables import SealedTable

TABLES = """
CREATE TABLE seal (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    "table" text NOT NULL,
    key text NOT NULL,
    number bigint NOT NULL,
    digest bytea,
    reason text NOT NULL,
    key_id text NOT NULL,
    code bytea NOT NULL,
    UNIQUE ("table", key, number)
);
COMMENT ON TABLE seal IS 'what a row outside the ledger held after each change, as a digest under a key outside the database';
COMMENT ON COLUMN seal.number IS 'counts the entries of one row';
COMMENT ON COLUMN seal.digest IS 'null: the row was deleted';

CREATE TABLE anchor (
    number bigint NOT NULL,
    log text NOT NULL,
    digests bytea NOT NULL,
    PRIMARY KEY (number, log)
);
COMMENT ON TABLE anchor IS 'id and digest of each row of a log, 24 bytes a row; the fact `anchored` of that number has the SHA-256';
CREATE INDEX fact_anchored ON fact (property, position) WHERE kind = 'anchored';
ALTER TABLE otp_totp_totpdevice ALTER COLUMN key TYPE text;
"""
BACK = "DROP INDEX fact_anchored; DROP TABLE anchor, seal"
GUARD = "CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON {} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
SEALED: dict[str, SealedTable] = {
    "casino_person": SealedTable(
        ("id", "name", "password", "is_active", "logins_ended"), "t.id", "t.id = k.key"
    ),
    "casino_token": SealedTable(
        (
            "id",
            "label",
            "uid",
            "sha256",
            "prefix",
            "person_id",
            "property",
            "device",
            "scopes",
            "made_by",
            "made_at",
            "expires_at",
            "revoked_at",
            "revoked_by",
        ),
    ),
    "otp_totp_totpdevice": SealedTable(
        ("id", "user_id", "name", "confirmed", "key", "step", "t0", "digits", "tolerance"),
    ),
    "otp_static_staticdevice": SealedTable(("id", "user_id", "name", "confirmed")),
    "otp_static_statictoken": SealedTable(("id", "device_id", "token")),
    "django_celery_beat_crontabschedule": SealedTable(
        ("id", "minute", "hour", "day_of_week", "day_of_month", "month_of_year", "timezone"),
    ),
    "django_celery_beat_periodictask": SealedTable(
        (
            "id",
            "name",
            "task",
            "crontab_id",
            "interval_id",
            "solar_id",
            "clocked_id",
            "args",
            "kwargs",
            "queue",
            "exchange",
            "routing_key",
            "headers",
            "priority",
            "expires",
            "expire_seconds",
            "one_off",
            "start_time",
            "enabled",
            "description",
        ),
        condition="t.task = 'casino.order_reports'",
    ),
    "report_order": SealedTable(
        (
            "id",
            "property",
            "name",
            "begins",
            "ends",
            "by",
            "format",
            "books",
            "filters",
            "asked_by",
            "schedule",
            "period",
            "asked_at",
        ),
    ),
    "kept_report": SealedTable(
        ("id", "position", "chain", "rules", "code", "sha256", "length", "manifest", "finished_at"),
    ),
    "report_again": SealedTable(("id", "kept", "by", "same", "says", "at")),
    "free_words": SealedTable(
        ("property", "sha256", "words", "by", "at"),
        "t.sha256 || ' ' || t.property",
        "t.property = substr(k.key, 66) AND t.sha256 = left(k.key, 64)",
    ),
    "slip_under_way": SealedTable(
        ("uid", "property", "table", "kind", "currency", "chips", "amount", "signatures", "begun", "day"),
        "t.uid::text",
        "t.uid = k.key::uuid",
    ),
}
PROXY = {"proxy": True, "default_permissions": (), "indexes": [], "constraints": []}


def guard(apps: Any, schema_editor: Any) -> None:
    """Grant the application's role to read and add rows in both tables. Nobody can change a row."""
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    for table in ("seal", "anchor"):
        schema_editor.execute(GUARD.format(table))
        schema_editor.execute(f"GRANT SELECT, INSERT ON {table} TO {user}")


def encrypt(apps: Any, schema_editor: Any) -> None:
    """Encrypt the secrets of authenticators, and key the digests of backup codes."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT id, key FROM otp_totp_totpdevice")
        secrets = [(keys.encrypt(secret), id) for id, secret in cursor.fetchall()]
        cursor.executemany("UPDATE otp_totp_totpdevice SET key = %s WHERE id = %s", secrets)
        cursor.execute("SELECT id, token FROM otp_static_statictoken")
        codes = [(keys.backup_code_digest(keys.secrets()[0], digest), id) for id, digest in cursor.fetchall()]
        cursor.executemany("UPDATE otp_static_statictoken SET token = %s WHERE id = %s", codes)


def seal(apps: Any, schema_editor: Any) -> None:
    """Seal every existing row."""
    journal.record_all(journal.ADOPTED, using=schema_editor.connection.alias, sealed=SEALED)


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0026_kept_in_the_admin"),
        ("audit", "0026_void_worth"),
        ("otp_totp", "0003_add_timestamps"),
        ("otp_static", "0003_add_timestamps"),
        ("django_celery_beat", "0019_alter_periodictasks_options"),
    ]
    operations = [
        migrations.RunSQL(TABLES, BACK),
        migrations.RunPython(guard, migrations.RunPython.noop),
        migrations.RunPython(encrypt, migrations.RunPython.noop),
        migrations.RunPython(seal, migrations.RunPython.noop),
        migrations.CreateModel("Authenticator", [], PROXY, bases=("otp_totp.totpdevice",)),
        migrations.CreateModel("BackupCodes", [], PROXY, bases=("otp_static.staticdevice",)),
        migrations.CreateModel("BackupCode", [], PROXY, bases=("otp_static.statictoken",)),
    ]
