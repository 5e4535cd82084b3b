"""Restore a backup into an empty database, with the rights of its roles, and migrate it to this version. If
anything fails, nothing is restored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from django.core.management import call_command
from django.db import connections, transaction
from psycopg import sql

from casino.runtime import auto_migrate
from casino.runtime.auto_migrate import OWNER
from casino.runtime.operations import backup, postgres
from casino.runtime.operations.backup import DUMP, MANIFEST, Damaged, Manifest, Progress, Unusable

OURS = ("audit", "casino")
"""Apps whose migrations determine the version of a backup. Libraries are not included, because their
migrations may have changed independently.
"""
_ACL = re.compile(r"\d+; \d+ \d+ (DEFAULT )?ACL ")
_RIGHT = re.compile(r"""(.*) (TO|FROM) ("(?:[^"]|"")+"|\S+);""")


class Restored(NamedTuple):
    """The result of a restore: the backup's manifest, the applied migrations, and the roles that got no
    rights. These roles exist only in the backup.
    """

    of: Manifest
    migrated: list[str]
    unknown: list[str]


def restore(folder: Path, manifest: Manifest, progress: Progress = lambda count: None) -> Restored:
    """Restore a backup into an empty database and apply the migrations that it lacks. Return what was done.
    If anything fails, nothing is restored.

    Raise Unusable if the database is not empty or the backup is of a later version. Also raise Damaged,
    postgres.Failed or Trouble.
    """
    auto_migrate.turn_off()
    known = {".".join(migration) for migration in auto_migrate.on_disk()}
    if strange := [
        name for name in manifest.migrations if name.partition(".")[0] in OURS and name not in known
    ]:
        raise Unusable(
            f"The backup was made by a later version of Catwalk (it has the migration {strange[-1]}):"
            " restore it with that version."
        )
    if tables := backup.rows():
        facts = sum(ledger.position for ledger in backup.ledgers())
        raise Unusable(
            f"The database is not empty: it has {len(tables)} tables with {facts:,} facts, and a restore"
            " never replaces data. Name an empty database: another CATWALK_DATA, or a database that was just"
            " created."
        )
    options = (
        "--no-owner",
        "--no-privileges",
        "--single-transaction",
        "--exit-on-error",
        f"--dbname={postgres.owner_login()[0]}",
    )
    postgres.read_by("pg_restore", *options, pieces=_pieces_of(folder, progress))
    unknown = _give_rights(folder, manifest)
    if says := _differs(manifest):
        raise Damaged(f"{DUMP} was restored, but differs from {MANIFEST}: {says}.")
    applied = sorted(map(".".join, auto_migrate.unapplied()))
    if applied:
        call_command("migrate", database=OWNER, interactive=False, verbosity=0)
    with connections[OWNER].cursor() as cursor:
        # Cached sums have digests with the installation's secret key, which is not in the backup.
        cursor.execute("DELETE FROM summed")
        cursor.execute("ANALYZE")
    return Restored(manifest, applied, unknown)


def _differs(manifest: Manifest) -> str:
    """Compare the database with the manifest. Return a text that says what differs, or an empty text if
    nothing does.
    """
    rows = backup.rows()
    wrong = [
        f"{name} has {rows.get(name, 0):,} rows and had {count:,}"
        for name, count in manifest.rows.items()
        if rows.get(name) != count
    ]
    wrong += [
        f"the ledger of {ledger.property} has another head"
        for ledger in manifest.ledgers
        if ledger not in backup.ledgers()
    ]
    return "; ".join(wrong)


def _give_rights(folder: Path, manifest: Manifest) -> list[str]:
    """Grant the rights that are recorded in the backup, and return the roles that do not exist here.

    The backup's owner role and application role are replaced by the corresponding roles of this installation.
    """
    app, quoted, unknown = connections.settings["default"]["USER"], connections[OWNER].ops.quote_name, set()
    renamed = {manifest.owner: connections.settings[OWNER]["USER"], manifest.role: app}
    roles = {name for (name,) in backup.ask("SELECT rolname FROM pg_roles")}
    with transaction.atomic(using=OWNER), connections[OWNER].cursor() as cursor:
        for right, word, role in _rights(str(folder / DUMP)):
            name = renamed.get(role, role)
            if role == "PUBLIC":
                cursor.execute(f"{right} {word} PUBLIC")
            elif name in roles:
                cursor.execute(f"{right} {word} {quoted(name)}")
            else:
                unknown.add(role)
        # the rights on the database itself are not in the dump
        cursor.execute("SELECT current_database()")
        (database,) = cursor.fetchone()
        cursor.execute(
            "SELECT bool_and(has_database_privilege(%s, %s, may)) FROM unnest('{CONNECT,TEMP}'::text[]) may",
            [app, database],
        )
        if cursor.fetchone() != (True,):
            cursor.execute(
                sql.SQL("GRANT CONNECT, TEMPORARY ON DATABASE {} TO {}").format(
                    sql.Identifier(database), sql.Identifier(app)
                )
            )
    return sorted(unknown)


def _rights(dump: str) -> Iterator[tuple[str, str, str]]:
    """Yield (right, `TO` or `FROM`, role) for each statement in the dump that grants or revokes a right."""
    listed = b"".join(postgres.written_by("pg_restore", "--list", dump)).decode()
    with NamedTemporaryFile("w") as wanted:
        wanted.writelines(f"{line}\n" for line in listed.splitlines() if _ACL.match(line))
        wanted.flush()
        statements = b"".join(
            postgres.written_by("pg_restore", f"--use-list={wanted.name}", "--file=-", dump)
        ).decode()
    for line in re.findall(r"^(?:GRANT|REVOKE) .*;$", statements, re.M):
        match = _RIGHT.fullmatch(line)
        assert match is not None, line
        right, word, role = match.groups()
        yield right, word, role[1:-1].replace('""', '"') if role[0] == '"' else role


def _pieces_of(folder: Path, progress: Progress) -> Iterator[bytes]:
    for piece in backup.pieces_of(folder):
        yield piece
        progress(len(piece))
