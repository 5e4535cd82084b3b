"""Store validated facts until their whole file is validated. They are in memory or, if there are many, also
in a temporary file.
"""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import NamedTuple

from msgspec import msgpack

from audit.facts import Prepared

BATCH = 500
"""Number of facts recorded in one transaction."""
KEPT_IN_MEMORY = 100
"""Number of batches that are stored in memory, about 50 MB. Further batches are written to a file in a
compact form.
"""


class Batch(NamedTuple):
    """Facts that are recorded together. `places` gives the index of the file (from 0) and the line (from 1)
    of each fact.
    """

    places: list[tuple[int, int]]
    facts: list[Prepared]


class Spool:
    """Stores facts one by one, and yields them in batches in the same order. Memory use is constant."""

    def __init__(self) -> None:
        self.count = 0
        self._at_hand: list[Batch] = []
        self._file = TemporaryFile()  # noqa: SIM115 - __exit__ closes it
        self._waiting = Batch([], [])

    def add(self, file: int, line: int, fact: Prepared) -> None:
        """Add a fact to the facts that are stored."""
        self.count += 1
        self._waiting.places.append((file, line))
        self._waiting.facts.append(fact)
        if len(self._waiting.facts) == BATCH:
            self._write()

    def batches(self) -> Iterator[Batch]:
        """Yield all facts, in batches."""
        self._write()
        yield from self._at_hand
        self._file.seek(0)
        while head := self._file.read(4):
            yield _unpacked(self._file.read(int.from_bytes(head)))

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *error: object) -> None:
        """Delete all stored facts."""
        self._file.close()

    def _write(self) -> None:
        if len(self._at_hand) < KEPT_IN_MEMORY:
            self._at_hand.append(self._waiting)
        elif self._waiting.facts:
            packed = _packed(self._waiting)
            self._file.write(len(packed).to_bytes(4) + packed)
        self._waiting = Batch([], [])


# msgpack decodes uids and facts in a fifth of the time that marshal takes.
_packed = msgpack.Encoder(uuid_format="bytes").encode
_unpacked = msgpack.Decoder(Batch).decode
