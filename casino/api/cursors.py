"""Cursors: each names the row after which a list continues. They are opaque and signed. A cursor that was
changed, or that belongs to another list or to other filters, gets 400.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.core.signing import BadSignature, Signer

from casino.api.problems import Problem

LETTERS = 8000
"""Maximum length of a cursor in characters. It is large because the row's key in a cursor may contain ten
names.
"""


def encode(of: str, key: Sequence[Any]) -> str:
    """Return a cursor that continues the list `of` after the row with this key. Equal keys give equal
    cursors.
    """
    return _signer().sign_object([of, *key])


def decode(cursor: str, of: str) -> tuple[Any, ...]:
    """Return the key in a cursor. Raise Problem if it is not a cursor of the list `of`."""
    try:
        named, *key = _signer().unsign_object(cursor)
    except (BadSignature, ValueError):
        raise Problem(400, "cursor", "Invalid cursor. Use `next` unchanged.", field="cursor") from None
    if named != of:
        says = (
            "The cursor belongs to a different query. Use the property, days and filters of the request"
            " that returned it."
        )
        raise Problem(400, "cursor", says, field="cursor")
    return tuple(key)


def list_name(source: str, property: str, params: Mapping[str, str]) -> str:
    """Return a hash that identifies a list by its dataset, its property, and all parameters that select its
    rows.
    """
    chosen = sorted(
        (name, value) for name, value in params.items() if name not in ("cursor", "page_size", "property")
    )
    return sha256(repr((source, property, chosen)).encode()).hexdigest()[:24]


def _signer() -> Signer:
    return Signer(salt="casino.api.cursors")
