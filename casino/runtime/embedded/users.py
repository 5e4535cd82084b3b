"""Who is in the house: every process holds a shared lock on one file for its life, and the last one out turns
off the light.

The lock is the kernel's (`flock`), so a process that is killed lets go by itself. A child made by fork holds
a lock of its own.
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
    """This process as a user of one house, from now until `leave`; `when_last` is called, alone, by the last
    one to leave.
    """

    def __init__(self, file: Path, when_last: Callable[[], None]) -> None:
        """Waits while another process is just closing the house."""
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
        """Let go; if nobody else is inside, close the house first (who comes meanwhile waits at the door).
        Twice is once.
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
        """Take the child's lock before there is a child: at no moment is it inside without one."""
        self._for_child = self._hold()

    def after_fork_in_parent(self) -> None:
        """The child's lock is the child's alone."""
        os.close(self._for_child)

    def after_fork_in_child(self) -> None:
        """Keep the child's lock, drop the parent's, and leave at the end of a multiprocessing child, which
        runs no atexit.
        """
        os.close(self._lock)
        self._lock = self._for_child
        util = sys.modules.get("multiprocessing.util")
        if util is not None:
            util.register_after_fork(self, lambda users: util.Finalize(None, users.leave, exitpriority=-100))


@atexit.register
def _all_leave() -> None:
    """Registered when this module is imported, before multiprocessing: so children have been waited for when
    we leave.
    """
    for users in list(_inside):
        users.leave()


def _each(act: Callable[[Users], None]) -> Callable[[], None]:
    def every() -> None:
        for users in list(_inside):
            with contextlib.suppress(OSError):  # an error here must not stop somebody's fork
                act(users)

    return every


os.register_at_fork(
    before=_each(Users.before_fork),
    after_in_parent=_each(Users.after_fork_in_parent),
    after_in_child=_each(Users.after_fork_in_child),
)
