"""Tell failures of the infrastructure from failures of a job's own code.

A job that meets an outage waits and goes on, however often. Only failures of its own code count as attempts.
"""

from __future__ import annotations

import errno

from django.db import InterfaceError, OperationalError

SQLSTATES = ("08", "53", "57", "58", "40", "55", "25")
"""Classes of SQLSTATE that are not the fault of the statement: connection, resources (disk full, out of
memory, too many connections), shutdown or cancellation, system error, deadlock, lock, read-only server.
"""
ERRNOS = frozenset(
    {
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EIO,
        errno.EROFS,
        errno.ENOMEM,
        errno.EMFILE,
        errno.ENFILE,
        errno.EAGAIN,
    }
)
"""Errors of the operating system that concern the machine: its disk, its memory, its open files."""


def is_outage(error: BaseException) -> bool:
    """Return True if the infrastructure caused an exception: the database, the disk, the memory, a
    connection.
    """
    if isinstance(error, InterfaceError | MemoryError | ConnectionError | TimeoutError):
        return True
    if isinstance(error, OperationalError):
        state = getattr(error.__cause__, "sqlstate", None)
        return state is None or state[:2] in SQLSTATES
    return isinstance(error, OSError) and error.errno in ERRNOS
