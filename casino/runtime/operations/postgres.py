"""The programs of Postgres that save a house and put it back, and how they reach its database. No password is
on a command line.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import connections

from casino.runtime.auto_migrate import OWNER
from casino.runtime.embedded import binaries
from casino.runtime.embedded.trouble import Trouble

PIECE = 1024 * 1024
"""Bytes that are read and written at once."""


class Failed(Exception):
    """A program of Postgres ended with an error. Its text is what it said last."""


def written_by(program: str, *options: str) -> Generator[bytes]:
    """What a program writes, piece by piece. Raises Failed at the end, or Trouble."""
    with _running(program, options, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        while piece := running.stdout.read(PIECE):
            yield piece


def read_by(program: str, *options: str, pieces: Iterable[bytes]) -> None:
    """Let a program read these pieces. Raises Failed, or Trouble."""
    with _running(program, options, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as running:
        assert running.stdin is not None
        with suppress(BrokenPipeError):  # it has ended before its time, and says why
            for piece in pieces:
                running.stdin.write(piece)
            running.stdin.close()


def owners() -> tuple[str, str]:
    """How the owner's database is reached, without its password, and the password."""
    connections[OWNER].ensure_connection()
    info = connections[OWNER].connection.info
    return info.dsn, info.password


def server() -> int:
    """The major version of the server."""
    connections[OWNER].ensure_connection()
    version: int = connections[OWNER].connection.info.server_version
    return version // 10_000


@cache
def found(program: str, major: int) -> Path:
    """The program, of this version or a later one: of a server of your own first as this machine has it, else
    of the house's own package. Raises Trouble.
    """
    here = shutil.which(program)
    ours = binaries.find(None).folder / program
    for each in (ours,) if settings.EMBEDDED else (*([Path(here)] if here else []), ours):
        told = subprocess.run([each, "--version"], capture_output=True, text=True, check=False)
        version = re.search(r"\) (\d+)", told.stdout)
        if told.returncode == 0 and version and int(version[1]) >= major:
            return each
    raise Trouble(
        f"The server is Postgres {major} and no {program} of that version is here: install its client"
        " programs."
    )


@contextmanager
def _running(
    program: str, options: Iterable[str], stdin: int, stdout: int
) -> Iterator[subprocess.Popen[bytes]]:
    """A program at work; whoever leaves before it has ended, ends it."""
    _, password = owners()
    env = os.environ | {"LC_ALL": "C"} | ({"PGPASSWORD": password} if password else {})
    command: list[str | Path] = [found(program, server()), *options]
    with subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, env=env) as running:
        try:
            yield running
            assert running.stderr is not None
            said = running.stderr.read().decode(errors="replace").strip().splitlines()
        except BaseException:
            running.kill()
            raise
    if running.returncode != 0:
        raise Failed(
            next(
                (line for line in said if "error:" in line),
                said[-1] if said else f"it ended with {running.returncode}",
            )
        )
