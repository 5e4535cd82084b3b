"""Count the processes that use the embedded servers. Each process holds a shared lock on one file. The last
process to leave stops the servers.

If a process is killed, the kernel releases its lock (`flock`). A forked child holds its own lock.
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
    """The use of one embedded installation by this process, until `leave` is called.

    The last process to leave calls `when_last`, which stops the servers. No other process can join during
    that call.
    """

    def __init__(self, file: Path, when_last: Callable[[], None]) -> None:
        """Take the shared lock, after waiting for any process that is stopping the servers."""
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
        """Release this process's lock. If no other process holds the lock, call `when_last` first. A process
        that wants to join meanwhile waits until `when_last` has returned.

        A second call of `leave` does nothing.
        """
        if self._lock < 0:
            return
        lock, self._lock = self._lock, -1
        _inside.discard(self)
        try:
            # the shared lock is released before the exclusive one is requested, so of two processes that
            # leave at the same time one is always last
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass
        else:
            self.when_last()
        finally:
            os.close(lock)

    def before_fork(self) -> None:
        """Take a lock for the child before the fork, so that the child is never without a lock."""
        self._for_child = self._hold()

    def after_fork_in_parent(self) -> None:
        """Close the parent's copy of the child's lock."""
        os.close(self._for_child)

    def after_fork_in_child(self) -> None:
        """Use the lock that was taken for the child, and close the parent's lock.

        A multiprocessing child does not run atexit handlers, so it is set up to call `leave` when it ends.
        """
        os.close(self._lock)
        self._lock = self._for_child
        util = sys.modules.get("multiprocessing.util")
        if util is not None:
            util.register_after_fork(self, lambda users: util.Finalize(None, users.leave, exitpriority=-100))


@atexit.register
def _all_leave() -> None:
    """Leave all installations at the end of the process.

    This function is registered before multiprocessing's own exit handler. It therefore runs after that
    handler has waited for the children.
    """
    for users in list(_inside):
        users.leave()


def _each(act: Callable[[Users], None]) -> Callable[[], None]:
    def every() -> None:
        for users in list(_inside):
            with contextlib.suppress(OSError):  # an error must not prevent the fork
                act(users)

    return every


os.register_at_fork(
    before=_each(Users.before_fork),
    after_in_parent=_each(Users.after_fork_in_parent),
    after_in_child=_each(Users.after_fork_in_child),
)
