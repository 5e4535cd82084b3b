"""Write findings in batches while facts are folded. The memory used does not grow with the number of
findings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

from msgspec import json

from audit import database
from audit.findings.stored_rows import FINDINGS, finding_rows
from audit.replay.results import Finding
from audit.review import projections

BATCH = 2_000
"""Maximum number of findings in memory before they are written. Findings of the open round are not
counted.
"""

T = TypeVar("T")


class Change(NamedTuple):
    """The change in the stored findings. `gained` and `lost` are ids in alphabetical order.

    After an examination of new facts, `gained` is empty and only the number `new` is given.
    """

    gained: tuple[str, ...]
    lost: tuple[str, ...]
    new: int
    """The number of findings that were not stored before."""
    notices: int
    """How many of the new findings are notices."""


def batches(values: Iterable[T]) -> Iterator[Sequence[T]]:
    """Yield the values in lists of at most BATCH."""
    iterator = iter(values)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def of_reader(property: str, reader: str, stream: str | None) -> tuple[str, list[str]]:
    """Return the SQL condition for the stored findings of one fold, and the values of the placeholders.
    `reader` is `table` or `ledger`. The stream is None for the property's ledger fold.
    """
    if stream is None:
        return "property = %s AND reader = %s", [property, reader]
    return "property = %s AND reader = %s AND stream = %s", [property, reader, stream]


class FindingWriter:
    """Writes the findings of one stream, or of the property's ledger fold if the stream is None. It writes in
    the caller's transaction.
    """

    def __init__(
        self,
        property: str,
        reader: str,
        stream: str | None,
        *,
        replaces_all: bool,
        queued: bool = True,
        with_ids: bool = False,
    ) -> None:
        """Prepare to write findings.

        Args:
            property: The property.
            reader: `table` or `ledger`.
            stream: The stream, or None for the property's ledger fold.
            replaces_all: True if all findings of the reader will be written. All other stored findings are
                deleted.
            queued: False to leave the officers' queue unchanged.
            with_ids: True to return the ids of new findings, False to return only their number.
        """
        self.property, self.reader, self.stream = property, reader, stream
        self.where, self.values = of_reader(property, reader, stream)
        self.replaces_all, self.queued, self.with_ids = replaces_all, queued, with_ids
        self.gained: list[str] = []
        self.new = self.notices = 0
        self.hands: set[tuple[str, str]] = set()
        self.lost = self._stored() if replaces_all else set()

    def _stored(self) -> set[str]:
        query = f"SELECT id FROM finding WHERE {self.where}"
        return {id for (id,) in database.rows(query, self.values)}

    def write(self, findings: Iterable[Finding]) -> None:
        """Insert findings. Replace stored findings that have the same id."""
        for batch in batches(findings):
            self._write(batch)

    def _write(self, batch: Collection[Finding]) -> None:
        query = "SELECT id FROM finding WHERE property = %s AND id = ANY(%s)"
        known = {id for (id,) in database.rows(query, [self.property, [finding.id for finding in batch]])}
        rows = json.encode(list(finding_rows(self.reader, batch))).decode()
        database.execute(_INSERT, [self.property, rows])
        self.lost.difference_update(finding.id for finding in batch)
        for finding in batch:
            if finding.id not in known:
                self.new += 1
                self.notices += finding.grade == "notice"
                if self.with_ids:
                    self.gained.append(finding.id)
        if self.queued and (self.stream is None or not self.replaces_all):
            self.hands.update(
                (finding.stream, projections.hand_of(finding.round, finding.number)) for finding in batch
            )

    def finish(self) -> Change:
        """Delete the findings that were not written again, update the queue, and return what changed."""
        if self.lost:
            deleted = database.rows(
                f"DELETE FROM finding WHERE {self.where} AND id = ANY(%s) RETURNING stream, round, number",
                [*self.values, sorted(self.lost)],
            )
            self.hands |= {(of, projections.hand_of(round, number)) for of, round, number in deleted}
        if self.queued and self.stream is not None and self.replaces_all:
            projections.queue_stream(self.property, self.stream)
        elif self.queued:
            projections.queue(self.property, self.hands)
        return Change(tuple(sorted(self.gained)), tuple(sorted(self.lost)), self.new, self.notices)


_CASTS = {"number": "::bigint", "uid": "::uuid"}
_CELLS = ", ".join(f"(r ->> {place}){_CASTS.get(name, '')}" for place, name in enumerate(FINDINGS.columns))
_INSERT = f"""INSERT INTO finding (property, {", ".join(FINDINGS.columns)})
    SELECT %s, {_CELLS} FROM jsonb_array_elements(%s::jsonb) AS r
    ON CONFLICT (property, id)
        DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in FINDINGS.values)}"""
