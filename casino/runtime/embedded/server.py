"""The embedded Postgres server: create its cluster, start it, check that it is running, and stop it."""

import contextlib
import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from psycopg.pq import PGconn, Ping

from casino.runtime.embedded.binaries import Binaries, as_account, find
from casino.runtime.embedded.folders import House, give_to_account, make_own_folder, passage
from casino.runtime.embedded.trouble import Trouble, explained, of_folder

# Tuned for two cores and a laptop's memory. fsync and synchronous_commit stay on: facts must be durable.
SETTINGS = {
    "listen_addresses": "",
    "port": str(House.PORT),
    "unix_socket_permissions": "0700",
    "shared_buffers": "192MB",
    "work_mem": "16MB",
    "maintenance_work_mem": "64MB",
    "max_connections": "100",
    "max_wal_size": "2GB",
    "checkpoint_timeout": "15min",
    "wal_level": "minimal",  # no replication; a template is copied without writing it to the WAL
    "max_wal_senders": "0",
    "fsync": "on",
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "log_min_messages": "warning",
    # log errors without row and statement, which may contain names
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
}
# `trust` because only this user and the server can enter the folder of the socket (folders.py); the built-in
# C.UTF-8 sorts in the same order on every system
LOCALE = ("-E", "UTF8", "--locale-provider=builtin", "--locale=C", "--builtin-locale=C.UTF-8")
INITDB = ("-U", "postgres", "-A", "trust", *LOCALE, "--data-checksums", "--no-instructions")
ROLES = f"""
create role {House.OWNER_ROLE} login;

create role {House.APP_ROLE} login;

create database {House.DATABASE} owner {House.OWNER_ROLE};

revoke all on database {House.DATABASE} from public;

grant connect on database {House.DATABASE} to {House.APP_ROLE};

"""
NO_PROCESS = 2**22 + 1  # greater than any process ID
STEP, PATIENCE = 0.005, 20.0  # seconds between two checks; seconds to wait for a start or a stop
LOG_BYTES = 10_000_000


def ensure_running(house: House) -> None:
    """Start the server if it does not answer. Create its cluster first if it does not exist.
    Raise Trouble.
    """
    if _answers(house):
        return
    with _alone(house):
        if _answers(house) or _waited_for(house):
            return
        account = house.account()
        binaries = find(account)
        try:
            if not house.cluster.exists():
                _make_cluster(house, binaries, account)
            _same_version(house, binaries)
            _forget_stale(house)
            _start(house, binaries, account)
        except OSError as error:
            raise of_folder(error, house.data) from error


def stop(house: House) -> None:
    """Stop the server gracefully and wait until it has ended. Do nothing if none runs."""
    with _alone(house):
        pid = _postmaster(house)
        if pid is None:
            return
        os.kill(pid, signal.SIGINT)  # fast shutdown of Postgres: no new work, checkpoint, end
        while _postmaster(house) == pid:
            _reap(pid)
            time.sleep(STEP)
        if house.socket_folder != house.cluster:
            with contextlib.suppress(OSError):
                house.socket_folder.rmdir()
                house.socket_folder.parent.rmdir()


