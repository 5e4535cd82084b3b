"""A file that is made on disk and goes out in pieces: for formats that write here and there, in flat memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from tempfile import TemporaryFile
from typing import IO

CHUNK = 64 * 1024


def in_pieces(write: Callable[[IO[bytes]], None]) -> Iterator[bytes]:
    """What `write` writes, from its beginning; the file is gone when the last piece is taken."""
    with TemporaryFile() as file:
        write(file)
        file.seek(0)
        while part := file.read(CHUNK):
            yield part
