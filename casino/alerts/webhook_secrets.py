"""The secrets with which webhooks are signed. They are encrypted with a key that is not in the database, and
each row is sealed.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from audit import database
from casino.alerts.signature import new_secret
from casino.sealing import journal, keys

TABLE = "webhook_secret"
OVERLAP = 24
"""Number of hours after a rotation in which the former secret still signs."""


class NoSecret(Exception):
    """A webhook has no usable secret, so its requests cannot be signed. The text gives the reason."""


class Made(NamedTuple):
    """A secret as pages list it, without its text: who created it, when, and when it expires."""

    made_by: str
    made_at: datetime
    ends_at: datetime | None


def rotate(property: str, webhook: str, by: str) -> str:
    """Create a secret of a webhook and return it. The caller must show it only once. For OVERLAP hours, the
    former secret also signs.
    """
    secret = new_secret()
    with transaction.atomic():
        ended = database.rows(_END, [OVERLAP, property, webhook])
        journal.record(TABLE, [row[0] for row in ended])
        journal.insert(TABLE, _INSERT, [property, webhook, keys.encrypt(secret), by])
    return secret


def valid(property: str, webhook: str) -> list[str]:
    """Return the secrets of a webhook that have not expired, the newest first. Raise NoSecret if no secret is
    valid.
    """
    query = """SELECT secret FROM webhook_secret WHERE property = %s AND webhook = %s
        AND (ends_at IS NULL OR ends_at > now()) ORDER BY id DESC"""
    try:
        secrets = [keys.decrypt(row[0]) for row in database.rows(query, [property, webhook])]
    except keys.Undecryptable:
        raise NoSecret(
            "its secret cannot be decrypted, because the secret key of this installation was replaced:"
            " create a new secret"
        ) from None
    if not secrets:
        raise NoSecret("it has no secret: create one")
    return secrets


def history(property: str, webhook: str) -> list[Made]:
    """Return the secrets of a webhook without their text, the newest first."""
    query = "SELECT made_by, made_at, ends_at FROM webhook_secret WHERE property = %s AND webhook = %s"
    return database.records(Made, f"{query} ORDER BY id DESC LIMIT 20", [property, webhook])


_END = """UPDATE webhook_secret SET ends_at = now() + make_interval(hours => %s)
    WHERE property = %s AND webhook = %s AND ends_at IS NULL RETURNING id"""
_INSERT = "INSERT INTO webhook_secret AS t (property, webhook, secret, made_by) VALUES (%s, %s, %s, %s)"
