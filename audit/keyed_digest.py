"""Keyed digests. They prove that this installation wrote a row, because the key is not stored in the
database.

Django derives the key from SECRET_KEY. Digests with a key from SECRET_KEY_FALLBACKS are also valid.
"""

from __future__ import annotations

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac


def keyed_digest(purpose: str, *parts: str | bytes, key: str | None = None) -> bytes:
    """Return the HMAC-SHA-256 of the parts. A digest for one purpose is never valid for another purpose.

    The last part may have any content. The others must not contain NUL. (Texts in the database never contain
    it.)
    """
    content = b"\0".join(part.encode() if isinstance(part, str) else part for part in parts)
    return salted_hmac(f"catwalk {purpose}", content, secret=key, algorithm="sha256").digest()


def is_valid(digest: bytes | memoryview | None, purpose: str, *parts: str | bytes) -> bool:
    """Return True if a digest is the keyed digest of the parts, with the current key or an earlier one."""
    keys: list[str | None] = [None, *map(str, settings.SECRET_KEY_FALLBACKS)]
    return digest is not None and any(
        constant_time_compare(bytes(digest), keyed_digest(purpose, *parts, key=key)) for key in keys
    )
