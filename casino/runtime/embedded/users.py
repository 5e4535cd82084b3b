"""Which processes use the embedded installation: each holds a shared lock on one file, and the last process
to exit stops the server.

The lock is the kernel's (`flock`), so a killed process releases it. A forked child holds a lock of its own.
"""

import atexit
import contextlib
import fcntl
import os
import sys
from collections.abc import Callable
from pathlib import Path

_inside: "set[Users]" = set()


class Users:
    """This process as a user of one embedded installation until `leave`. The last process to leave calls
    `when_last`, alone.
    """

    def __init__(self, file: Path, when_last: Callable[[], None]) -> None:
        """Wait while another process is just stopping the servers."""
        self.file = file
        self.when_last = when_last
        self._lock = self._hold()
        self._for_child = -1
        _inside.add(self)

    def _hold(self) -> int:
        lock = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock, fcntl.LOCK_SH)
        return lock

    def leave(self) -> None:
        """Release the lock. If no other process holds it, call `when_last` first; new processes wait
        meanwhile. A second call does nothing.
        """
        if self._lock < 0:
            return
        lock, self._lock = self._lock, -1
        _inside.discard(self)
        try:
            # a shared lock is given up before the exclusive one is asked for, so of two who leave together
            # one is always last
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass
        else:
            self.when_last()
        finally:
            os.close(lock)

    def before_fork(self) -> None:
        """Take the child's lock before the fork, so that the child is never without one."""
        self._for_child = self._hold()

    def after_fork_in_parent(self) -> None:
        """Close the parent's copy of the child's lock."""
        os.close(self._for_child)

    def after_fork_in_child(self) -> None:
        """Keep the child's lock, close the parent's, and leave at the end of a multiprocessing child, which
        runs no atexit.
        """
        os.close(self._lock)
        self._lock = self._for_child
        util = sys.modules.get("multiprocessing.util")
        if util is not None:
            util.register_after_fork(self, lambda users: util.Finalize(None, users.leave, exitpriority=-100))


@atexit.register
def _all_leave() -> None:
    """Leave when the process ends. It is registered when this module is imported, before multiprocessing, so
    that children have been waited for.
    """
    for users in list(_inside):
        users.leave()


def _each(act: Callable[[Users], None]) -> Callable[[], None]:
    def every() -> None:
        for users in list(_inside):
            with contextlib.suppress(OSError):  # an error here must not stop a fork
                act(users)

    return every


os.register_at_fork(
    before=_each(Users.before_fork),
    after_in_parent=_each(Users.after_fork_in_parent),
    after_in_child=_each(Users.after_fork_in_child),
)
