"""The state of an installation: the last position of each ledger, the waiting jobs, and the time at which
worker and beat were last seen.

Worker and beat each update a row every few seconds (`beat`). This is their heartbeat. If a worker is busy
with a large export for an hour, the renewals of its lease also count as heartbeats.
"""

from __future__ import annotations

from typing import NamedTuple

from audit import database
from audit.jobs import alarms
from audit.jobs.leases import ALARM

WORKER, BEAT, WEB = "worker", "beat", "web"
"""The names of the heartbeats. `web` is written by the readiness check
(casino/runtime/operations/readiness.py).
"""
EVERY = 5.0
"""Seconds between two heartbeats of a process."""
STATES = ("due", "taken", "set-aside")


class Snapshot(NamedTuple):
    """Ledgers, jobs and heartbeats at one moment.

    Attributes:
        signs: the seconds since each process was last seen. Processes that were never seen are left out.
    """

    ledgers: list[tuple[str, int]]
    jobs: dict[str, int]
    interrupted: int
    """The number of jobs that were interrupted so often that they are shown as alarms."""
    differing: int
    """The number of checks of stored results that found a difference and have not been repeated."""
    waits: float
    signs: dict[str, float]


def beat(process: str) -> None:
    """Record the heartbeat of this process."""
    query = """INSERT INTO sign (process, at) VALUES (%s, now())
        ON CONFLICT (process) DO UPDATE SET at = excluded.at"""
    database.execute(query, [process])


def last_seen() -> dict[str, float]:
    """Return {process: seconds since it was last seen}."""
    return {process: max(float(age), 0.0) for process, age in database.rows(_SIGNS) if age is not None}


def now() -> Snapshot:
    """Return ledgers, jobs and heartbeats in one snapshot."""
    jobs = dict.fromkeys(STATES, 0) | dict(
        database.rows("SELECT state, count(*) FROM job WHERE state <> 'done' GROUP BY state")
    )
    ((waits,),) = database.rows(
        "SELECT coalesce(extract(epoch FROM now() - min(due_at)), 0) FROM job WHERE state = 'due' AND due_at"
        " <= now()"
    )
    ((interrupted,),) = database.rows(f"SELECT count(*) FROM job WHERE interruptions >= {ALARM}")
    ((differing,),) = database.rows(
        "SELECT count(*) FROM job WHERE kind = %s AND state = 'set-aside'", [alarms.CHECK]
    )
    return Snapshot(
        database.rows("SELECT property, position FROM head ORDER BY property"),
        jobs,
        interrupted,
        differing,
        float(waits),
        last_seen(),
    )


_SIGNS = f"""SELECT process, extract(epoch FROM now() - max(at)) FROM (
        SELECT process, at FROM sign UNION ALL SELECT '{WORKER}', renewed_at FROM job WHERE state = 'taken') s
    GROUP BY process"""
