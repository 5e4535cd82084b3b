"""Distinguish failures of the infrastructure from failures of a job's own code.

After an outage a job waits and continues, however often this happens. Only failures of its own code count as
attempts.
"""

from __future__ import annotations

import errno

from django.db import InterfaceError, OperationalError

SQLSTATES = ("08", "53", "57", "58", "40", "55", "25")
"""Classes of SQLSTATE for errors that the statement did not cause: connection, resources (disk full, out of
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
"""Operating system errors that concern the machine: its disk, memory or open files."""


def is_outage(error: BaseException) -> bool:
    """Return True if the infrastructure caused an exception, for example the database, the disk, the memory
    or a connection.
    """
    if isinstance(error, InterfaceError | MemoryError | ConnectionError | TimeoutError):
        return True
    if isinstance(error, OperationalError):
        state = getattr(error.__cause__, "sqlstate", None)
        return state is None or state[:2] in SQLSTATES
    return isinstance(error, OSError) and error.errno in ERRNOS
