"""Check that each part of the installation is ready: database, migrations, files, broker, worker, beat.

The database is ready if it can write: a row is updated and committed, and a temporary file of `SPILLED` bytes
is written to its disk. Files are ready if this process can write a temporary file.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.db import DatabaseError, ProgrammingError, connection, transaction
from django.utils.module_loading import import_string

from casino.runtime import auto_migrate, embedded
from casino.runtime.database_watch import watch
from casino.runtime.embedded import Trouble
from casino.runtime.operations import heartbeats
from casino.runtime.outages import DATABASE_FULL, DATABASE_READ_ONLY, FILES_FULL, outage_of

PARTS = ("database", "migrations", "broker", heartbeats.WORKER, heartbeats.BEAT, "files")
PROCESSES = (heartbeats.WORKER, heartbeats.BEAT)
STALE = 30
"""Seconds without a heartbeat after which a process counts as missing."""
PATIENCE = 2
"""Seconds that database and broker may take to answer."""
KEPT = 1.0
"""Seconds for which a result is reused. A client that asks all the time thus causes only one check per
second.
"""
NO_ANSWER = "does not answer"
SHORT = {DATABASE_FULL: "disk full", DATABASE_READ_ONLY: "read only", FILES_FULL: "disk full"}
SPILLED = 2_000_000
"""Size in bytes of the temporary file that the database must be able to write. A smaller write could succeed
although the disk is full.
"""
FILE_BYTES = 1 << 20
UNKNOWN = "not known without the database"
_looking = threading.Lock()
_last: tuple[float, dict[str, str]] = (float("-inf"), {})


def state() -> dict[str, str]:
    """Return {part that is not ready: reason}. The result may be up to a second old."""
    global _last
    if watch.is_away:
        return {"database": NO_ANSWER} | dict.fromkeys(("migrations", *PROCESSES), UNKNOWN)
    if not _looking.acquire(blocking=False):  # another request is doing the check, and its check may hang
        at, known = _last
        if time.monotonic() - at < KEPT + 2 * PATIENCE:
            return known
        if not _looking.acquire(timeout=PATIENCE):
            return {"database": "does not answer in time"} | dict.fromkeys(PROCESSES, UNKNOWN)
    try:
        if time.monotonic() - _last[0] >= KEPT:
            reasons = look()
            _last = time.monotonic(), reasons
        return _last[1]
    finally:
        _looking.release()


def look() -> dict[str, str]:
    """Check all parts now and return {part that is not ready: reason}."""
    reasons = {}
    checks = (("database", _database), ("migrations", _migrations), ("broker", _broker), ("files", _files))
    for part, says in checks:
        if reason := _asked(says):
            reasons[part] = reason
    if {"database", "migrations"} & {*reasons}:
        return reasons | dict.fromkeys(PROCESSES, UNKNOWN)
    return reasons | _signs()


def _asked(says: Callable[[], str]) -> str:
    try:
        return says()
    except (DatabaseError, Trouble, OSError) as error:
        outage = outage_of(error)
        return SHORT.get(outage, NO_ANSWER) if outage else NO_ANSWER


def _database() -> str:
    """Return an empty text if the database can write. If it cannot, raise the error that the database gives.

    Missing tables are not an error here, because `_migrations` reports them.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {PATIENCE * 1000}")
            cursor.execute("SET LOCAL work_mem = 64")  # KiB: more is sorted in a temporary file
            cursor.execute(_SPILL, [SPILLED // 1000])
            heartbeats.beat(heartbeats.WEB)
    except ProgrammingError:
        return ""
    return ""


_SPILL = """SELECT count(*) FROM (
    SELECT repeat('x', 1000) || n FROM generate_series(1, %s) n ORDER BY 1 OFFSET 0) sorted"""


def _files() -> str:
    """Return an empty text if this process can write a temporary file. If it cannot, raise the error of the
    operating system.
    """
    with tempfile.TemporaryFile(buffering=0) as file:
        os.posix_fallocate(file.fileno(), 0, FILE_BYTES)
    return ""


def _migrations() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('django_migrations') IS NOT NULL")
        if cursor.fetchone() != (True,):
            return "none applied"
        cursor.execute("SELECT app, name FROM django_migrations")
        missing = len(_on_disk() - set(cursor.fetchall()))
    return f"{missing} not applied" if missing else ""


@cache
def _on_disk() -> frozenset[tuple[str, str]]:
    return frozenset(auto_migrate.on_disk())


def _broker() -> str:
    """Return the reason why the broker is not ready, or an empty text if it is. The broker is not started."""
    if settings.EMBEDDED_BROKER:
        return "" if embedded.broker_answers(settings.CATWALK_DATA) else NO_ANSWER
    try:
        with import_string(settings.CELERY_APP).connection_for_write(connect_timeout=PATIENCE) as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=PATIENCE)
            connection.channel()
    except Exception:  # any error means that the broker is not ready
        return NO_ANSWER
    return ""


def _signs() -> dict[str, str]:
    ages = heartbeats.last_seen()
    reasons = {
        process: f"last heartbeat {ages[process]:.0f} s ago"
        for process in PROCESSES
        if ages.get(process, 0) > STALE
    }
    return reasons | dict.fromkeys(
        (process for process in PROCESSES if process not in ages), "no heartbeat yet"
    )
