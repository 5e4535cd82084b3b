"""The keys that sign checkpoints. A property has one active key. Its private half is encrypted with the
secret key of the installation, and the row is sealed.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from urllib.parse import quote

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.db import transaction

from audit import database
from audit.tree import checkpoints
from audit.tree.checkpoints import Key
from audit.tree.notes import VerifierKey, is_key_name, verifier_of
from casino.sealing import journal, keys

AUTOMATIC = "catwalk"
"""The creator in the row of a key that Catwalk created itself, for the first checkpoint of a property."""
LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]", "*"})
TABLE = "checkpoint_key"


class KeyLost(Exception):
    """No checkpoint can be signed: the property has no active key, or this installation cannot decrypt it."""


class KeyRefused(ValueError):
    """A key cannot be created, replaced or revoked. The text of the exception is shown to users."""


Signer = tuple[str, Ed25519PrivateKey]
"""A key that can sign: its name and its private key."""


def default_name(property: str) -> str:
    """Return HOST/PROPERTY: the name of a property's keys and the origin of its checkpoints. HOST is the
    first host name in the settings that is not a name of the local machine.
    """
    hosts = [host.lstrip(".") for host in settings.ALLOWED_HOSTS if host not in LOCAL]
    return f"{hosts[0] if hosts else 'catwalk.local'}/{quote(property, safe='')}"


def make(property: str, by: str, name: str = "") -> Key:
    """Create a key for a property without an active key. Raise KeyRefused if the property has an active key,
    or if the name is not valid.

    All keys of a property have the same name, because the name is the origin of its checkpoints. `name` is
    used only for the first key.
    """
    before = checkpoints.keys_of(property)
    if any(key.state() == "active" for key in before):
        raise KeyRefused(
            f"{property} has an active key. Replace it with manage.py checkpoint_key rotate {property}."
        )
    chosen = before[0].name if before else name or default_name(property)
    if not is_key_name(chosen):
        raise KeyRefused(f"{chosen!r} cannot be the name of a key: it must not have spaces or plus signs.")
    if name and name != chosen:
        raise KeyRefused(f"All keys of {property} are named {chosen}. Leave out the name.")
    if not before and any(key.name == chosen for key in checkpoints.all_keys()):
        raise KeyRefused(f"The keys of another property are named {chosen}. Choose another name.")
    return _insert(property, chosen, by)


def rotate(property: str, by: str) -> Key:
    """Replace the active key of a property by a new one. The next checkpoint is signed by both keys, if this
    installation can still decrypt the former key. Raise KeyRefused if there is no active key.
    """
    with transaction.atomic():
        active = [key for key in checkpoints.keys_of(property) if key.state() == "active"]
        if not active:
            raise KeyRefused(
                f"{property} has no active key. Make one with manage.py checkpoint_key make {property}."
            )
        query = "UPDATE checkpoint_key SET retired_at = clock_timestamp() WHERE id = %s"
        database.execute(query, [active[0].id])
        journal.record(TABLE, [active[0].id])
        return _insert(property, active[0].name, by)


def revoke(property: str, id: str, by: str) -> Key:
    """Revoke a key of a property. Signatures that the key makes later are not valid. Raise KeyRefused if
    there is no such key.

    Args:
        id: the key's id, eight hexadecimal digits.
    """
    for key in checkpoints.keys_of(property):
        if key.verifier().id.hex() == id.lower():
            if key.revoked_at is None:
                with transaction.atomic():
                    database.execute(_REVOKE, [by, key.id])
                    journal.record(TABLE, [key.id])
            return next(stored for stored in checkpoints.keys_of(property) if stored.id == key.id)
    raise KeyRefused(f"{property} has no key {id}. manage.py checkpoint_key list prints all keys.")


def signers(property: str) -> list[Signer]:
    """Return the keys that sign the next checkpoint of a property: the active key, and a key that was
    replaced after the latest checkpoint. Raise KeyLost if no active key can be used.
    """
    known = checkpoints.keys_of(property)
    active = next((key for key in known if key.state() == "active"), None)
    if active is None:
        raise KeyLost(
            f"{property} has no active key to sign checkpoints: run manage.py checkpoint_key make {property}."
        )
    last = checkpoints.latest(property)
    replaced = [
        key
        for key in known
        if key.state() == "retired" and key.retired_at and last is not None and key.retired_at > last.made_at
    ]
    result = [(active.name, _private(active))]
    for key in replaced:
        try:
            result.append((key.name, _private(key)))
        except KeyLost:
            continue  # If the former key is lost, the new key signs alone.
    return result


def _private(key: Key) -> Ed25519PrivateKey:
    ((secret,),) = database.rows("SELECT secret FROM checkpoint_key WHERE id = %s", [key.id])
    try:
        private = Ed25519PrivateKey.from_private_bytes(b64decode(keys.decrypt(secret)))
    except (keys.Undecryptable, ValueError):
        private = None
    if private is None or verifier_of(key.name, private) != VerifierKey(key.name, key.public):
        raise KeyLost(
            f"The key {key.verifier().id.hex()} of {key.property} cannot be decrypted: set CATWALK_OLD_KEYS"
            f" to the former secret key, or run manage.py checkpoint_key rotate {key.property}."
        )
    return private


def _insert(property: str, name: str, by: str) -> Key:
    private = Ed25519PrivateKey.generate()
    secret = keys.encrypt(b64encode(private.private_bytes_raw()).decode())
    with transaction.atomic():
        values = [property, name, verifier_of(name, private).public, secret, by]
        ((id,),) = database.rows(_INSERT, values)
        journal.record(TABLE, [id])
    return next(key for key in checkpoints.keys_of(property) if key.id == id)


_INSERT = """INSERT INTO checkpoint_key (property, name, public, secret, made_by)
    VALUES (%s, %s, %s, %s, %s) RETURNING id"""
_REVOKE = """UPDATE checkpoint_key SET revoked_at = clock_timestamp(), revoked_by = %s WHERE id = %s"""
