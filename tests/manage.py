"""Run `manage.py` in a process of its own, with a data folder and an embedded server for the test."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from casino.runtime.embedded.folders import House as Folders
from casino.runtime.embedded.server import stop

PROJECT = Path(__file__).resolve().parent.parent
SHARED = "CATWALK_TEST_DATA"
"""The environment variable in which the first process of a test run passes the name of its folder to the
workers of pytest-xdist.
"""


def free_port() -> int:
    """Return a port on which no process listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class Manage:
    """Runs `manage.py` as a person would, in another process, with its own data folder and its own embedded
    server. `env` can name another database.
    """

    def __init__(self, data: Path) -> None:
        self.data = data
        self._started: list[subprocess.Popen[str]] = []

    def start(
        self, *args: str, env: dict[str, str] | None = None, data: Path | None = None
    ) -> subprocess.Popen[str]:
        """Start a command and return its process. Its stdin, stdout and stderr are pipes of text."""
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("DATABASE_", "CATWALK_", "PYTEST", "DJANGO_"))
        }
        self._started.append(
            subprocess.Popen(
                [sys.executable, str(PROJECT / "manage.py"), *args],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=PROJECT,
                env={
                    **clean,
                    "PYTHONWARNINGS": "default",
                    "CATWALK_DATA": str(data or self.data),
                    **(env or {}),
                },
            )
        )
        return self._started[-1]

    def __call__(
        self, *args: str, stdin: str = "", env: dict[str, str] | None = None, data: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end and return its `returncode`, `stdout` and `stderr`."""
        command = self.start(*args, env=env, data=data)
        out, err = command.communicate(stdin, timeout=300)
        return subprocess.CompletedProcess(args, command.returncode, out, err)

    def close(self) -> None:
        for command in self._started:
            if command.poll() is None:
                command.send_signal(signal.SIGKILL)
            command.communicate()
        for data in {self.data, *self.data.parent.glob("*/postgres")}:
            folders = Folders(data.parent if data.name == "postgres" else data)
            if folders.closed.is_dir():
                stop(folders)


def after(manage: Manage, *command: str) -> Manage:
    """Return `manage` with a data folder in which this command was run before. The first test of a run that
    needs it runs the command. The others get copies of the whole folder, made after the server was stopped
    properly.
    """
    shared = Path(os.environ[SHARED])
    stored = shared / "-".join(("after", *command))
    with open(shared / "after.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stored.exists():
            half = Manage(shared / "half" / "house")
            half.data.parent.mkdir()
            process = half(*command)
            assert (process.returncode, process.stderr) == (0, "")
            half.close()
            half.data.rename(stored)
            half.data.parent.rmdir()
    subprocess.run(["cp", "-a", stored, manage.data], check=True)
    return manage
