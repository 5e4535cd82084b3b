"""Derive the uid of a fact from the message of another system. The same message always gives the same uid."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def uid_of(at: datetime, *content: Any) -> str:
    """Return a UUIDv7 with the time `at`. Its other 74 bits are the first bits of the SHA-256 of the content,
    encoded as JSON with sorted keys.
    """
    written = json.dumps(content, sort_keys=True, separators=(",", ":"), default=str).encode()
    random = int.from_bytes(sha256(written).digest()[:10]) >> 6
    milliseconds = (at - _EPOCH) // timedelta(milliseconds=1) & (1 << 48) - 1
    return str(
        UUID(int=milliseconds << 80 | 7 << 76 | (random >> 62) << 64 | 2 << 62 | random & (1 << 62) - 1)
    )
