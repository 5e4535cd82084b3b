"""Figures of the last gaming days for the home page of the admin. Their cost per day and table does not grow
with the age of the ledger.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from audit import database
from audit.queries.span import Span


class Flagged(NamedTuple):
    """The number of a gaming day's hands in the queue."""

    day: date
    hands: int


def facts_by_day(span: Span) -> dict[date, int]:
    """Return the number of examined facts of tables, by gaming day."""
    query = """SELECT day, sum(cursor) FROM examination
        WHERE day >= %(begins)s AND day < %(ends)s AND property = %(property)s
            AND "table" <> property || '/house'
        GROUP BY day ORDER BY day"""
    return {day: int(facts) for day, facts in database.rows(query, span._asdict())}


def flagged_by_day(span: Span) -> list[Flagged]:
    """Return the number of hands with findings, by gaming day. Hands that have only notices do not count."""
    query = """SELECT day, count(*) AS hands FROM queued
        WHERE property = %(property)s AND day >= %(begins)s AND day < %(ends)s AND rank < 5
        GROUP BY day ORDER BY day"""
    return database.records(Flagged, query, span._asdict())


def work_waiting(property: str) -> dict[str, int]:
    """Return the number of jobs that are due or in progress, by kind. It is read from the index of
    open jobs.
    """
    query = """SELECT kind, count(*) FROM job WHERE state IN ('due', 'taken') AND property = %(property)s
        GROUP BY kind ORDER BY kind"""
    return dict(database.rows(query, {"property": property}))
