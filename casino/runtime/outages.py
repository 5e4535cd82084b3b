"""Determine which outage caused an exception, and when to try again."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from typing import NamedTuple

import psycopg
from django.db import DatabaseError, InterfaceError

from audit.jobs.outages import is_outage
from casino.runtime.embedded import Trouble

DISK_FULL, READ_ONLY = "53100", "25006"
"""The SQLSTATEs of a full disk and of a server that accepts no changes."""


class Outage(NamedTuple):
    """An outage: its code in the API, a sentence that says what is wrong, and the seconds until the next
    attempt.
    """

    code: str
    says: str
    seconds: int


DATABASE_AWAY = Outage(
    "no-ledger", "The database does not answer, so it is not known if anything was recorded.", 5
)
DATABASE_FULL = Outage("disk-full", "The disk of the database is full. Nothing was recorded.", 30)
DATABASE_READ_ONLY = Outage("read-only", "The database accepts no changes. Nothing was recorded.", 30)
FILES_FULL = Outage("disk-full", "The disk for temporary files is full. Nothing was recorded.", 30)


def outage_of(error: BaseException | None) -> Outage | None:
    """Return the outage that caused an exception, or None if it has another cause."""
    for cause in _chain(error):
        state = getattr(cause, "sqlstate", None) or getattr(cause.__cause__, "sqlstate", None)
        if isinstance(cause, DatabaseError | psycopg.DatabaseError) and state in (DISK_FULL, READ_ONLY):
            return DATABASE_FULL if state == DISK_FULL else DATABASE_READ_ONLY
        if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT):
            return FILES_FULL
        is_database = isinstance(cause, DatabaseError | InterfaceError)
        if isinstance(cause, Trouble | psycopg.OperationalError | psycopg.InterfaceError) or (
            is_database and is_outage(cause)
        ):
            return DATABASE_AWAY
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception, and the exceptions that caused it or were being handled when it was raised."""
    for _ in range(10):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
