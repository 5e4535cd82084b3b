"""Compare stored findings with the findings of a fold in batches. The memory used does not grow with their
number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any
from uuid import UUID

from audit import database
from audit.differences import Differences, Texts, compare_rows, keyed, stored_rows
from audit.findings.finding_writer import Change, batches, of_reader
from audit.findings.stored_rows import FINDINGS, finding_rows
from audit.replay.results import Finding


class FindingComparison:
    """Compares the findings of one fold with the stored findings. It is the fold of one stream, or the
    property's ledger fold if the stream is None.

    Call `take` with the findings of the fold, then `finish` once.
    """

    def __init__(self, property: str, reader: str, stream: str | None) -> None:
        self.property, self.reader, self.of = property, reader, stream or property
        self.differences = Differences()
        self.gained: list[str] = []
        self.notices = 0
        self.in_batches = False
        """True if the fold has discarded findings after they were compared."""
        self.where, self.values = of_reader(property, reader, stream)
        query = f"SELECT id FROM public.finding WHERE {self.where}"
        self.lost = {id for (id,) in database.rows(query, self.values)}

    def take(self, findings: Iterable[Finding]) -> None:
        """Compare these findings of the fold with the stored ones."""
        for batch in batches(findings):
            present: set[Any] = set()
            rows = keyed(FINDINGS, (_with_uuid(row) for row in finding_rows(self.reader, batch)))
            self._compare([finding.id for finding in batch], rows, present)
            self.lost -= present
            for finding in batch:
                if finding.id not in present:
                    self.gained.append(finding.id)
                    self.notices += finding.grade == "notice"

    def take_batch(self, findings: Iterable[Finding]) -> None:
        """Compare these findings, like `take`. Call this while the fold still reads facts: it discards the
        findings after this call.
        """
        self.in_batches = True
        self.take(findings)

    def finish(self) -> Change:
        """Add a difference for each stored finding that the fold did not yield. Return how the stored
        findings would change if the findings of the fold replaced them.
        """
        for batch in batches(sorted(self.lost)):
            self._compare(batch, {}, set())
        return Change(tuple(sorted(self.gained)), tuple(sorted(self.lost)), len(self.gained), self.notices)

    def _compare(self, ids: Collection[str], replayed: dict[Texts, Texts], present: set[Any]) -> None:
        rows = stored_rows(FINDINGS, f"{self.where} AND id = ANY(%s)", [*self.values, list(ids)])
        stored = self.differences.counted(FINDINGS.name, _note_ids(rows, present))
        self.differences.add(compare_rows(FINDINGS, self.of, stored, replayed))


def _note_ids(rows: Iterable[Texts], ids: set[Any]) -> Iterator[Texts]:
    for row in rows:
        ids.add(row[0])
        yield row


_UID = FINDINGS.columns.index("uid")


def _with_uuid(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the row of a finding with its uid as text, in the form in which Postgres prints it."""
    return (*row[:_UID], UUID(row[_UID]), *row[_UID + 1 :])
