"""Sign webhooks as described by the specification Standard Webhooks: an HMAC-SHA-256 of id, time and body for
each valid secret.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable
from hashlib import sha256

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> str:
    """Return a new secret: `whsec_` and 32 random bytes in base64."""
    return PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def headers(message: str, seconds: int, body: bytes, valid: Iterable[str]) -> dict[str, str]:
    """Return the headers that prove the sender of a webhook.

    Args:
        message: The `webhook-id`.
        seconds: The time of the attempt, in seconds since 1970.
        body: The body that is sent.
        valid: The secrets; during a rotation, both the new and the former one.
    """
    signed = f"{message}.{seconds}.".encode() + body
    signatures = (
        "v1," + b64encode(hmac.digest(b64decode(secret.removeprefix(PREFIX)), signed, sha256)).decode()
        for secret in valid
    )
    return {
        "webhook-id": message,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(signatures),
    }
