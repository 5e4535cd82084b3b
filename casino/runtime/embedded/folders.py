"""The folders of the embedded database and broker, and their permissions.

    CATWALK_DATA/            created 0700, owned by the user who starts Catwalk
      secret_key             0600
      users.lock             which processes use it (users.py)
      postgres.log
      postgres/              created 0700: others cannot enter, so the server inside can trust its clients
        start.lock           one process at a time creates, starts or stops the server
        cluster/             the database cluster and its Unix socket, owned by the account of the server

If root starts it, the server runs as an unprivileged account, which may have no access to the folders above.
Catwalk gives that account no rights to those folders. Instead, the server inherits an open descriptor of its
own folder and works through /proc/self/fd, which checks no permissions of the folders above.
"""

import os
import pwd
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from casino.runtime.embedded.trouble import Trouble, of_folder

LONGEST_SOCKET = 103  # bytes that every system accepts (Linux 107, macOS 103)


class House:
    """The folders and names of one embedded installation."""

    DATABASE, OWNER_ROLE, APP_ROLE, PORT = "catwalk", "catwalk_owner", "catwalk_app", 5432

    def __init__(self, data: Path) -> None:
        self.data = Path(os.path.abspath(data))
        self.log = self.data / "postgres.log"
        self.closed = self.data / "postgres"
        self.cluster = self.closed / "cluster"

    @property
    def socket_folder(self) -> Path:
        """Return the folder of the server's socket. This is the folder of the cluster, or a temporary folder
        if the path of the socket would be too long.
        """
        if len(os.fsencode(self.cluster / f".s.PGSQL.{self.PORT}")) <= LONGEST_SOCKET:
            return self.cluster
        return temporary() / f"catwalk-{sha256(os.fsencode(self.data)).hexdigest()[:16]}" / "socket"

    def open(self) -> None:
        """Create missing folders. Existing ones keep their permissions. Raise Trouble."""
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.closed.mkdir(mode=0o700, exist_ok=True)
            if not os.access(self.closed, os.W_OK | os.X_OK):
                raise PermissionError(13, "Catwalk may not write into it")
        except OSError as error:
            raise of_folder(error, self.data) from error

    def account(self) -> pwd.struct_passwd | None:
        """Return the account under which the server must run, or None for the current user.

        Root uses the account that owns the cluster. If there is no cluster, or root owns it, root uses
        `postgres`, or `nobody` if `postgres` does not exist.
        """
        if os.geteuid() != 0:
            return None
        if self.cluster.exists() and (made_by := self.cluster.stat().st_uid) != 0:
            return pwd.getpwuid(made_by)
        for name in ("postgres", "nobody"):
            try:
                return pwd.getpwnam(name)
            except KeyError:
                continue
        raise Trouble(
            "Root may not run Postgres and there is no account `postgres` or `nobody`: run the command as"
            " another user."
        )


def give_to_account(folder: Path, account: pwd.struct_passwd | None) -> None:
    """Create `folder` (0700) if it does not exist, and make `account` its owner."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if account is not None and folder.stat().st_uid != account.pw_uid:
        os.chown(folder, account.pw_uid, account.pw_gid)


@contextmanager
def passage(folder: Path, account: pwd.struct_passwd | None) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield a path by which a process of `account` can open `folder`, and the file descriptors that the
    process must inherit.
    """
    if account is None or not os.path.isdir("/proc/self/fd"):
        yield str(folder), ()
        return
    door = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{door}", (door,)
    finally:
        os.close(door)


def make_own_folder(folder: Path, mode: int) -> None:
    """Create `folder` in a folder in which other users can write too, such as /tmp. If it exists already,
    check that it belongs to this user and that its permissions do not exceed `mode`. Raise Trouble if they
    do.
    """
    try:
        folder.mkdir(mode=mode, exist_ok=True)
        status = folder.lstat()
    except OSError as error:
        raise of_folder(error, folder) from error
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o777 & ~mode:
        raise Trouble(
            f"The folder {folder} is not private to this account, so it is not used: find out who made it,"
            " and remove it."
        )


def temporary() -> Path:
    """Return a temporary folder. If possible, it is the same for all processes, even if their
    TMPDIR differ.
    """
    return Path("/tmp") if os.access("/tmp", os.W_OK) else Path(tempfile.gettempdir())
