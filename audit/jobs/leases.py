"""Examination jobs. Each job is a database row that a worker leases. A message to the workers contains only
the id of a job and serves as a notification.

A job is requested in the transaction that records the new facts, so it is never lost. If it is requested
again while a worker is busy with it, it becomes due again. A worker that takes a job gets a lease and renews
it while it works. If the worker is killed, the lease expires and another worker takes the job. Doing a job
twice changes nothing.

Attempts count failures of the job's own code. After MOST failures the job is set aside and logged as an
error, until a person revives it. An outage (a killed worker, no database, a full disk) is not the job's
fault. The job then counts as interrupted, waits, and continues later, however often this happens. The pauses
grow, so that a job that kills its own workers does not keep them busy. From the interruption number ALARM on,
each one is logged as an error.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from threading import Event, Thread
from time import sleep
from typing import NamedTuple
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils.module_loading import import_string

from audit import database
from audit.binary_arrays import texts
from audit.facts import LEDGER_KINDS
from audit.jobs.alarms import Alarm, storable
from audit.jobs.outages import is_outage

STREAM, LEDGER = "examine-stream", "examine-ledger"
"""The kinds of jobs: fold one gaming day of a table, or run the ledger fold of a property."""
LEASE, RENEW = 6, 2
"""Seconds until a lease expires, and seconds between two renewals."""
TASK = "audit.examine"
"""Name of the Celery task that does a job."""
STALE = 3
"""Seconds until workers are notified again of a job that no worker has taken."""
MOST = 5
"""Maximum number of attempts. After a failure of its own code, a job waits 1, 2, 4, then 8 seconds before the
next attempt. After the last attempt it is set aside.
"""
ALARM = 5
"""Number of consecutive interruptions from which on a job is shown as an alarm."""
LONGEST_PAUSE = 300
"""Maximum seconds that an interrupted job waits. The pause begins at 2 seconds and doubles with each
interruption.
"""
SWEPT = 500
"""Maximum number of jobs in the notifications of one sweep."""
PATIENCE, STEP = 2.0, 0.005
"""Maximum seconds to wait for a job's row that another transaction has locked, and seconds between two
attempts.
"""


class Lease(NamedTuple):
    """A job that this worker has leased.

    Attributes:
        asked: how often the job had been requested when the worker took it.
    """

    id: int
    kind: str
    property: str
    stream: str
    asked: int
    attempts: int
    interruptions: int
    token: str
    progress: list[int]
    """The amount of work done and the total amount. Both are stored when the lease is renewed."""


class LeaseLost(Exception):
    """The lease expired and another worker has the job. This transaction must be rolled back."""


class Later(Exception):
    """The job continues after this many seconds, for example because a receiver did not answer.

    This is neither a failure of the job nor an interruption. The text of the exception is stored with the
    job.
    """

    def __init__(self, seconds: int, text: str) -> None:
        super().__init__(text)
        self.seconds = seconds


def ask(facts: Iterable[tuple[str, str, str]]) -> None:
    """Request the examination of new facts. Call it in the transaction that records them.

    One statement requests all jobs. Workers are notified after the commit, and only of jobs that were not
    already due.

    Args:
        facts: (property, stream, kind) of each fact.
    """
    wanted: set[tuple[str, str, str]] = set()
    for property, stream, kind in set(facts):
        wanted.add((STREAM, property, stream))
        if kind in LEDGER_KINDS:
            wanted.add((LEDGER, property, ""))
    if wanted:
        _ask(wanted)


def ask_for(kind: str, property: str, of: str) -> None:
    """Request a job that is not an examination of new facts. `of` names its subject. Call this function in
    the transaction that causes the job, if there is one.
    """
    _ask({(kind, property, of)})


def ask_for_each(kind: str, subjects: Iterable[tuple[str, str]]) -> None:
    """Request a job of one kind for each (property, stream)."""
    if wanted := {(kind, property, stream) for property, stream in subjects}:
        _ask(wanted)


def _ask(wanted: set[tuple[str, str, str]]) -> None:
    # The order is always the same, so that two transactions never deadlock.
    kinds, properties, streams = zip(*sorted(wanted), strict=True)
    requests = database.prepared_rows(_ASK, [texts(kinds), texts(properties), texts(streams)])
    _ring_on_commit([id for id, rings in requests if rings])


def revive(ids: Sequence[int], by: str) -> int:
    """Make jobs due now if they were set aside, or if they wait, for example after an interruption. Record
    `by` as the person who did it. Return the number of these jobs.
    """
    rows = database.rows(_REVIVE, [list(ids), by])
    _ring_on_commit([row[0] for row in rows])
    return len(rows)


def is_waiting(kind: str, property: str, stream: str) -> bool:
    """Return True if this job is requested and a worker will do it, or if it was set aside and waits for a
    person.

    A job does not count if its lease or pause is longer than this module ever grants, because somebody must
    have changed its row.
    """
    return database.first_row(_WAITING, [kind, property, stream]) is not None


def done_by_hand() -> int:
    """Mark jobs as done if a command has done their work. Return their number.

    A job that was requested again in the meantime stays due.
    """
    examined = database.rows(_EXAMINED)
    for id, version in examined:
        database.rows(_LAY_DOWN, [id, version])
    return len(examined)


def take(id: int) -> Lease | None:
    """Take a lease of this job. Return None if there is nothing to do, or if another worker has it."""
    token = f"{socket.gethostname()} {os.getpid()} {uuid4().hex[:12]}"
    waited = 0.0
    while not (rows := database.rows(_TAKE, [token, LEASE, id])):
        # A transaction that requests the job may have its row locked for a moment, and it sends no
        # notification of its own.
        if waited >= PATIENCE or not database.rows(f"SELECT 1 FROM job WHERE id = %s AND {_FREE}", [id]):
            return None
        sleep(STEP)
        waited += STEP
    kind, property, stream, version, attempts, interruptions = rows[0]
    lease = Lease(id, kind, property, stream, version, attempts, interruptions, token, [0, 0])
    if lease.interruptions >= ALARM:
        _log.error(INTERRUPTED, id, lease.kind, lease.interruptions)
    return lease


@contextmanager
def held(lease: Lease) -> Iterator[None]:
    """Renew the lease of a job while the `with` block works on the job.

    If the block raises an exception, its message is stored and the job becomes due later. After too many
    such failures the job is set aside. Failures because a server cannot be reached do not count.
    """
    over = Event()
    renewing = Thread(target=_renew, args=(lease, over), daemon=True)
    renewing.start()
    try:
        yield
    except LeaseLost:
        pass
    except Later as later:
        over.set()
        values = [later.seconds, storable(str(later)), lease.id, lease.token]
        connection.close_if_unusable_or_obsolete()
        with suppress(DatabaseError):
            database.rows(_POSTPONE, values)
    except Exception as error:
        over.set()
        _store_failure(lease, error)
        raise
    finally:
        over.set()
        renewing.join()


def _store_failure(lease: Lease, error: Exception) -> None:
    """Store why the work on a lease ended. If the database is unreachable, nothing is stored: the lease
    expires, which counts as an interruption.
    """
    connection.close_if_unusable_or_obsolete()
    values = {
        "most": 1 if isinstance(error, Alarm) else MOST,
        "error": storable(str(error) if isinstance(error, Alarm) else f"{type(error).__name__}: {error}"),
        "id": lease.id,
        "token": lease.token,
    }
    with suppress(DatabaseError):
        if is_outage(error):
            database.rows(_INTERRUPT, values)
        elif database.rows(_FAIL, values) == [("set-aside",)] and not isinstance(error, Alarm):
            _log.error(SET_ASIDE, lease.id, lease.kind, MOST, type(error).__name__)


def finish(lease: Lease, cursor: int) -> None:
    """Mark the job of a lease as done, in the caller's transaction.

    A job that was requested again in the meantime becomes due again. Raises LeaseLost if another worker has
    the job.
    """
    rows = database.rows(_FINISH, [lease.asked, cursor, *lease.progress, lease.id, lease.token])
    if not rows:
        raise LeaseLost(f"job {lease.id} ({lease.kind} {lease.stream or lease.property})")
    if rows[0][0] == "due":
        _ring_on_commit([lease.id])


def sweep() -> int:
    """Notify workers of due jobs that no worker has taken, and of jobs whose worker was killed.

    Return the number of jobs. If two sweeps run at the same time, only one of them notifies.
    """
    ids = [row[0] for row in database.rows(_SWEEP, {"stale": STALE, "most": SWEPT})]
    notify_workers(ids)
    return len(ids)


def notify_workers(ids: Sequence[int]) -> None:
    """Notify workers of these jobs. Never raises an exception. If a notification is lost, the next sweep
    repeats it.
    """
    if ids:
        _bell()(ids)


@cache
def _bell() -> Callable[[Sequence[int]], None]:
    bell: Callable[[Sequence[int]], None] = import_string(settings.CATWALK_JOB_NOTIFIER)
    return bell


def _ring_on_commit(ids: list[int]) -> None:
    if ids:
        transaction.on_commit(partial(notify_workers, ids), robust=True)


def _renew(lease: Lease, over: Event) -> None:
    """Renew the lease in a separate thread. The thread opens its own connection only if the work
    takes long.
    """
    try:
        while not over.wait(RENEW):
            database.rows(_RENEW, [LEASE, *lease.progress, lease.id, lease.token])
    except DatabaseError:
        pass  # Nothing to do: the lease expires, or the work itself fails with the same error.
    finally:
        connection.close()


_log = logging.getLogger(__name__)
SET_ASIDE = "Job %d (%s) was set aside after %d failures (%s): see manage.py jobs."
INTERRUPTED = "Job %d (%s) was interrupted %d times before its work was done: see manage.py jobs."
_PAUSE = f"make_interval(secs => least(power(2, least(greatest(interruptions, 0), 30)), {LONGEST_PAUSE}))"
_FREE = f"""(state = 'due' AND due_at <= now() OR state = 'taken' AND (lease_until IS NULL
    OR lease_until + CASE interruptions WHEN 0 THEN '0' ELSE {_PAUSE} END < now()))"""
"""SQL for the jobs that a worker may take. A job in the state `taken` without a lease can be taken too: only
a manual change in the database causes this state, and the job would otherwise wait for ever.
"""
_ASK = """INSERT INTO job (kind, key, property, stream)
    SELECT kind, concat_ws(' ', kind, property, nullif(stream, '')), property, stream
    FROM unnest(%s::text[], %s::text[], %s::text[]) WITH ORDINALITY AS wanted (kind, property, stream, place)
        ORDER BY place
    ON CONFLICT (key) DO UPDATE SET asked = job.asked + 1,
        state = CASE job.state WHEN 'done' THEN 'due' ELSE job.state END,
        due_at = CASE job.state WHEN 'done' THEN now() ELSE job.due_at END,
        rung_at = CASE job.state WHEN 'done' THEN now() ELSE job.rung_at END
    RETURNING id, state = 'due' AND rung_at = now()"""
_EXAMINED = """SELECT j.id, j.asked FROM job j
    LEFT JOIN stream s ON j.kind = 'examine-stream' AND s.property = j.property AND s.name = j.stream
    LEFT JOIN examination x ON x.property = s.property AND x.stream = s.name
    LEFT JOIN head h ON j.kind = 'examine-ledger' AND h.property = j.property
    LEFT JOIN ledger_examination l ON l.property = h.property
    WHERE j.state = 'due' AND (x.cursor >= s.number OR l.cursor >= h.position)"""
_WAITING = f"""SELECT 1 FROM public.job WHERE kind = %s AND property = %s AND stream = %s
    AND state IN ('due', 'taken', 'set-aside')
    AND greatest(due_at, lease_until) <= now() + make_interval(secs => {LEASE + LONGEST_PAUSE}) LIMIT 1"""
_LAY_DOWN = """UPDATE job SET state = 'done', attempts = 0, interruptions = 0
    WHERE id = %s AND asked = %s AND state = 'due' RETURNING id"""
_TAKE = f"""UPDATE job SET state = 'taken', lease = %s,
    interruptions = CASE state WHEN 'taken' THEN interruptions + 1 ELSE interruptions END,
    error = CASE state WHEN 'taken' THEN 'its worker ended before the work was done' ELSE error END,
    lease_until = now() + make_interval(secs => %s),
        renewed_at = now(), done = 0, total = 0
    WHERE id = (SELECT id FROM job WHERE id = %s AND {_FREE} FOR UPDATE SKIP LOCKED)
    RETURNING kind, property, stream, asked, attempts, interruptions"""
_RENEW = """UPDATE job SET lease_until = now() + make_interval(secs => %s), renewed_at = now(), done = %s,
    total = %s
    WHERE id = %s AND lease = %s RETURNING id"""
_FINISH = """UPDATE job SET state = CASE asked WHEN %s THEN 'done' ELSE 'due' END,
    attempts = 0, interruptions = 0, due_at = now(), rung_at = now(),
        lease = '', lease_until = NULL, cursor = %s, done = %s, total = %s, error = ''
    WHERE id = %s AND lease = %s RETURNING state"""
_FAIL = """UPDATE job SET state = CASE WHEN attempts + 1 >= %(most)s THEN 'set-aside' ELSE 'due' END,
        attempts = attempts + 1, interruptions = 0,
        due_at = now() + make_interval(secs => power(2, attempts)), lease = '',
        lease_until = NULL, error = %(error)s
    WHERE id = %(id)s AND lease = %(token)s RETURNING state"""
_INTERRUPT = f"""UPDATE job SET state = 'due', interruptions = interruptions + 1, due_at = now() + {_PAUSE},
        lease = '', lease_until = NULL, error = %(error)s
    WHERE id = %(id)s AND lease = %(token)s RETURNING state"""
_POSTPONE = """UPDATE job SET state = 'due', attempts = 0, interruptions = 0,
        due_at = now() + make_interval(secs => %s), lease = '', lease_until = NULL, error = %s
    WHERE id = %s AND lease = %s RETURNING id"""
_REVIVE = """WITH before AS (
        SELECT id, error FROM job WHERE id = ANY(%s)
            AND (state = 'set-aside' OR state = 'due' AND (interruptions > 0 OR due_at > now())) FOR UPDATE),
    revived AS (
        UPDATE job SET state = 'due', attempts = 0, interruptions = 0, due_at = now(), rung_at = now()
        FROM before WHERE job.id = before.id
        RETURNING job.id, job.property, job.key, before.error)
    INSERT INTO job_revival (job, property, key, error, by)
        SELECT id, property, key, error, %s FROM revived RETURNING job"""
_SWEEP = f"""UPDATE job SET rung_at = now() WHERE id IN (
        SELECT id FROM job WHERE {_FREE} AND rung_at NOT BETWEEN
            now() - make_interval(secs => %(stale)s) AND now() + make_interval(secs => %(stale)s)
        ORDER BY due_at LIMIT %(most)s FOR UPDATE SKIP LOCKED)
    RETURNING id"""
