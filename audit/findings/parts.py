"""The result of examining one stream or one ledger, and its form in the database."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, msgpack

from audit.differences import Difference, Differences
from audit.findings.finding_writer import Change


class Part(NamedTuple):
    """The result of examining one stream or one ledger."""

    facts: int
    change: Change
    differences: Differences = Differences()


class _Stored(Struct, array_like=True):
    """A part, as a worker stores it for the command that waits for it."""

    facts: int
    change: Change
    listed: list[Difference]
    counts: list[tuple[str, bool, int]]
    rows: dict[str, int]


def to_bytes(part: Part) -> bytes:
    """Return the form in which a worker stores a part in the database."""
    differences = part.differences
    counts = [(table, explained, count) for (table, explained), count in differences.counts.items()]
    return msgpack.encode(
        _Stored(part.facts, part.change, differences.listed, counts, dict(differences.rows))
    )


def from_bytes(stored: bytes) -> Part:
    """Return a part from the bytes that `to_bytes` returned."""
    read = msgpack.decode(stored, type=_Stored)
    differences = Differences()
    differences.listed = read.listed
    differences.counts.update({(table, explained): count for table, explained, count in read.counts})
    differences.rows.update(read.rows)
    return Part(read.facts, read.change, differences)
