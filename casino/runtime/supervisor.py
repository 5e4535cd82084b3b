"""Run web, worker and beat as child processes of one command. They always end with the command, even if one
of them hangs.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from django.conf import settings

GRACE = 8.0  # seconds after SIGTERM before a child is killed
GONE = 2.0  # seconds to wait, on a busy machine, for the killed children of a child to disappear
OFTEN, QUICKLY = (
    5,
    5.0,
)  # a child is not restarted if it ends this many times in a row, each time within this many seconds
LOG_BYTES = 10_000_000
CELERY = ("-m", "celery", "-q", "--skip-checks", "-A", "casino")
WORKER = (*CELERY, "worker", "-c", "2", "--without-gossip", "--without-mingle")
BEAT = (*CELERY, "beat")
GUNICORN = ("-m", "gunicorn", "casino.wsgi", "-c", "python:casino.runtime.operations.web_server")


def web(port: int, host: str = "127.0.0.1") -> tuple[str, ...]:
    """Return the command that starts a web server at this host and port."""
    return (*GUNICORN, "--bind", f"{host}:{port}", "--graceful-timeout", "5")


_LINUX = ctypes.CDLL(None) if sys.platform == "linux" else None
_PARENT_DEATH = 1  # PR_SET_PDEATHSIG


def _end_with_parent() -> None:
    """Ask the kernel (Linux) to terminate this child process if the command that started it is killed."""
    if _LINUX is not None:
        _LINUX.prctl(_PARENT_DEATH, signal.SIGTERM)


class Ended(Exception):
    """A child process has ended repeatedly and is not restarted. The text is one sentence."""


class Child:
    """A child process and its own children. They form a separate process group, so that Ctrl-C reaches only
    the command.
    """

    def __init__(self, name: str, command: tuple[str, ...], env: dict[str, str] | None = None) -> None:
        self.name, self.command, self.env = name, command, env or {}
        self.log = settings.CATWALK_DATA / f"{name}.log"
        self.quick_ends = 0
        self.process = self._start()

    def _start(self) -> "subprocess.Popen[Any]":
        self.began = time.monotonic()
        if self.log.exists() and self.log.stat().st_size > LOG_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        with open(os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as log:
            return subprocess.Popen(
                [sys.executable, *self.command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=settings.BASE_DIR,
                env={"CATWALK_LOG_LEVEL": "warning"}
                | os.environ
                | {"CATWALK_DATA": str(settings.CATWALK_DATA), "DJANGO_SETTINGS_MODULE": "casino.settings"}
                | self.env,
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )

    def again_if_ended(self) -> bool:
        """Restart the process if it has ended. Return True if it was restarted. Raise Ended if it has ended
        soon after its start several times in a row.
        """
        if self.process.poll() is None:
            return False
        self.end()
        self.quick_ends = self.quick_ends + 1 if time.monotonic() - self.began < QUICKLY else 0
        if self.quick_ends == OFTEN:
            raise Ended(
                f"The {self.name} keeps exiting (exit code {self.process.returncode}): see {self.log}."
            )
        self.process = self._start()
        return True

    def ask(self) -> None:
        """Send SIGTERM to the process."""
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()

    def end(self) -> None:
        """Send SIGKILL to the process and its children, and wait until they have released the embedded
        servers.
        """
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            deadline = time.monotonic() + GONE
            while (
                time.monotonic() < deadline
            ):  # in a container without an init process, zombies stay in the process list
                os.killpg(self.process.pid, 0)
                time.sleep(0.02)
        self.process.wait()


class Running:
    """All children of a command. Leaving the context stops them."""

    def __init__(self) -> None:
        self.children: list[Child] = []

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self, name: str, command: tuple[str, ...], env: dict[str, str] | None = None) -> Child:
        """Start a child process and return it. Its output goes to NAME.log in CATWALK_DATA."""
        Path(settings.CATWALK_DATA).mkdir(mode=0o700, parents=True, exist_ok=True)
        self.children.append(Child(name, command, env))
        return self.children[-1]

    def watch(self) -> list[str]:
        """Restart the children that have ended and return their names. Raise Ended if a child
        has ended soon after its start several times in a row."""
        return [child.name for child in self.children if child.again_if_ended()]

    def stop(self) -> None:
        """Send SIGTERM to every child, wait, then send SIGKILL to those that have not ended. The command
        ignores signals while it stops them.
        """
        before = {
            number: signal.signal(number, signal.SIG_IGN)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        }
        try:
            for child in self.children:
                child.ask()
            deadline = time.monotonic() + GRACE
            while time.monotonic() < deadline and any(
                child.process.poll() is None for child in self.children
            ):
                time.sleep(0.02)
            for child in self.children:
                child.end()
            self.children.clear()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
