"""Count the jobs that wait for a person: set aside after failures, or interrupted again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from audit import database
from audit.jobs.alarms import CHECK
from audit.jobs.leases import ALARM, LEDGER, STREAM


class JobAlarms(NamedTuple):
    """How many jobs of a property wait for a person."""

    property: str
    examinations: int
    """Jobs that examine facts. Until they are done, findings and figures lack these facts."""
    others: int
    """Exports and their rebuilds."""
    checks: int
    """Checks that found stored results which are not what the facts make. Figures may be wrong."""


def of_properties(properties: Sequence[str]) -> list[JobAlarms]:
    """Return the properties that have such jobs, in alphabetical order."""
    query = f"""SELECT property, count(*) FILTER (WHERE kind IN ('{STREAM}', '{LEDGER}')),
            count(*) FILTER (WHERE kind NOT IN ('{STREAM}', '{LEDGER}', '{CHECK}')),
            count(*) FILTER (WHERE kind = '{CHECK}')
        FROM job WHERE property = ANY(%s) AND (state = 'set-aside' OR interruptions >= {ALARM})
        GROUP BY property ORDER BY property"""
    return [JobAlarms._make(row) for row in database.rows(query, [list(properties)])]