@contextmanager
def _alone(house: House) -> Iterator[None]:
    """Hold a lock inside the `with` block, so that no other process creates, starts or stops the server
    meanwhile. If this process is killed, the lock is released.
    """
    with open(house.closed / "start.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _answers(house: House) -> bool:
    return _ping(house) == Ping.OK


def _ping(house: House) -> Ping:
    return Ping(
        PGconn.ping(
            f"host='{house.socket_folder}' port={house.PORT} user={house.APP_ROLE}"
            f" dbname={house.DATABASE}".encode()
        )
    )


def _postmaster(house: House) -> int | None:
    """Return the process ID of this cluster's server, or None if it is not running.

    The recorded ID may belong to another process by now, so the working directory of the process must be the
    cluster. Dead processes and zombies have no working directory.
    """
    try:
        pid = int((house.cluster / "postmaster.pid").read_text().split("\n", 1)[0])
        return pid if _works_in(pid, house.cluster) else None
    except (OSError, ValueError):
        return None


def _works_in(pid: int, cluster: Path) -> bool:
    if os.path.isdir("/proc/self"):
        return os.path.samefile(f"/proc/{pid}/cwd", cluster)
    named = subprocess.run(["ps", "-o", "comm=", "-p", str(pid)], capture_output=True, text=True)
    return "postgres" in named.stdout and "<defunct>" not in named.stdout


def _waited_for(house: House) -> bool:
    """Wait for a server that another process started before that process was killed. Return True if the
    server answers, and False if it has ended.
    """
    deadline = time.monotonic() + PATIENCE
    while pid := _postmaster(house):
        _reap(pid)
        match _ping(house):
            case Ping.OK:
                return True
            case Ping.REJECT:  # it recovers after a kill, however long that takes
                deadline = time.monotonic() + PATIENCE
        if time.monotonic() > deadline:
            raise Trouble(
                f"The server of {house.data} (process {pid}) runs but does not answer: end it with `kill -INT"
                f" {pid}`, then run again."
            )
        time.sleep(STEP)
    return False


def _reap(pid: int) -> None:
    """Wait for the process if it is a child of this process, so that no zombie remains."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def _make_cluster(house: House, binaries: Binaries, account: pwd.struct_passwd | None) -> None:
    """Create the cluster with its roles and database in a temporary folder, and move the folder when it is
    complete. If the process is killed meanwhile, no incomplete cluster remains.
    """
    half = house.closed / "half"
    shutil.rmtree(half, ignore_errors=True)
    give_to_account(half, account)
    try:
        with passage(half, account) as (path, doors):
            _run(house, [binaries.folder / "initdb", "-D", path, *INITDB], "", account, doors)
            _run(
                house,
                [binaries.folder / "postgres", "--single", "-j", "-D", path, "postgres"],
                ROLES,
                account,
                doors,
            )
        half.rename(house.cluster)
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _run(
    house: House,
    command: list[Path | str],
    lines: str,
    account: pwd.struct_passwd | None,
    doors: tuple[int, ...],
) -> None:
    ran = subprocess.run(
        command, input=lines, capture_output=True, text=True, pass_fds=doors, **as_account(account)
    )
    if ran.returncode != 0 or "ERROR:" in ran.stderr:
        raise explained(ran.stdout + ran.stderr, house.data, None)


def _same_version(house: House, binaries: Binaries) -> None:
    made_by = (house.cluster / "PG_VERSION").read_text().strip()
    if made_by != binaries.major:
        raise Trouble(
            f"The data in {house.data} was made by Postgres {made_by}, and Catwalk runs {binaries.major}: "
            f"set CATWALK_DATA to another folder, or move the data over with pg_dump of version {made_by}."
        )


def _forget_stale(house: House) -> None:
    """Write another process ID into the file in which a killed server has left its own.

    If another process has got the old ID by now, Postgres would assume that the server is still running. The
    rest of the file is preserved, because it tells Postgres which shared memory to check.
    """
    note = house.cluster / "postmaster.pid"
    for lock in (house.cluster, house.socket_folder):
        (lock / f".s.PGSQL.{house.PORT}.lock").unlink(missing_ok=True)
    if note.exists():
        with open(note, "r+") as file:  # in place, because the owner of the file must not change
            lines = file.read().split("\n")[1:]
            file.seek(0)
            file.write("\n".join([str(NO_PROCESS), *lines]))
            file.truncate()


def _start(house: House, binaries: Binaries, account: pwd.struct_passwd | None) -> None:
    """Start the server in its own session, so that Ctrl-C ends the command and not the server."""
    if house.log.exists() and house.log.stat().st_size > LOG_BYTES:
        house.log.replace(house.log.with_suffix(".log.1"))
    deadline = time.monotonic() + PATIENCE
    with ExitStack() as held, open(house.log, "ab") as log:
        os.chmod(house.log, 0o600)
        path, doors = held.enter_context(passage(house.cluster, account))
        sockets = "."
        if house.socket_folder != house.cluster:
            make_own_folder(house.socket_folder.parent, 0o700)
            give_to_account(house.socket_folder, account)
            sockets, extra_doors = held.enter_context(passage(house.socket_folder, account))
            doors += extra_doors
        options = [
            part
            for name, value in {**SETTINGS, "unix_socket_directories": sockets}.items()
            for part in ("-c", f"{name}={value}")
        ]
        command = [str(binaries.folder / "postgres"), "-D", path, *options]
        while True:
            began = house.log.stat().st_size
            server = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=doors,
                start_new_session=True,
                **as_account(account),
            )
            if _came_up(house, server):
                return
            with open(house.log, errors="replace") as written:
                written.seek(began)
                output = written.read()
            if "shared memory block" not in output or time.monotonic() > deadline:
                raise explained(output, house.data, house.log)
            time.sleep(20 * STEP)  # backends of a killed server end shortly after it


def _came_up(house: House, server: "subprocess.Popen[Any]") -> bool:
    """Wait until the server answers, even if its recovery takes long, and return True. Return False if it
    ends before it answers.
    """
    step = STEP
    while server.poll() is None:
        if _answers(house):
            server.returncode = 0  # the server outlives this process; suppress the ResourceWarning
            return True
        time.sleep(step := min(step * 1.2, 0.25))  # a recovering server logs every ping
    return False
