"""An installation is backed up and restored elsewhere. Damage is reported, and existing data is never
overwritten.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection, connections

from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.reference.demo_users import create_demo_users
from casino.runtime import auto_migrate
from casino.runtime.operations import backup
from casino.runtime.operations import restore as restoring
from casino.runtime.operations.backup import DUMP, MANIFEST
from casino.runtime.operations.postgres import Failed
from tests.audit import floor
from tests.casino.feeding import run
from tests.casino.nights import OFFICERS, PASSWORD, officers, record, troubled_day
from tests.conftest import House, Template
from tests.furnished import furnishing

TABLES = "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"


@furnishing
def faulty_day() -> None:
    """Record a table's day with faults, two officers with passwords, and the demo users."""
    record(troubled_day(times=1))
    create_demo_users("aurora")
    officers()


@pytest.fixture
def saved(faulty_day: None, house: House, tmp_path: Path) -> Path:
    """Make a backup of the recorded day and return its folder."""
    ran = run("backup", tmp_path / "backup")
    assert (ran.code, ran.err) == (0, ""), ran.err
    return tmp_path / "backup"


@pytest.fixture
def empty_database(saved: Path, template: Template) -> Iterator[None]:
    """Switch to another, empty database until the end of the test."""
    with template.copied("template0"):
        cache.clear()
        yield


def ask(query: str, alias: str = "default") -> list[tuple[Any, ...]]:
    with connections[alias].cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchall()


def database_content() -> dict[str, Any]:
    """Return the content of the database: every row of every table, the rights on tables and functions, and
    the triggers that protect facts.
    """
    names = [name for (name,) in ask(backup._TABLES, "owner")]
    stands = {name: ask(f"SELECT t::text FROM {name} t ORDER BY 1", "owner") for name in names}
    stands["rights"] = ask(
        "SELECT relname, relkind::text, relacl::text FROM pg_class WHERE relnamespace ="
        " 'public'::regnamespace ORDER BY 1",
        "owner",
    )
    stands["may call"] = ask(
        "SELECT proname, proacl::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1",
        "owner",
    )
    stands["guards"] = ask(
        "SELECT tgname, tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2", "owner"
    )
    return stands


def test_a_restored_installation_equals_the_saved_one(saved: Path, template: Template) -> None:
    stored, found_before = database_content(), run("findings", "--format", "ndjson").out
    with template.copied("template0"):
        ran = run("restore", saved)
        assert (ran.code, ran.err) == (0, "")
        assert "bytes, order, numbers and heads are correct" in ran.out
        assert "migrated to this version" not in ran.out
        assert database_content() == stored
        assert run("findings", "--format", "ndjson").out == found_before != ""
        assert run("reexamine", "--dry-run").out.endswith("gained 0, lost 0\n")


def test_a_restored_installation_records_facts_and_protects_them(
    saved: Path, empty_database: None, client: Any
) -> None:
    run("restore", saved)
    (receipt,) = intake.post(
        [floor.line(floor.fact(1, table="aurora/EOU-01", day="2026-12-01", **floor.OPENING))],
        Sender("gateway"),
    )
    assert receipt.fresh
    assert run("verify").code == 0
    assert client.post("/login/", {"username": next(iter(OFFICERS)), "password": PASSWORD}).status_code == 302
    assert client.get("/queue/").status_code == 200
    for query in (
        "UPDATE fact SET number = 1",
        "DELETE FROM fact",
        "TRUNCATE fact",
        "UPDATE head SET position = 0",
    ):
        with pytest.raises(psycopg.Error), connections["default"].cursor() as cursor:
            cursor.connection.execute(query)
        connection.close()


