"""Decode stored bytes to facts and encode facts to bytes.

Stored bytes never change. A new shape of a kind gets a new schema number, and a pure function that upgrades
facts of the previous shape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

from msgspec import DecodeError, ValidationError, json

from audit.facts.kinds import EVERY
from games.kit.events import Event, kind_of

Upcast = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTS: dict[tuple[str, int], Upcast] = {}
"""For each kind and schema number: a pure function that returns a fact in the next shape, with its new
`v`.
"""

_typed = json.Decoder(Union[EVERY]).decode  # noqa: UP007 - a union made of a tuple has no other spelling
_plain = json.Decoder().decode
canonical: Callable[[dict[str, Any]], bytes] = json.Encoder(order="sorted").encode
"""Encodes a fact as canonical JSON: keys sorted by code point, no spaces, UTF-8 unescaped if JSON allows
it.
"""


def newest(kind: str) -> int:
    """Return the current schema number of a kind. Facts with this number are written, and facts with any
    number from 1 up to it can be read.
    """
    return 1 + sum(1 for known, _ in UPCASTS if known == kind)


def decode(body: bytes) -> Event:
    """Return the fact in stored bytes, in the newest shape of its kind.

    Unknown fields are ignored. Raises msgspec.ValidationError if the bytes are not a valid fact, which
    happens only if they were stored without validation.
    """
    try:
        event: Event = _typed(body)
    except ValidationError:
        if (raised := lift(_plain(body))) is None:
            raise
        return raised
    if UPCASTS and (kind_of(event), event.v) in UPCASTS:
        return lift(_plain(body)) or event
    return event


def decoder() -> Callable[[bytes], Event]:
    """Return a function with the results of `decode`. It is faster than `decode` if no kind has an older
    shape.
    """
    return decode if UPCASTS else _typed


def decode_or_none(body: bytes) -> Event | None:
    """Return the fact in stored bytes, or None if the bytes are not a valid fact.

    Proofs use it, so that one changed fact does not hide other changes. The proof of the ledger reports the
    changed fact.
    """
    try:
        return decode(body)
    except (DecodeError, UnicodeDecodeError, RecursionError):
        return None


def lift(fact: Any) -> Event | None:
    """Return a fact of an older shape in the newest shape of its kind. Return None if the fact has the newest
    shape already, or is of an unknown kind.
    """
    is_lifted = False
    while upcast := _upcast(fact):
        try:
            is_lifted, fact = True, upcast(fact)
        except (LookupError, TypeError, ValueError) as error:
            raise ValidationError(f"The fields do not have the declared types: {error!r}") from None
    if not is_lifted:
        return None
    lifted: Event = _typed(json.encode(fact))
    return lifted


def _upcast(fact: Any) -> Upcast | None:
    kind, number = (fact.get("kind"), fact.get("v", 1)) if isinstance(fact, dict) else (None, None)
    return UPCASTS.get((kind, number)) if isinstance(kind, str) and isinstance(number, int) else None
