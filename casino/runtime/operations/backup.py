"""Back up the whole database, as of one moment, into a folder of two files from which it can be restored.

    catwalk.dump    the output of pg_dump (custom format), of the same snapshot as backup.json
    backup.json     time, version, last position of each ledger, number of rows of each table, size and
                    SHA-256 of the dump. It is written last: a folder without it is not a backup

The backup contains passwords, tokens and one-time secrets as the database stores them, hashed or not: protect
it like the database itself. It does not contain the other files in CATWALK_DATA: the secret key (without it
all sessions end), logs, and the broker's messages (jobs are rows).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

import msgspec
from django.db import connections, transaction
from psycopg import sql

from casino.runtime import auto_migrate
from casino.runtime.auto_migrate import OWNER
from casino.runtime.operations import postgres

DUMP, MANIFEST = "catwalk.dump", "backup.json"
FORMAT = 1
_TABLES = """SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    ORDER BY relname"""
_MIGRATIONS = "SELECT app || '.' || name FROM django_migrations ORDER BY app, name"
Progress = Callable[[int], None]
"""A function that is called with the number of bytes processed since its last call."""


class Unusable(Exception):
    """Backup or restore is impossible, because there is no database, no suitable folder or no backup. The
    text is one sentence that says what is wrong and what to do.
    """


class Damaged(Exception):
    """The backup was changed after it was written. The text says what differs."""


class Ledger(msgspec.Struct, frozen=True, order=True):
    """The last position and hash of a property's ledger."""

    property: str
    position: int
    chain: str


class Manifest(msgspec.Struct, frozen=True):
    """The content of backup.json. `owner` is the database role that owns the tables, and `role` is that of
    the application.
    """

    format: int
    made_at: datetime
    server: int
    owner: str
    role: str
    migrations: list[str]
    ledgers: list[Ledger]
    rows: dict[str, int]
    bytes: int
    sha256: str


def make(folder: Path, progress: Progress = lambda count: None) -> Manifest:
    """Back up the database into a folder, which must be empty or not exist. Return the manifest of the
    backup.

    Raise Unusable, postgres.Failed or Trouble.
    """
    auto_migrate.turn_off()  # no migration: the backup has the database as it is, even before an upgrade
    _make_empty(folder)
    with _at_one_moment() as (snapshot, manifest):
        if not manifest.rows:
            raise Unusable("There is nothing to back up: the database has no tables.")
        digest, length = sha256(), 0
        dump = postgres.written_by(
            "pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--dbname={postgres.owner_login()[0]}"
        )
        with closing(dump), _new(folder / DUMP) as file:
            for piece in dump:
                file.write(piece)
                digest.update(piece)
                length += len(piece)
                progress(len(piece))
    full_manifest = msgspec.structs.replace(manifest, bytes=length, sha256=digest.hexdigest())
    with _new(folder / MANIFEST) as file:
        file.write(msgspec.json.format(msgspec.json.encode(full_manifest), indent=1) + b"\n")
    return full_manifest


def read(folder: Path, progress: Progress = lambda count: None) -> Manifest:
    """Check the dump of a backup against its manifest, and return the manifest. The dump is read once.

    Raise Unusable or Damaged.
    """
    try:
        content = (folder / MANIFEST).read_bytes()
    except OSError as error:
        raise Unusable(
            f"{folder} is not a complete backup: its {MANIFEST} cannot be read ({error.strerror})."
        ) from None
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except msgspec.MsgspecError as error:
        raise Damaged(f"{MANIFEST} is not as `manage.py backup` writes it: {error}") from None
    if manifest.format != FORMAT:
        raise Unusable(
            f"The backup is of format {manifest.format} and this version reads format {FORMAT}: restore it"
            " with the version that made it."
        )
    digest, length = sha256(), 0
    for piece in pieces_of(folder):
        digest.update(piece)
        length += len(piece)
        progress(len(piece))
    if length != manifest.bytes:
        raise Damaged(
            f"{DUMP} has {length:,} bytes instead of {manifest.bytes:,}: a part of it is missing, or it"
            " was changed."
        )
    if digest.hexdigest() != manifest.sha256:
        raise Damaged(f"{DUMP} does not have the SHA-256 that {MANIFEST} names: it was changed.")
    return manifest


def _make_empty(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Unusable(
                f"{folder} is not empty, and a backup never overwrites files: name a folder that does not"
                " exist yet."
            )
    except OSError as error:
        raise Unusable(
            f"{folder} cannot be used ({error.strerror}): name a folder that you may write."
        ) from None


@contextmanager
def _new(file: Path) -> Iterator[IO[bytes]]:
    """Create a file for the `with` block. Only this user can read it. At the end of the block, sync it to
    disk.
    """
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
        yield opened
        opened.flush()
        os.fsync(opened.fileno())


@contextmanager
def _at_one_moment() -> Iterator[tuple[str, Manifest]]:
    """Open a transaction of the owner with a snapshot for pg_dump. Yield the snapshot's ID and the
    manifest.
    """
    with transaction.atomic(using=OWNER), connections[OWNER].cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot(), current_user")
        snapshot, owner = cursor.fetchone()
        role, counted = connections.settings["default"]["USER"], rows()
        applied = [name for (name,) in ask(_MIGRATIONS)] if "django_migrations" in counted else []
        yield (
            snapshot,
            Manifest(
                FORMAT, datetime.now(UTC), postgres.server(), owner, role, applied, ledgers(), counted, 0, ""
            ),
        )


def rows() -> dict[str, int]:
    """Return {table: number of rows} for the whole database. The rows of a partition are counted as rows of
    the partitioned table.
    """
    names = ask(_TABLES)
    with connections[OWNER].cursor() as cursor:
        counts = {}
        for (name,) in names:
            cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name)))
            counts[name] = cursor.fetchone()[0]
    return counts


def ledgers() -> list[Ledger]:
    has_table = ask("SELECT to_regclass('head') IS NOT NULL")
    heads = (
        ask("SELECT property, position, encode(chain, 'hex') FROM head ORDER BY property")
        if has_table == [(True,)]
        else []
    )
    return [Ledger(*head) for head in heads]


def pieces_of(folder: Path) -> Iterator[bytes]:
    try:
        with open(folder / DUMP, "rb") as file:
            while piece := file.read(postgres.PIECE):
                yield piece
    except OSError as error:
        raise Damaged(f"{DUMP} cannot be read ({error.strerror}).") from None


def ask(query: str) -> list[tuple[Any, ...]]:
    with connections[OWNER].cursor() as cursor:
        cursor.execute(query)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
