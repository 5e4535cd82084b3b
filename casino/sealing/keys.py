"""Keys for message authentication codes of rows and for the encryption of secrets. They are derived from the
secret key, which is not in the database.

The present secret key is CATWALK_SECRET_KEY. The keys in CATWALK_OLD_KEYS are used only to check and decrypt
data that was written before the key was changed.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from functools import cache
from hashlib import sha256
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac
from msgspec import json

ID_LETTERS = 12


class Undecryptable(Exception):
    """A secret was encrypted with a key that this installation does not have."""


def secrets() -> list[str]:
    """Return the present secret key, followed by the former ones."""
    return [str(settings.SECRET_KEY), *settings.SECRET_KEY_FALLBACKS]


@cache
def _derived(secret: str, purpose: str) -> bytes:
    """Derive a key of 32 bytes from a secret key, for one purpose."""
    return salted_hmac("catwalk.sealing", purpose, secret=secret, algorithm="sha256").digest()


def key_id(secret: str | None = None) -> str:
    """Return the public id of a secret key, by default of the present one. It does not reveal the key."""
    return _derived(secret or secrets()[0], "id").hex()[:ID_LETTERS]


def secret_of(id: str) -> str | None:
    """Return the secret key with this public id, or None if this installation does not have it."""
    return next((secret for secret in secrets() if key_id(secret) == id), None)


def code(secret: str, *parts: Any) -> bytes:
    """Return the message authentication code of these parts. A part may be text, a number, a list or None."""
    return hmac.digest(_derived(secret, "seal"), json.encode(parts, order="sorted"), sha256)


def backup_code_digest(secret: str, digest: str) -> str:
    """Return the keyed digest of a backup code, given its plain digest. The result has sixteen hex digits."""
    return hmac.digest(_derived(secret, "backup-code"), digest.encode(), sha256).hex()[:16]


def encrypt(text: str) -> str:
    """Return a text encrypted with the present key."""
    return _cipher().encrypt(text.encode()).decode()


def decrypt(token: str) -> str:
    """Return the text that `encrypt` has encrypted. Raise Undecryptable if this installation does not have
    the key.
    """
    try:
        return _cipher().decrypt(token.encode()).decode()
    except InvalidToken:
        raise Undecryptable from None


def encrypt_again(token: str) -> str:
    """Return a secret encrypted with the present key instead of a former one. Raise Undecryptable."""
    try:
        return _cipher().rotate(token.encode()).decode()
    except InvalidToken:
        raise Undecryptable from None


def _cipher() -> MultiFernet:
    return MultiFernet([Fernet(urlsafe_b64encode(_derived(secret, "encryption"))) for secret in secrets()])