def test_a_backup_is_of_one_moment_while_posts_continue(
    faulty_day: None, house: House, tmp_path: Path, template: Template
) -> None:
    over, posted = Event(), 0

    def post() -> None:
        nonlocal posted
        intake.post(
            [floor.line(floor.fact(1, table="aurora/EOU-01", day="2026-12-01", **floor.OPENING))],
            Sender("gateway"),
        )
        while not over.is_set():
            posted += 1
            intake.post([floor.line(floor.fact(posted + 1, day="2026-12-01"))], Sender("gateway"))
        connection.close()

    posting = Thread(target=post)
    posting.start()
    try:
        for _ in range(3):
            copy = backup.make(tmp_path / f"backup-{_}")
    finally:
        over.set()
        posting.join()
    ((last,),) = ask("SELECT position FROM head")
    assert posted > 3
    assert copy.rows["fact"] == copy.ledgers[0].position < last, "facts were recorded after the backup"
    with template.copied("template0"):
        ran = run("restore", tmp_path / "backup-2")
        assert (ran.code, f"verified {copy.rows['fact']:,} facts" in ran.out) == (0, True), ran.err


def test_a_backup_is_private_and_complete_only_with_its_manifest(saved: Path) -> None:
    assert stat.S_IMODE(saved.stat().st_mode) == 0o700
    assert {file.name: stat.S_IMODE(file.stat().st_mode) for file in saved.iterdir()} == {
        DUMP: 0o600,
        MANIFEST: 0o600,
    }
    checked = run("restore", saved, "--check")
    assert (checked.code, checked.out.startswith("the backup is complete: ")) == (0, True)
    second = run("backup", saved)
    assert (second.code, second.err) == (
        1,
        f"{saved} is not empty, and a backup never overwrites files: name a folder that does not exist yet.",
    )
    (saved / MANIFEST).unlink()
    assert (
        run("restore", saved).err
        == f"{saved} is not a complete backup: its backup.json cannot be read (No such file or directory)."
    )


def cut(folder: Path) -> None:
    dump = folder / DUMP
    dump.write_bytes(dump.read_bytes()[:-100])


def flipped(folder: Path) -> None:
    dump = bytearray((folder / DUMP).read_bytes())
    dump[len(dump) // 2] ^= 1
    (folder / DUMP).write_bytes(dump)


def lost(folder: Path) -> None:
    (folder / DUMP).unlink()


def change_manifest(**change: Any) -> Callable[[Path], None]:
    """Return a function that changes these fields in the manifest of a backup."""

    def write(folder: Path) -> None:
        manifest = json.loads((folder / MANIFEST).read_text())
        (folder / MANIFEST).write_text(json.dumps(manifest | change))

    return write


def no_json(folder: Path) -> None:
    (folder / MANIFEST).write_text("{")


def cut_and_sealed(folder: Path) -> None:
    cut(folder)
    dump = (folder / DUMP).read_bytes()
    change_manifest(bytes=len(dump), sha256=sha256(dump).hexdigest())(folder)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (cut, "a part of it is missing"),
        (flipped, "it was changed"),
        (lost, "catwalk.dump cannot be read (No such file or directory)"),
        (no_json, "backup.json is not as `manage.py backup` writes it"),
        (change_manifest(bytes="many"), "backup.json is not as `manage.py backup` writes it"),
        (change_manifest(format=2), "The backup is of format 2"),
        (
            change_manifest(migrations=["audit.0001_ledger", "audit.9999_to_come"]),
            "by a later version of Catwalk (it has the migration audit.9999_to_come)",
        ),
        (cut_and_sealed, "pg_restore: error: "),
    ],
)
def test_a_damaged_backup_is_named_and_not_restored(
    saved: Path, empty_database: None, damage: Callable[[Path], None], says: str
) -> None:
    damage(saved)
    ran = run("restore", saved)
    assert (ran.code, says in ran.err, ran.err.count("\n")) == (1, True, 0), ran.err
    assert ask(TABLES, "owner") == [(0,)]


def test_a_dump_with_missing_rows_is_named_by_its_tables(saved: Path, empty_database: None) -> None:
    manifest = json.loads((saved / MANIFEST).read_text())
    rows = manifest["rows"] | {"fact": manifest["rows"]["fact"] + 1}
    change_manifest(rows=rows, ledgers=[manifest["ledgers"][0] | {"chain": "00"}])(saved)
    ran = run("restore", saved)
    assert ran.code == 1
    assert (
        f"fact has {rows['fact'] - 1:,} rows and had {rows['fact']:,}; the ledger of aurora has another head"
        in ran.err
    )


