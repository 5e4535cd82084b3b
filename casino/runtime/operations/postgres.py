"""Run the Postgres programs that dump and restore a database, without a password on the command line."""

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
"""Bytes that are read or written at once."""


class Failed(Exception):
    """A Postgres program ended with an error. The text is the last line of its output."""


def written_by(program: str, *options: str) -> Generator[bytes]:
    """Yield the output of a program in pieces. Raise Failed if the program ends with an error. May also raise
    Trouble.
    """
    with _running(program, options, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        while piece := running.stdout.read(PIECE):
            yield piece


def read_by(program: str, *options: str, pieces: Iterable[bytes]) -> None:
    """Run a program with these pieces as its input. Raise Failed if it ends with an error. May also raise
    Trouble.
    """
    with _running(program, options, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as running:
        assert running.stdin is not None
        with suppress(BrokenPipeError):  # the program has ended early; its error output says why
            for piece in pieces:
                running.stdin.write(piece)
            running.stdin.close()


def owner_login() -> tuple[str, str]:
    """Return (connection string, password) for the owner's database. The connection string does not contain
    the password.
    """
    connections[OWNER].ensure_connection()
    info = connections[OWNER].connection.info
    return info.dsn, info.password


def server() -> int:
    """Return the major version of the database server."""
    connections[OWNER].ensure_connection()
    version: int = connections[OWNER].connection.info.server_version
    return version // 10_000


@cache
def find_program(program: str, major: int) -> Path:
    """Return the path of a Postgres program of at least this major version. Raise Trouble.

    For an external server, PATH is searched first, then the package of the embedded server. For the embedded
    server, only its package is searched.
    """
    in_path = shutil.which(program)
    packaged = binaries.find(None).folder / program
    for path in (packaged,) if settings.EMBEDDED else (*([Path(in_path)] if in_path else []), packaged):
        result = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
        version = re.search(r"\) (\d+)", result.stdout)
        if result.returncode == 0 and version and int(version[1]) >= major:
            return path
    raise Trouble(
        f"The server is Postgres {major} and no {program} of that version is installed here: install its"
        " client programs."
    )


@contextmanager
def _running(
    program: str, options: Iterable[str], stdin: int, stdout: int
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program inside the `with` block. Kill it if the block raises an error."""
    _, password = owner_login()
    env = os.environ | {"LC_ALL": "C"} | ({"PGPASSWORD": password} if password else {})
    command: list[str | Path] = [find_program(program, server()), *options]
    with subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, env=env) as running:
        try:
            yield running
            assert running.stderr is not None
            lines = running.stderr.read().decode(errors="replace").strip().splitlines()
        except BaseException:
            running.kill()
            raise
    if running.returncode != 0:
        raise Failed(
            next(
                (line for line in lines if "error:" in line),
                lines[-1] if lines else f"it ended with {running.returncode}",
            )
        )
