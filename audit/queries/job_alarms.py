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


def of_properties(properties: Sequence[str]) -> list[JobAlarms]:
    """Return one row for each property with jobs that need attention, in alphabetical order. Only the given
    properties are searched.
    """
    query = f"""SELECT property, count(*) FILTER (WHERE kind IN ('{STREAM}', '{LEDGER}')),
            count(*) FILTER (WHERE kind NOT IN {(STREAM, LEDGER, CHECK, *DELIVERIES)}),
            count(*) FILTER (WHERE kind IN {DELIVERIES}),
            count(*) FILTER (WHERE kind = '{CHECK}')
        FROM job WHERE property = ANY(%s) AND (state = 'set-aside' OR interruptions >= {ALARM})
        GROUP BY property ORDER BY property"""
    return [JobAlarms._make(row) for row in database.rows(query, [list(properties)])]
