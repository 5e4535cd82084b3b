"""Replace a former secret key by the present one in seals and encrypted secrets, or accept rows whose key is
lost.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from django.db import transaction

from audit import database
from casino.models import Authenticator
from casino.proofs import seals
from casino.sealing import journal, keys
from casino.sealing.tables import SEALED


class Moved(NamedTuple):
    """The number of rows that were sealed again, and of secrets that were encrypted again."""

    rows: int
    secrets: int


def move() -> Moved:
    """Seal rows again with the present key if their last seal was made with a former key. Also encrypt
    secrets again with the present key. Return how many rows and secrets these are.

    Rows that differ from their seals keep their old seals, so that they are still reported as faults.
    """
    with transaction.atomic():
        sound = {table: _matching_keys(table) for table in SEALED}
        secrets = 0
        for row in Authenticator.objects.select_for_update():
            if str(row.pk) in sound["otp_totp_totpdevice"]:
                key = keys.encrypt_again(row.key)
                database.execute("UPDATE otp_totp_totpdevice SET key = %s WHERE id = %s", [key, row.pk])
                secrets += 1
        for id, secret in database.rows("SELECT id, secret FROM checkpoint_key ORDER BY id FOR UPDATE"):
            # A secret that cannot be decrypted is left as it is. Its key can no longer sign.
            with suppress(keys.Undecryptable):
                if str(id) in sound["checkpoint_key"]:
                    encrypted = keys.encrypt_again(secret)
                    database.execute("UPDATE checkpoint_key SET secret = %s WHERE id = %s", [encrypted, id])
                    secrets += 1
        for id, secret in database.rows("SELECT id::text, secret FROM webhook_secret FOR UPDATE"):
            if id in sound["webhook_secret"]:
                encrypted = keys.encrypt_again(secret)
                database.execute("UPDATE webhook_secret SET secret = %s WHERE id = %s", [encrypted, id])
                secrets += 1
        rows = sum(journal.record(table, keys_) for table, keys_ in sound.items())
    return Moved(rows, secrets)


def adopt() -> int:
    """Accept rows whose last seal was made with a key that this installation does not have. Seal these rows
    again with their present content, and record which of them no longer exist. Return the number of rows.
    """
    accepted = 0
    with transaction.atomic():
        for table in SEALED:
            last = seals.latest(table)
            lost = [key for key, entry in last.items() if keys.secret_of(entry.key_id) is None]
            accepted += journal.record(table, lost, journal.ADOPTED)
    return accepted


def _matching_keys(table: str) -> list[str]:
    """Return the primary keys of the rows whose last seal was made with a former secret key and still matches
    the row.
    """
    last, present = seals.latest(table), keys.key_id()
    matching = []
    for key, content in journal.contents(table):
        entry = last.get(key)
        if entry is None or entry.digest is None or entry.key_id == present:
            continue
        secret = keys.secret_of(entry.key_id)
        if secret is not None and entry.digest == journal.digest_of(secret, table, key, content):
            matching.append(key)
    return matching
