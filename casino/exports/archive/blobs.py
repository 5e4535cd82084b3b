"""Store the bytes of archived exports in chunks of one megabyte. Chunks are written and read one at a time,
so a whole file is never in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import IO

from django.db import connection

from audit import database

CHUNK_BYTES = 1024 * 1024
"""Size in bytes of every chunk except the last."""


def write(id: int, file: IO[bytes]) -> None:
    """Store a whole file; an empty file is stored as one empty chunk. Call this in the transaction that
    stores the file's archived export.
    """
    file.seek(0)
    place = 0
    with connection.cursor() as cursor:
        while (piece := file.read(CHUNK_BYTES)) or place == 0:
            cursor.execute(
                "INSERT INTO kept_piece (kept, place, content) VALUES (%s, %s, %s)", [id, place, piece]
            )
            place += 1


def read(id: int, begins: int = 0, ends: int | None = None) -> Iterator[bytes]:
    """Yield the bytes from `begins` up to but not including `ends`. Each chunk is queried only when it is
    needed, so no cursor stays open between chunks.
    """
    place = begins // CHUNK_BYTES
    while ends is None or place * CHUNK_BYTES < ends:
        query = "SELECT content FROM kept_piece WHERE kept = %s AND place = %s"
        row = database.first_row(query, [id, place])
        if row is None:
            return
        first = max(begins - place * CHUNK_BYTES, 0)
        yield bytes(memoryview(row[0])[first : None if ends is None else ends - place * CHUNK_BYTES])
        place += 1


def digest(id: int) -> str:
    """Return the SHA-256 of the bytes that are stored now."""
    hashed = sha256()
    for piece in read(id):
        hashed.update(piece)
    return hashed.hexdigest()
