"""Check that each part of the installation is ready: database, migrations, broker, worker, beat."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils.module_loading import import_string

from casino.runtime import auto_migrate, embedded
from casino.runtime.embedded import Trouble
from casino.runtime.operations import heartbeats

PARTS = ("database", "migrations", "broker", heartbeats.WORKER, heartbeats.BEAT)
STALE = 30
"""Seconds without a heartbeat after which a process counts as missing."""
PATIENCE = 2
"""Seconds that database and broker may take to answer."""
KEPT = 1.0
"""Seconds for which a result is reused, so that a client in a loop causes one check per second."""
UNKNOWN = "not known without the database"
_looking = threading.Lock()
_last: tuple[float, dict[str, str]] = (float("-inf"), {})


def state() -> dict[str, str]:
    """Return {part that is not ready: reason}. The result may be a second old."""
    global _last
    if not _looking.acquire(timeout=2 * PATIENCE):  # if a check hangs, other requests should not wait for it
        return {"database": "does not answer in time"} | dict.fromkeys(PARTS[3:], UNKNOWN)
    try:
        if time.monotonic() - _last[0] >= KEPT:
            found = look()
            _last = time.monotonic(), found
        return _last[1]
    finally:
        _looking.release()


def look() -> dict[str, str]:
    """Check all parts now and return {part that is not ready: reason}."""
    found = {}
    for part, says in (("database", _database), ("migrations", _migrations), ("broker", _broker)):
        if why := _asked(says):
            found[part] = why
    if {"database", "migrations"} & {*found}:
        return found | dict.fromkeys(PARTS[3:], UNKNOWN)
    return found | _signs()


def _asked(says: Callable[[], str]) -> str:
    try:
        return says()
    except (DatabaseError, Trouble):
        return "does not answer"


def _database() -> str:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL statement_timeout = {PATIENCE * 1000}")
        cursor.execute("SELECT 1")
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
    """Return why the broker is not ready, or an empty text, without starting it."""
    if settings.EMBEDDED_BROKER:
        return "" if embedded.broker_answers(settings.CATWALK_DATA) else "does not answer"
    try:
        with import_string(settings.CELERY_APP).connection_for_write(connect_timeout=PATIENCE) as asked:
            asked.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=PATIENCE)
            asked.channel()
    except Exception:  # any error means that the broker is not ready
        return "does not answer"
    return ""


def _signs() -> dict[str, str]:
    seen = heartbeats.last_seen()
    found = {
        process: f"last sign {seen[process]:.0f} s ago"
        for process in PARTS[3:]
        if seen.get(process, 0) > STALE
    }
    return found | dict.fromkeys((process for process in PARTS[3:] if process not in seen), "no sign yet")
