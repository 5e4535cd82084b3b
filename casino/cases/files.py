"""Files of cases. A file is stored once, under its hash, in pieces of one megabyte. Files are only downloaded
and never opened here.

Files of suspicions are stored separately. If the same file is erased in another case, the copy of the
suspicion stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import IO, NamedTuple

from django.conf import settings
from django.db import connection, transaction

from audit import database
from casino.cases.file_types import HEAD_BYTES, NAMES, type_of
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.sealing import journal

PIECE_BYTES = 1024 * 1024
"""A file is stored in pieces of this number of bytes. The last piece may be shorter."""


class Stored(NamedTuple):
    """A stored file: its hash, its length in bytes, and its type."""

    sha256: str
    bytes: int
    type: str


def keep(property: str, by: Person, file: IO[bytes], *, confidential: bool) -> Stored:
    """Store a file and return its hash, length and type. If the same bytes are stored already, write nothing.
    Raise ActionRejected if the file is empty, too long, or of a type that is not accepted.
    """
    stored = _measured(file)
    query = """INSERT INTO case_file AS t (property, confidential, sha256, bytes, type, by)
        VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""
    with transaction.atomic():
        values = [property, confidential, *stored, by.id]
        if journal.insert("case_file", query, values):
            _write(property, stored.sha256, file, confidential=confidential)
    return stored


def read(property: str, digest: str, *, confidential: bool) -> Iterator[bytes]:
    """Yield the bytes of a file, one piece at a time."""
    query = """SELECT content FROM case_file_piece
        WHERE property = %s AND confidential = %s AND sha256 = %s AND place = %s"""
    place = 0
    while row := database.first_row(query, [property, confidential, digest, place]):
        yield bytes(row[0])
        place += 1


def stored(property: str, digest: str, *, confidential: bool) -> Stored | None:
    """Return a stored file, or None if it was erased or never stored."""
    query = """SELECT sha256, bytes, type FROM case_file
        WHERE property = %s AND confidential = %s AND sha256 = %s"""
    return next(iter(database.records(Stored, query, [property, confidential, digest])), None)


def stored_of(property: str, digests: Sequence[str], *, confidential: bool) -> frozenset[str]:
    """Return those of these hashes whose files are still stored. If a file is erased in one case, it is
    erased in every case that contains it.
    """
    query = "SELECT sha256 FROM case_file WHERE property = %s AND confidential = %s AND sha256 = ANY (%s)"
    return frozenset(digest for (digest,) in database.rows(query, [property, confidential, list(digests)]))


def erase(property: str, digest: str, *, confidential: bool) -> bool:
    """Erase a file, and record that it was erased. Return False if it is not stored."""
    query = "DELETE FROM case_file WHERE property = %s AND confidential = %s AND sha256 = %s"
    with transaction.atomic():
        is_erased = bool(database.execute(query, [property, confidential, digest]))
        if is_erased:
            journal.record("case_file", [f"{digest} {int(confidential)} {property}"], journal.ERASED)
    return is_erased


def _measured(file: IO[bytes]) -> Stored:
    """Return hash, length and type of a file."""
    file.seek(0)
    head = file.read(HEAD_BYTES)
    if not head:
        raise ActionRejected("The file is empty. Choose another one.", "file")
    digest, length = sha256(head), len(head)
    while piece := file.read(PIECE_BYTES):
        digest.update(piece)
        length += len(piece)
    if length > settings.FILE_BYTES:
        raise ActionRejected(
            f"The file has {length:,} bytes, and at most {settings.FILE_BYTES:,} are accepted"
            " (CATWALK_FILE_BYTES). Export a shorter piece of video.",
            "file",
        )
    type_ = type_of(head)
    if type_ is None:
        raise ActionRejected(
            "The content of the file is not of an accepted type. Accepted types:"
            f" {', '.join(NAMES.values())}.",
            "file",
        )
    return Stored(digest.hexdigest(), length, type_)


def _write(property: str, digest: str, file: IO[bytes], *, confidential: bool) -> None:
    file.seek(0)
    place = 0
    query = """INSERT INTO case_file_piece (property, confidential, sha256, place, content)
        VALUES (%s, %s, %s, %s, %s)"""
    with connection.cursor() as cursor:
        while piece := file.read(PIECE_BYTES):
            cursor.execute(query, [property, confidential, digest, place, piece])
            place += 1
