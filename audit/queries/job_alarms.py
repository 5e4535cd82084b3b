"""Count the jobs that need attention from a person: jobs set aside after failures, and jobs that were
interrupted repeatedly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from audit import database
from audit.jobs.alarms import CHECK, DELIVERIES
from audit.jobs.leases import ALARM, LEDGER, STREAM


class JobAlarms(NamedTuple):
    """The numbers of a property's jobs that need attention from a person. Each field counts jobs of some
    kinds.
    """

    property: str
    examinations: int
    """Jobs that examine facts. Until they are done, findings and figures do not include these facts."""
    others: int
    """Jobs of all other kinds, which build exports, make checkpoints, or copy checkpoints."""
    deliveries: int
    """Jobs that deliver events, webhooks and mail. Somebody may not have been alerted."""
    checks: int
    """Checks that found stored results which differ from the facts. Figures may be wrong."""


OF_FIELD = {
    "examinations": f"kind IN ('{STREAM}', '{LEDGER}')",
    "others": f"kind NOT IN {(STREAM, LEDGER, CHECK, *DELIVERIES)}",
    "deliveries": f"kind IN {DELIVERIES}",
    "checks": f"kind = '{CHECK}'",
}
"""{field of JobAlarms: SQL condition of the kinds of jobs that it counts}."""
_NEEDS_ATTENTION = f"(state = 'set-aside' OR interruptions >= {ALARM})"


def of_properties(properties: Sequence[str]) -> list[JobAlarms]:
    """Return one row for each property with jobs that need attention, in alphabetical order. Only the given
    properties are searched.
    """
    counts = ", ".join(f"count(*) FILTER (WHERE {condition})" for condition in OF_FIELD.values())
    query = f"""SELECT property, {counts} FROM job WHERE property = ANY(%s) AND {_NEEDS_ATTENTION}
        GROUP BY property ORDER BY property"""
    return [JobAlarms._make(row) for row in database.rows(query, [list(properties)])]


def ids(properties: Sequence[str], field: str = "") -> list[int]:
    """Return the ids of jobs that need attention. `field` is a field of JobAlarms: only the jobs that it
    counts are returned.
    """
    condition = f"{_NEEDS_ATTENTION} AND {OF_FIELD[field]}" if field else _NEEDS_ATTENTION
    query = f"SELECT id FROM job WHERE property = ANY(%s) AND {condition} ORDER BY id"
    return [id for (id,) in database.rows(query, [list(properties)])]
