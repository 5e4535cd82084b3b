"""Read a streaming replica of the database, and fall back to the primary.

`read` calls a function that reads. If the replica may be used, everything that the function reads comes
from one snapshot of the replica. Otherwise, or if the replica fails meanwhile, the function reads the
primary. What the function writes always goes to the primary.

The replica is used only if it is at most CATWALK_REPLICA_LAG_SECONDS behind the primary, and has replayed
what the person wrote last. Positions in the WAL (LSN) and times of commits both come from the primary, so
clocks of two machines are never compared.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections, transaction

from audit import database
from audit.queries import heads
from audit.queries.cache import cached_rows
from audit.queries.heads import Head
from casino.runtime.database_watch import replica_watch

ALIAS = "replica"
PATIENCE = 0.1
"""Seconds for which a page waits until the replica has replayed what is needed."""
JOB_PATIENCE = 2.0
"""Seconds for which a command or a job waits until the replica has replayed everything."""
STEP = 0.005
RETRY = 5.0
"""Seconds for which the replica is not tried again after it did not answer."""
AWAY, TOO_OLD, OWN_WRITE = "away", "too-old", "own-write"
NOT_A_REPLICA, OTHER_CLUSTER, FAILED, NEEDS_PRIMARY = (
    "not-a-replica",
    "other-cluster",
    "failed",
    "needs-primary",
)
USED = ""
"""Reasons for which the primary is read. They are the label `reason` of the metrics. USED: the replica is
read.
"""

R = TypeVar("R")
Count = Callable[[str], None]
"""A function that is called with the reason for which the primary was read, or with USED."""


class State(NamedTuple):
    """The state of the replica for one person at one moment.

    Attributes:
        reason: why the replica must not be read, or USED.
        lag: how far the replica is behind the primary, in seconds, or None if this is not known.
    """

    reason: str
    lag: float | None


class ReplicaHead(NamedTuple):
    """The head of a property's ledger in the snapshot of the replica, and how far the replica was behind the
    primary, in seconds.
    """

    head: Head
    lag: float


class _Answer(NamedTuple):
    """What the replica answers about itself, in this order: if it is a replica; the id of its cluster; if it
    has replayed the newest position, and the position that the reader needs; and the time at which its last
    transaction was committed, in seconds.
    """

    is_replica: bool
    cluster: int
    is_newest: bool
    has_needed: bool
    committed_at: float | None


_state: ContextVar[State | None] = ContextVar("state of the replica", default=None)
_retry_at, _is_behind = 0.0, False
_log = logging.getLogger("casino.replica")


def is_configured() -> bool:
    """Return True if the installation has a replica."""
    return ALIAS in connections.settings


def read(
    function: Callable[[], R], person: str = "", *, is_current: bool = False, count: Count | None = None
) -> R:
    """Call a function that reads from the replica, or from the primary if the replica cannot be used. Return
    its result.

    The function may be called twice: if the replica fails during the first call, the second call reads the
    primary.

    Args:
        function: The function. Apart from the viewing log and caches, it writes nothing.
        person: The staff ID of the reader, whose own changes must be included.
        is_current: True if everything must be included that the primary has now.
        count: Called with USED, or with the reason why the primary was read.
    """
    if not is_configured() or not database.reads_primary():
        return function()
    status = state(person, is_current=is_current)
    reason = status.reason
    if reason == USED:
        try:
            with _snapshot(status):
                result = function()
        except database.NeedsPrimary:
            reason = NEEDS_PRIMARY
        except (DatabaseError, InterfaceError) as error:
            reason = FAILED
            _log.warning("reading the replica failed", extra={"fields": {"error": type(error).__name__}})
            connections[ALIAS].close()
        else:
            if count is not None:
                count(USED)
            return result
    if count is not None:
        count(reason)
    return function()


def state(person: str = "", *, is_current: bool = False) -> State:
    """Compare the replica with the primary now, and return the state of the replica.

    Args:
        person: The staff ID of the reader, or empty.
        is_current: True if the replica must have replayed everything.
    """
    global _retry_at, _is_behind
    if replica_watch.is_away or time.monotonic() < _retry_at:
        return State(AWAY, None)
    bound = settings.REPLICA_LAG_SECONDS
    primary = database.first_row(_PRIMARY, [person, bound])
    assert primary is not None
    newest, instant, cluster, own = primary
    deadline = time.monotonic() + (JOB_PATIENCE if is_current else PATIENCE)
    while True:
        try:
            answer = _ask(newest, newest if is_current else own)
        except (DatabaseError, InterfaceError):
            _retry_at = time.monotonic() + RETRY
            connections[ALIAS].close()
            return State(AWAY, None)
        result = _judge(answer, instant, cluster)
        # After a quiet hour the first change makes the replica an hour old until it has replayed it. So wait,
        # but not again and again for a replica that is known to be behind.
        waits = result.reason == OWN_WRITE or (result.reason == TOO_OLD and not _is_behind)
        if not waits or time.monotonic() > deadline:
            _is_behind = result.reason == TOO_OLD
            return result
        time.sleep(STEP)


def _judge(answer: _Answer, instant: float, cluster: int) -> State:
    if not answer.is_replica:
        return State(NOT_A_REPLICA, None)
    if answer.cluster != cluster:
        return State(OTHER_CLUSTER, None)
    lag = 0.0 if answer.is_newest else max(instant - (answer.committed_at or -math.inf), 0.0)
    if not answer.has_needed:
        return State(OWN_WRITE, lag)
    return State(USED if lag <= settings.REPLICA_LAG_SECONDS else TOO_OLD, lag)


def _ask(newest: str, needed: str | None) -> _Answer:
    with connections[ALIAS].cursor() as cursor:
        cursor.execute(_REPLICA, [newest, needed])
        return _Answer(*cursor.fetchone())


@contextmanager
def _snapshot(status: State) -> Iterator[None]:
    """Read from one snapshot of the replica inside the `with` block."""
    token = _state.set(status)
    try:
        with transaction.atomic(using=ALIAS):
            with connections[ALIAS].cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            with database.reading_from(ALIAS), cached_rows.remembered_writes():
                yield
    finally:
        _state.reset(token)


def head_read(property: str) -> ReplicaHead | None:
    """Return the head of a property's ledger in the snapshot of the replica that is being read. Return None
    if the primary is read.
    """
    status = _state.get()
    if status is None or database.reads_primary():
        return None
    return ReplicaHead(heads.head(property), status.lag or 0.0)


def record_write(person: str) -> None:
    """Record that a person has just changed something. Until the replica has replayed it, this person reads
    the primary.
    """
    database.execute(_RECORD, [person])


def describe() -> dict[str, Any]:
    """Return the state of the replica as JSON for `/readyz`."""
    status = state()
    lag = None if status.lag is None or math.isinf(status.lag) else round(status.lag, 3)
    return {"read": status.reason == USED, "reason": status.reason, "lag_seconds": lag}


_PRIMARY = """SELECT pg_current_wal_flush_lsn()::text, extract(epoch FROM clock_timestamp())::float8,
    (SELECT system_identifier FROM pg_control_system()),
    (SELECT lsn::text FROM person_write WHERE person = %s AND at > now() - make_interval(secs => %s))"""
"""An own change that is older than the permitted lag needs no comparison: the lag covers it."""
_REPLICA = """SELECT pg_is_in_recovery(), (SELECT system_identifier FROM pg_control_system()),
    coalesce(pg_last_wal_replay_lsn() >= %s::pg_lsn, false),
    coalesce(pg_last_wal_replay_lsn(), '0/0') >= coalesce(%s::pg_lsn, '0/0'),
    extract(epoch FROM pg_last_xact_replay_timestamp())::float8"""
_RECORD = """INSERT INTO person_write (person, lsn, at) VALUES (%s, pg_current_wal_insert_lsn(), now())
    ON CONFLICT (person) DO UPDATE SET lsn = excluded.lsn, at = excluded.at"""
