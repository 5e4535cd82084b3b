"""Move seals and secrets from a former secret key to the present one, or accept rows whose key is lost."""

from __future__ import annotations

from typing import NamedTuple

from django.db import transaction

from audit import database
from casino.models import Authenticator
from casino.proofs import seals
from casino.sealing import journal, keys
from casino.sealing.tables import SEALED


class Moved(NamedTuple):
    """How many rows were sealed again, and how many secrets were encrypted again."""

    rows: int
    secrets: int


def move() -> Moved:
    """Move all secrets and seals of former keys of this installation to the present key. Leave out rows that
    differ from their seals, so that they are still named.
    """
    with transaction.atomic():
        sound = {table: _sound(table) for table in SEALED}
        secrets = 0
        for row in Authenticator.objects.select_for_update():
            if str(row.pk) in sound["otp_totp_totpdevice"]:
                key = keys.encrypt_again(row.key)
                database.execute("UPDATE otp_totp_totpdevice SET key = %s WHERE id = %s", [key, row.pk])
                secrets += 1
        rows = sum(journal.record(table, keys_) for table, keys_ in sound.items())
    return Moved(rows, secrets)


def adopt() -> int:
    """Seal every row again whose latest seal is of a key that this installation does not have, and record
    that rows are gone. Return how many rows were accepted.
    """
    accepted = 0
    with transaction.atomic():
        for table in SEALED:
            last = seals.latest(table)
            lost = [key for key, entry in last.items() if keys.secret_of(entry.key_id) is None]
            accepted += journal.record(table, lost, journal.ADOPTED)
    return accepted


def _sound(table: str) -> list[str]:
    """Return the keys of the rows that are as a former key sealed them."""
    last, present = seals.latest(table), keys.key_id()
    found = []
    for key, content in journal.contents(table):
        entry = last.get(key)
        if entry is None or entry.digest is None or entry.key_id == present:
            continue
        secret = keys.secret_of(entry.key_id)
        if secret is not None and entry.digest == journal.digest_of(secret, table, key, content):
            found.append(key)
    return found
