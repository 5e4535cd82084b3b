"""The hashes that prove that the ledger was not changed: the leaf of each fact, and the chain over all facts
in the order of commit.

leaf  = SHA-256(0x00 ‖ body)
chain = SHA-256(0x02 ‖ previous chain ‖ position ‖ number ‖ leaf)

Position and number are eight bytes each, big-endian. The chain before position 1 is 32 bytes of zero. The
append function of migration 0001 computes the same.
"""

from __future__ import annotations

from hashlib import sha256

FIRST = bytes(32)
"""The chain before the first fact."""


def leaf_of(body: bytes) -> bytes:
    """Return the leaf of a fact: the hash of its canonical bytes."""
    return sha256(b"\0" + body).digest()


def link(previous: bytes, position: int, number: int, leaf: bytes) -> bytes:
    """Return the chain after the fact at `position` in the ledger and `number` in its stream."""
    place = position.to_bytes(8, "big", signed=True) + number.to_bytes(8, "big", signed=True)
    return sha256(b"\2" + previous + place + leaf).digest()
