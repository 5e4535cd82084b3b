"""The hands of the queue that have changed between two moments. No change is missed or returned twice.

A moment is a snapshot of Postgres. A change belongs to the time between two snapshots if its transaction is
visible in the second snapshot and not in the first one. So a change is not missed if its transaction was
still running at the first moment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from audit import database

MAX_HANDS = 500
"""Maximum number of hands that are returned at once."""
_SNAPSHOT = re.compile(r"\d{1,19}:\d{1,19}:(\d{1,19}(,\d{1,19})*)?", re.ASCII)


class ChangedHand(NamedTuple):
    """A hand of the queue that has changed."""

    property: str
    stream: str
    hand: str
    state: str
    owner: str


def now() -> str:
    """Return the present moment."""
    snapshot: str = database.rows("SELECT pg_current_snapshot()::text")[0][0]
    return snapshot


def parse(moment: str) -> str:
    """Check a moment that a client has sent, and return it. Raise ValueError if it is not one of this
    database.
    """
    if _SNAPSHOT.fullmatch(moment) is None:
        raise ValueError(moment)
    xmin, xmax, running = moment.split(":")
    numbers = [int(number) for number in running.split(",")] if running else []
    is_ordered = numbers == sorted(set(numbers)) and all(
        int(xmin) <= number < int(xmax) for number in numbers
    )
    if not 0 < int(xmin) <= int(xmax) <= int(now().split(":")[1]) or not is_ordered:
        raise ValueError(moment)
    return moment


def between(properties: Sequence[str], after: str, upto: str) -> tuple[list[ChangedHand], bool]:
    """Return the hands that changed between two moments, and True if there were more than MAX_HANDS."""
    rows: Any = database.rows(_CHANGED, [after, list(properties), after, upto])
    return [ChangedHand._make(row) for row in rows[:MAX_HANDS]], len(rows) > MAX_HANDS


_CHANGED = f"""SELECT property, stream, hand, state, owner FROM queued
    WHERE touched >= pg_snapshot_xmin(%s::pg_snapshot) AND property = ANY (%s)
        AND NOT pg_visible_in_snapshot(touched, %s::pg_snapshot)
        AND pg_visible_in_snapshot(touched, %s::pg_snapshot)
    ORDER BY property, stream, hand LIMIT {MAX_HANDS + 1}"""
