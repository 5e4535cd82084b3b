"""Compare stored rows of finished rounds with the rounds of a fold, in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import json

from audit import database
from audit.differences import Difference, Differences, StoredTable, compare_rows, keyed, stored_rows
from audit.findings.stored_rows import ROUND_CELLS, ROUNDS, round_rows
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
            last = max(ended.number for ended in rounds)
            self._compare(rounds, self.after, last)
            self.after = last

    def take_batch(self, rounds: Sequence[EndedRound]) -> None:
        """Compare these rounds, like `take`. Call this while the fold still reads facts: it discards the
        rounds after this call.
        """
        self.in_batches = True
        self.take(rounds)

    def finish(self) -> Differences:
        """Add a difference for each stored round that the fold did not yield. Return all differences."""
        self._compare((), self.after, 2**62)
        return self.differences

    def review(self) -> Iterator[Difference]:
        """Yield the differences in the columns that depend on the officers' queue. (`audit/review/compare.py`
        compares the queue with the facts.)
        """
        values = {"property": self.property, "stream": self.stream, "hands": None}
        if database.first_row(_OTHER_REVIEW, values) is None:
            return
        columns = ", ".join(f"{name}::text" for name in REVIEW.columns)
        query = f"SELECT {columns} FROM ({round_columns.ROWS}) made"
        replayed = {row[:1]: row[1:] for row in database.rows(query, values)}
        rows = stored_rows(REVIEW, "property = %s AND stream = %s", [self.property, self.stream])
        yield from compare_rows(REVIEW, self.stream, rows, replayed)

    def _compare(self, rounds: Sequence[EndedRound], after: int, last: int) -> None:
        rows = json.encode(list(round_rows(self.stream, rounds))).decode()
        place = {"property": self.property, "stream": self.stream}
        values = {**place, "after": after, "last": last, "rows": rows}
        row = database.first_row(_SAME, values)
        if row is not None and row[0]:
            self.differences.rows[ROUNDS.name] += row[1]
            return
        condition = "property = %s AND stream = %s AND number > %s AND number <= %s"
        stored = stored_rows(ROUNDS, condition, [self.property, self.stream, after, last])
        replayed = keyed(ROUNDS, round_rows(self.stream, rounds))
        counted = self.differences.counted(ROUNDS.name, stored)
        self.differences.add(compare_rows(ROUNDS, self.stream, counted, replayed))


# Postgres compares the rows, and only rows that differ are compared here: nearly all rows are the same.
_COLUMNS = ", ".join(f'"{name}"' for name in ROUNDS.columns)
_SAME = f"""WITH made AS (SELECT {ROUND_CELLS} FROM jsonb_array_elements(%(rows)s::jsonb) AS j),
    stored AS (
        SELECT {_COLUMNS} FROM public.round_tally
        WHERE property = %(property)s AND stream = %(stream)s AND number > %(after)s AND number <= %(last)s
    )
    SELECT NOT EXISTS (TABLE made EXCEPT TABLE stored)
        AND (SELECT count(*) FROM made) = (SELECT count(*) FROM stored), (SELECT count(*) FROM stored)"""
_OTHER_REVIEW = f"{round_columns.OUTDATED} LIMIT 1"
