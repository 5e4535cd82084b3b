"""Compare stored rows of finished rounds with the rounds of a fold, in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit import database
from audit.differences import Difference, Differences, StoredTable, compare_rows, keyed, stored_rows
from audit.findings.stored_rows import ROUNDS, round_rows
from audit.replay.ended_rounds import EndedRound
from audit.review import round_columns

REVIEW = StoredTable(ROUNDS.name, ROUNDS.key, round_columns.REVIEWED)
"""The columns of finished rounds that depend on the queue."""


class RoundComparison:
    """Compares the finished rounds of one stream. Call `take` with the rounds in order, then `finish`
    once.
    """

    def __init__(self, property: str, stream: str) -> None:
        self.property, self.stream = property, stream
        self.differences = Differences()
        self.after = 0
        """The number up to which stored rows have been compared."""
        self.in_batches = False
        """True if the fold has discarded rounds after they were compared."""

    def take(self, rounds: Sequence[EndedRound]) -> None:
        """Compare these rounds with the stored ones."""
        if rounds:
            last = max(one.number for one in rounds)
            self._compare(rounds, "number > %s AND number <= %s", [self.after, last])
            self.after = last

    def take_batch(self, rounds: Sequence[EndedRound]) -> None:
        """Compare these rounds, which the fold then discards."""
        self.in_batches = True
        self.take(rounds)

    def finish(self) -> Differences:
        """Add the stored rounds that the fold does not yield, and return all differences."""
        self._compare((), "number > %s", [self.after])
        return self.differences

    def review(self) -> Iterator[Difference]:
        """Yield the differences in the columns that depend on the officers' queue, which is compared with the
        facts elsewhere.
        """
        columns = ", ".join(f"{name}::text" for name in REVIEW.columns)
        query = f"SELECT {columns} FROM ({round_columns.ROWS}) made"
        values = {"property": self.property, "stream": self.stream, "hands": None}
        made = {row[:1]: row[1:] for row in database.rows(query, values)}
        rows = stored_rows(REVIEW, "property = %s AND stream = %s", [self.property, self.stream])
        yield from compare_rows(REVIEW, self.stream, rows, made)

    def _compare(self, rounds: Sequence[EndedRound], which: str, numbers: list[int]) -> None:
        where = f"property = %s AND stream = %s AND {which}"
        stored = stored_rows(ROUNDS, where, [self.property, self.stream, *numbers])
        made = keyed(ROUNDS, round_rows(self.stream, rounds))
        counted = self.differences.counted(ROUNDS.name, stored)
        self.differences.add(compare_rows(ROUNDS, self.stream, counted, made))
