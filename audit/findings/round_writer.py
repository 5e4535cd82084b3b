"""Write the rows of finished rounds, in batches while facts are folded."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import json

from audit import database
from audit.findings.finding_writer import batches
from audit.findings.stored_rows import ROUND_CELLS, ROUNDS, round_rows
from audit.replay.ended_rounds import EndedRound
from audit.review import projections
from audit.review.round_columns import COLUMNS, JOINS, REVIEWED


class RoundWriter:
    """Writes the finished rounds of one stream, in the caller's transaction. The columns that come from the
    officers' queue are filled too.
    """

    def __init__(self, property: str, stream: str, *, replaces_all: bool) -> None:
        """Prepare to write rounds.

        All stored rows are deleted first.

        Args:
            replaces_all: True if all rounds of the stream will be written.
        """
        self.property, self.stream, self.replaces_all = property, stream, replaces_all

    def write(self, rounds: Sequence[EndedRound]) -> None:
        """Insert these rounds. Replace stored rows of the same rounds."""
        if not self.replaces_all and not rounds:
            return
        # A verdict or flag may be recorded at the same time. Because of this lock, it either updates the row,
        # or is already in the queue when the row is written.
        projections.lock_stream(self.stream)
        if self.replaces_all:
            database.execute(_DELETE, [self.property, self.stream])
            self.replaces_all = False
        for batch in batches(rounds):
            self._insert(batch)

    def _insert(self, batch: Collection[EndedRound]) -> None:
        rows = json.encode(list(round_rows(self.stream, batch))).decode()
        database.execute(_INSERT, {"property": self.property, "stream": self.stream, "rows": rows})


_NAMES = [f'"{name}"' for name in ROUNDS.columns]
_INSERT = f"""INSERT INTO round_tally (property, stream, {", ".join((*_NAMES, *REVIEWED))})
    SELECT %(property)s, %(stream)s, r.*, {COLUMNS}
    FROM (SELECT {ROUND_CELLS} FROM jsonb_array_elements(%(rows)s::jsonb) AS j) r {JOINS}
    ON CONFLICT (property, stream, number)
        DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in (*_NAMES[1:], *REVIEWED))}"""
_DELETE = "DELETE FROM round_tally WHERE property = %s AND stream = %s"
