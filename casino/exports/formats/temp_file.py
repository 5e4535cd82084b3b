"""Stream a temporary file in pieces, for formats that must seek while they write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from tempfile import TemporaryFile
from typing import IO

CHUNK = 64 * 1024


def stream_temp_file(write: Callable[[IO[bytes]], None]) -> Iterator[bytes]:
    """Yield the bytes of a temporary file that `write` fills. The file is deleted after its last bytes."""
    with TemporaryFile() as file:
        write(file)
        file.seek(0)
        while part := file.read(CHUNK):
            yield part