def test_a_ledger_that_was_changed_before_it_was_saved_is_found_when_it_is_restored(
    faulty_day: None, house: House, tmp_path: Path, template: Template
) -> None:
    owner = house.owner
    for (name,) in owner.execute(
        "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'fact'::regclass"
    ).fetchall():
        owner.execute(f"ALTER TABLE {name} DISABLE TRIGGER ALL")
    owner.execute("ALTER TABLE fact DISABLE TRIGGER ALL")
    owner.execute(
        "UPDATE fact SET body = convert_to(replace(convert_from(body, 'UTF8'), '\"amount\":',"
        " '\"amount\":1'), 'UTF8') WHERE position = 20"
    )
    assert run("backup", tmp_path / "backup").code == 0
    with template.copied("template0"):
        ran = run("restore", tmp_path / "backup")
    assert (ran.code, "is not as it was recorded" in ran.err, "position 20" in ran.err) == (
        1,
        True,
        True,
    ), ran.err


def test_a_database_that_is_not_empty_is_never_replaced(saved: Path) -> None:
    stored = database_content()
    ran = run("restore", saved)
    facts = len(stored["fact"])
    assert (
        ran.code,
        f"The database is not empty: it has {len(stored) - 3} tables with {facts:,} facts" in ran.err,
    ) == (1, True), ran.err
    assert database_content() == stored


def test_a_backup_without_an_installation_is_refused(
    template: Template, house: House, tmp_path: Path
) -> None:
    with template.copied("template0"):
        ran = run("backup", tmp_path / "backup")
    assert (ran.code, ran.err) == (1, "There is nothing to back up: the database has no tables.")
    (tmp_path / "file").write_text("")
    ran = run("backup", tmp_path / "file")
    assert (ran.code, "cannot be used" in ran.err) == (1, True)


def test_roles_with_other_names_get_the_rights_of_the_saved_roles(
    faulty_day: None, house: House, tmp_path: Path, template: Template
) -> None:
    app = connections.settings["default"]["USER"]
    house.owner.execute("GRANT TRUNCATE ON free_words TO pg_monitor")
    assert run("backup", tmp_path / "backup").code == 0
    change_manifest(role="pg_monitor")(tmp_path / "backup")
    with template.copied("template0"):
        restored = restoring.restore(tmp_path / "backup", backup.read(tmp_path / "backup"))
        rights = ask("SELECT relacl::text FROM pg_class WHERE relname = 'free_words'", "owner")[0][0]
    assert restored.unknown == []
    assert ("pg_monitor" in rights, f"{app}=ardD/" in rights) == (False, True), rights


@pytest.mark.skipif(not settings.EMBEDDED, reason="only a superuser makes roles")
def test_a_missing_role_is_reported_and_left_out(
    faulty_day: None, house: House, tmp_path: Path, template: Template
) -> None:
    auditor = f'"auditor of {os.getpid()}"'
    place = connections.settings["owner"]
    with psycopg.connect(
        host=place["HOST"], port=place["PORT"], user="postgres", dbname=house.name, autocommit=True
    ) as superuser:
        superuser.execute(f"CREATE ROLE {auditor}")
        superuser.execute(f"GRANT SELECT ON fact TO {auditor}")
        assert run("backup", tmp_path / "backup").code == 0
        superuser.execute(f"DROP OWNED BY {auditor}; DROP ROLE {auditor}")
    with template.copied("template0"):
        ran = run("restore", tmp_path / "backup")
    assert ran.code == 0
    assert ran.err == f"the database has no role auditor of {os.getpid()}: its privileges were not granted\n"


def test_a_program_that_fails_says_why_in_a_line(saved: Path, empty_database: None) -> None:
    (saved / DUMP).write_bytes(b"no dump at all")
    with pytest.raises(Failed, match=r"does not appear to be a valid archive|input file is too short"):
        list(restoring._rights(str(saved / DUMP)))
    assert auto_migrate.unapplied() == auto_migrate.on_disk()
