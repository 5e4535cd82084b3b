"""Read the pace and the last finding of each table, for the live wall. One query reads all tables through
indexes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from audit import database
from audit.facts import decode

ROUNDS = 20
"""Maximum number of latest rounds over which the pace is measured."""


class LastFinding(NamedTuple):
    """The last finding of a stream that is not a notice, in the order of the stream's facts."""

    code: str
    grade: str
    says: str
    round: str | None
    number: int


class Pace(NamedTuple):
    """The pace of a table and its last finding. It is measured over the latest rounds, at most ROUNDS + 1.
    `time` is the time between the opening of the first and the opening of the last of them. `rounds` is the
    number of rounds that were opened in this time, without the first.
    """

    rounds: int
    time: timedelta
    finding: LastFinding | None

    @property
    def per_hour(self) -> int | None:
        """Return the rounds in an hour, rounded, or None if there are too few rounds or no time passed."""
        seconds = int(self.time.total_seconds())
        return None if self.rounds < 1 or seconds < 1 else (7200 * self.rounds + seconds) // (2 * seconds)


_OPENED = """kind IN ('table-opened', 'dealer-seated', 'round-opened', 'corrected')
            AND kind = 'round-opened'"""
_PACE = f"""SELECT s.stream, p.rounds, first.body, last.body, f.code, f.grade, f.says, f.round, f.number
    FROM unnest(%(streams)s::text[]) AS s (stream)
    CROSS JOIN LATERAL (SELECT count(*) AS rounds, min(number) AS first, max(number) AS last FROM (
        SELECT number FROM fact WHERE property = %(property)s AND stream = s.stream AND {_OPENED}
        ORDER BY number DESC LIMIT {ROUNDS + 1}) latest) p
    LEFT JOIN LATERAL (SELECT body FROM fact WHERE property = %(property)s AND stream = s.stream
        AND number = p.first) first ON true
    LEFT JOIN LATERAL (SELECT body FROM fact WHERE property = %(property)s AND stream = s.stream
        AND number = p.last) last ON true
    LEFT JOIN LATERAL (SELECT code, grade, says, round, number FROM finding WHERE property = %(property)s
        AND stream = s.stream AND grade <> 'notice' ORDER BY number DESC, id LIMIT 1) f ON true"""


def paces(property: str, streams: Sequence[str]) -> dict[str, Pace]:
    """Return {stream: pace} of these streams."""
    values = {"property": property, "streams": list(streams)}
    rows = database.prepared_rows(_PACE, values) if streams else []  # planning would take longer than reading
    by_stream = {}
    for stream, rounds, first, last, code, grade, says, round, number in rows:
        time = timedelta()
        if rounds > 1:
            time = decode(bytes(last)).at - decode(bytes(first)).at
        finding = LastFinding(code, grade, says, round, number) if code is not None else None
        by_stream[stream] = Pace(max(int(rounds) - 1, 0), time, finding)
    return by_stream
