"""Checkpoints in the database, and the public keys that sign them. The private keys are encrypted, and only
`casino/checkpoints` decrypts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from audit import database
from audit.tree.notes import VerifierKey


class Stored(NamedTuple):
    """A checkpoint as it is stored.

    Attributes:
        size: the number of leaves, which is the last position it covers.
    """

    id: int
    property: str
    size: int
    root: bytes
    note: str
    made_at: datetime


class Key(NamedTuple):
    """A key that signs, or has signed, checkpoints of a property. A retired key was replaced by another one,
    and all its signatures stay valid. Signatures that a revoked key gave after it was revoked are not valid.
    """

    id: int
    property: str
    name: str
    public: bytes
    made_at: datetime
    made_by: str
    retired_at: datetime | None
    revoked_at: datetime | None
    revoked_by: str

    def verifier(self) -> VerifierKey:
        """Return the public key."""
        return VerifierKey(self.name, self.public)

    def state(self) -> str:
        """Return `active`, `retired` or `revoked`."""
        return "revoked" if self.revoked_at else "retired" if self.retired_at else "active"


def latest(property: str) -> Stored | None:
    """Return the checkpoint of a property that covers the most facts, or None if it has none."""
    query = f"{_SELECT} WHERE property = %s ORDER BY size DESC LIMIT 1"
    return next(iter(_stored(query, [property])), None)


def at(property: str, size: int) -> Stored | None:
    """Return the property's checkpoint that covers exactly `size` facts, or None if it has no such
    checkpoint.
    """
    return next(iter(_stored(f"{_SELECT} WHERE property = %s AND size = %s", [property, size])), None)


def first_covering(property: str, position: int) -> Stored | None:
    """Return the smallest checkpoint of a property that covers a position, or None."""
    query = f"{_SELECT} WHERE property = %s AND size >= %s ORDER BY size LIMIT 1"
    return next(iter(_stored(query, [property, position])), None)


def last_upto(property: str, size: int) -> Stored | None:
    """Return the largest checkpoint of a property that has at most this size, or None."""
    query = f"{_SELECT} WHERE property = %s AND size <= %s ORDER BY size DESC LIMIT 1"
    return next(iter(_stored(query, [property, size])), None)


def page(property: str, after: int = 0, limit: int = 1000) -> list[Stored]:
    """Return the checkpoints of a property that are larger than `after`, by size."""
    return _stored(
        f"{_SELECT} WHERE property = %s AND size > %s ORDER BY size LIMIT %s", [property, after, limit]
    )


def cosigned_note(checkpoint: Stored) -> str:
    """Return the signed note of a checkpoint, followed by the signatures that witnesses gave for it."""
    (note,) = cosigned_notes(checkpoint.property, [checkpoint])
    return note


def cosigned_notes(property: str, page: Sequence[Stored]) -> list[str]:
    """Return the signed note of each of these checkpoints of a property, with the signatures of witnesses."""
    query = """SELECT size, answer FROM checkpoint_copy
        WHERE property = %s AND size = ANY(%s) AND answer <> '' ORDER BY id"""
    answers = database.rows(query, [property, [checkpoint.size for checkpoint in page]])
    signatures: dict[int, str] = {}
    for size, answer in answers:
        signatures[size] = signatures.get(size, "") + answer
    return [checkpoint.note + signatures.get(checkpoint.size, "") for checkpoint in page]


def keys_of(property: str) -> list[Key]:
    """Return all keys of a property, the oldest first."""
    return database.records(Key, f"{_KEYS} WHERE property = %s ORDER BY id", [property], public=_bytes)


def all_keys() -> list[Key]:
    """Return all keys of all properties, the oldest first."""
    return database.records(Key, f"{_KEYS} ORDER BY property, id", public=_bytes)


def insert(property: str, size: int, root: bytes, note: str) -> int:
    """Store a signed checkpoint and return its id."""
    query = "INSERT INTO checkpoint (property, size, root, note) VALUES (%s, %s, %s, %s) RETURNING id"
    id: int = database.rows(query, [property, size, root, note])[0][0]
    return id


def _stored(query: str, values: list[object]) -> list[Stored]:
    return database.records(Stored, query, values, root=_bytes)


def _bytes(value: Any) -> bytes:
    """Return stored bytes. NULL, which only a superuser can write, is returned as no bytes."""
    return b"" if value is None else bytes(value)


_SELECT = "SELECT id, property, size, root, note, made_at FROM checkpoint"
_KEYS = """SELECT id, property, name, public, made_at, made_by, retired_at, revoked_at, revoked_by
    FROM checkpoint_key"""
