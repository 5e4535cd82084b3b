"""Facts that passed the door, kept until the whole file has: in memory, and in a temporary file when they are many."""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import NamedTuple
from uuid import UUID

from audit.facts import Prepared
from casino.importing.reading import IN_MEMORY

BATCH = 500
"""Facts recorded in one transaction."""


class Batch(NamedTuple):
    """Facts to record together, and the place (file from 0, line from 1) of each."""

    places: list[tuple[int, int]]
    facts: list[Prepared]


class Spool:
    """Takes facts one by one and gives them back in batches, in their order. Memory stays flat."""

    def __init__(self) -> None:
        self.count = 0
        self._file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - __exit__ closes it
        self._waiting: list[tuple[int, int, bytes, str, str, str, str | None, bytes, bytes]] = []

    def add(self, file: int, line: int, fact: Prepared) -> None:
        """One more fact."""
        self.count += 1
        self._waiting.append((file, line, fact.uid.bytes, *fact[1:]))
        if len(self._waiting) == BATCH:
            self._write()

    def batches(self) -> Iterator[Batch]:
        """All facts, in batches."""
        self._write()
        self._file.seek(0)
        while head := self._file.read(4):
            rows = marshal.loads(self._file.read(int.from_bytes(head)))  # our own bytes, written a moment ago
            yield Batch([row[:2] for row in rows], [Prepared(UUID(bytes=row[2]), *row[3:]) for row in rows])

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *error: object) -> None:
        """Forget them all."""
        self._file.close()

    def _write(self) -> None:
        if self._waiting:
            packed = marshal.dumps(self._waiting)
            self._file.write(len(packed).to_bytes(4) + packed)
            self._waiting.clear()
