"""The tables whose rows are sealed: their keys, and the columns that are part of the seal.

A column is not sealed if it changes in normal operation and gives no rights. Examples are the last use of a
token, the last run of a schedule, and the number of wrong codes.
"""

from __future__ import annotations

from typing import NamedTuple


class SealedTable(NamedTuple):
    """A sealed table. `columns` are its sealed columns. The other attributes are SQL about a row `t`.

    Attributes:
        key: an expression for a text that identifies the row.
        match: a condition that is true if the row has the key `k.key`.
        condition: a condition that is true if the row is sealed.
        added: columns that the table got after its rows were sealed, each with its default. A row with the
            default is sealed as if it had no such column, so that earlier entries of the journal stay valid.
    """

    columns: tuple[str, ...]
    key: str = "t.id::text"
    match: str = "t.id = k.key::bigint"
    condition: str = "true"
    added: tuple[tuple[str, str], ...] = ()

    @property
    def content(self) -> str:
        """Return SQL for a text of all sealed columns of a row `t`. The text is the same on every
        connection.
        """
        pairs = ", ".join(f"""'{name}', t."{name}\"""" for name in self.columns)
        if not self.added:
            return f"jsonb_build_object({pairs})::text"
        left_out = "".join(
            f""" - CASE WHEN t."{name}" IS NOT DISTINCT FROM {default} THEN '{name}' ELSE '' END"""
            for name, default in self.added
        )
        return f"(jsonb_build_object({pairs}){left_out})::text"


SCHEDULE_TASK = "casino.order_reports"
SEALED: dict[str, SealedTable] = {
    "casino_person": SealedTable(
        ("id", "name", "password", "is_active", "logins_ended", "openid"),
        "t.id",
        "t.id = k.key",
        added=(("openid", "''"),),
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
            "networks",
            "warn_days",
            "changed_at",
            "changed_by",
        ),
        added=(
            ("networks", "'{}'::text[]"),
            ("warn_days", "14"),
            ("changed_at", "NULL"),
            ("changed_by", "''"),
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
        condition=f"t.task = '{SCHEDULE_TASK}'",
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
    "case_words": SealedTable(
        ("property", "sha256", "salt", "words", "by", "at"),
        "t.sha256 || ' ' || t.property",
        "t.property = substr(k.key, 66) AND t.sha256 = left(k.key, 64)",
    ),
    "case_file": SealedTable(
        ("property", "confidential", "sha256", "bytes", "type", "by", "at"),
        "t.sha256 || ' ' || t.confidential::int || ' ' || t.property",
        "t.property = substr(k.key, 68) AND t.sha256 = left(k.key, 64)"
        " AND t.confidential::int::text = substr(k.key, 66, 1)",
    ),
    "confidential_fact": SealedTable(
        ("property", "position", "case", "kind", "uid", "body", "leaf", "chain", "recorded_at"),
        "t.position::text || ' ' || t.property",
        "t.position = split_part(k.key, ' ', 1)::bigint"
        " AND t.property = substr(k.key, strpos(k.key, ' ') + 1)",
    ),
    "bi_reader": SealedTable(
        ("role", "property", "view", "by", "at"),
        "t.role || ' ' || t.property || ' ' || t.view",
        "t.role || ' ' || t.property || ' ' || t.view = k.key",
    ),
    "confidential_viewing": SealedTable(("id", "at", "person", "property", "case")),
    "slip_under_way": SealedTable(
        ("uid", "property", "table", "kind", "currency", "chips", "amount", "signatures", "begun", "day"),
        "t.uid::text",
        "t.uid = k.key::uuid",
    ),
    "checkpoint_key": SealedTable(
        (
            "id",
            "property",
            "name",
            "public",
            "secret",
            "made_at",
            "made_by",
            "retired_at",
            "revoked_at",
            "revoked_by",
        ),
    ),
    "checkpoint": SealedTable(("id", "property", "size", "root", "note", "made_at")),
    "webhook_secret": SealedTable(
        ("id", "property", "webhook", "secret", "made_by", "made_at", "ends_at"),
    ),
    "alert_contact": SealedTable(
        ("person", "mail", "sound", "quiet_from", "quiet_to"), "t.person", "t.person = k.key"
    ),
}
"""For each sealed table: its key and its sealed columns. Migration 0027 sealed the rows that
already existed.
"""
