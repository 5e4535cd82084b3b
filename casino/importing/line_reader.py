"""Read the lines of a file with a maximum length, so that an endless line does not fill the memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO

from audit.facts import WINDOW_BYTES
from casino.importing import UsageError

IN_MEMORY = 64 * 1024 * 1024
"""Maximum number of bytes in memory; more are written to a temporary file."""
_LIMIT = WINDOW_BYTES + 2
_BOM = b"\xef\xbb\xbf"


@contextmanager
def open_file(name: str) -> Iterator[IO[bytes]]:
    """Open a file for the `with` block, or standard input for `-`. Input that can be read only once is copied
    first. Raise UsageError if the file cannot be read.
    """
    if name == "-":
        with SpooledTemporaryFile(IN_MEMORY) as copy:
            copyfileobj(sys.stdin.buffer, copy)
            copy.seek(0)
            yield copy
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 - the `with` is below: only opening it may be misuse
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from None
    with file:
        if not file.seekable():  # This is a named pipe.
            with SpooledTemporaryFile(IN_MEMORY) as copy:
                copyfileobj(file, copy)
                copy.seek(0)
                yield copy
        else:
            yield file


def lines_of(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the number (from 1) and the bytes of each line that is not blank. A line that is too long for a
    fact is cut just above the maximum length, so validation refuses it later.
    """
    number = 0
    while line := file.readline(_LIMIT):
        number += 1
        if number == 1:
            line = line.removeprefix(_BOM)
        piece = line
        while len(piece) == _LIMIT and piece[-1:] != b"\n":
            piece = file.readline(_LIMIT)
        line = line.strip()
        if line:
            yield number, line
