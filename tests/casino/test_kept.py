"""Archived exports: a worker builds each export once, with the facts up to one position. An archived export
never changes and can be rebuilt from the ledger byte for byte.
"""

from __future__ import annotations

import os
import signal
from datetime import date
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection

from audit import source_closure, tasks
from audit.jobs import leases
from audit.queries.span import CLOSED, RESTATED
from audit.source_closure import source_file
from casino.exports import datasets
from casino.exports.archive import blobs, build, fingerprint, orders
from casino.exports.archive.fingerprint import code_of
from casino.exports.archive.orders import ExportSpec
from casino.reference.recording import set_registers
from casino.reports import catalog
from casino.tasks import tasks as _registered  # noqa: F401 - the work of a kept report is known with it
from tests.casino.feeding import run
from tests.casino.test_reports import PEOPLE, at, felt, record
from tests.conftest import House
from tests.manage import Manage

DAY = ExportSpec("aurora", "hold", date(2026, 11, 27), date(2026, 11, 28), ("table",), "csv")


def due(kind: str) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM job WHERE kind = %s AND state = 'due' ORDER BY id", [kind])
        return [row[0] for row in cursor.fetchall()]


def work(kind: str = orders.BUILD_JOB) -> None:
    """Do the jobs of this kind that are due, as a worker does."""
    for job in due(kind):
        tasks.examine(job)


def keep(spec: ExportSpec = DAY, **options: Any) -> orders.ExportOrder:
    id = orders.order(spec, "a-101", **options)
    assert id is not None
    work()
    order = orders.get_order(id)
    assert order is not None
    return order


def content(id: int) -> bytes:
    return b"".join(blobs.read(id))


def rebuilt_same(id: int) -> bool:
    """Rebuild the export. Return True if the result has the same bytes as the archived export."""
    rebuilt, is_same, _ = build.rebuild(id)
    return is_same and rebuilt is not None and b"".join(rebuilt.read()) == content(id)


def rebuild_message(id: int) -> str:
    """Rebuild the export and return how the result compares with the archived export, as a message."""
    rebuilt, _, message = build.rebuild(id)
    if rebuilt is not None:
        rebuilt.file.close()
    return message


def late(kind: str = "fill-sent", **fields: Any) -> dict[str, Any]:
    return at(table="aurora/T1")(kind, **(fields or {"slip": "F-0001", "chips": {}, "amount": 300, **PEOPLE}))


def test_a_report_is_archived_with_its_position_and_rebuilt_to_the_byte(
    house: House,
) -> None:
    record(felt(1000, 100))
    order = keep()
    output = run(
        "report",
        "hold",
        "--from",
        "2026-11-27",
        "--to",
        "2026-11-28",
        "--property",
        "aurora",
        "--format",
        "csv",
    )
    assert content(order.id) == output.out.encode()
    with connection.cursor() as cursor:
        cursor.execute("SELECT position, encode(chain, 'hex') FROM head WHERE property = 'aurora'")
        assert (order.position, order.chain) == cursor.fetchone()
    assert (order.state, order.sha256, order.asked_by) == (
        "done",
        sha256(content(order.id)).hexdigest(),
        "a-101",
    )
    record([late()])
    assert run("report", "hold", "--property", "aurora", "--format", "csv").out.encode() != content(order.id)
    second = run("report", "--kept", order.id, "--again")
    assert (second.code, second.out) == (0, content(order.id).decode())
    assert second.err == f"Rebuilt as of position 5: the same {len(output.out)} bytes.\n"
    assert run("report", "--kept", order.id).out.encode() == content(order.id)


@pytest.mark.parametrize("format", ["xlsx", "parquet", "json"])
def test_a_spreadsheet_is_rebuilt_to_the_byte(house: House, format: str) -> None:
    record(felt(1000, 100))
    order = keep(DAY._replace(format=format))
    record([late()])
    assert rebuilt_same(order.id), rebuild_message(order.id)


def test_an_archived_export_cannot_be_changed_and_tampering_is_reported(house: House) -> None:
    record(felt(1000, 100))
    order = keep()
    for query in (
        "UPDATE kept_report SET sha256 = ''",
        "DELETE FROM kept_report",
        "UPDATE kept_piece SET place = 7",
        "DELETE FROM kept_piece",
        "UPDATE report_order SET asked_by = ''",
        "TRUNCATE report_again",
    ):
        with pytest.raises(DatabaseError), connection.cursor() as cursor:
            cursor.execute(query)
    owner = house.owner
    for table in ("kept_report", "kept_piece"):
        owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER never_changed")
    owner.execute("UPDATE kept_piece SET content = content || 'x'")
    assert "no longer matches its SHA-256" in run("report", "--kept", order.id, "--again").err
    assert run("report", "--kept", order.id).code == 1
    owner.execute("UPDATE kept_piece SET content = ''")
    owner.execute("UPDATE kept_report SET sha256 = %s", [sha256(b"").hexdigest()])
    ran = run("report", "--kept", order.id, "--again")
    assert (ran.code, "tallies were changed outside Catwalk" in ran.err) == (1, True)
    owner.execute("UPDATE kept_report SET chain = decode('00', 'hex')")
    assert "the chain of the ledger differs" in run("report", "--kept", order.id, "--again").err
    owner.execute("UPDATE kept_report SET code = 'older'")


def test_changed_rules_or_code_are_named_as_the_cause_of_other_bytes(house: House) -> None:
    record(felt(1000, 100))
    order = keep()
    owner = house.owner
    for table in ("kept_report", "kept_piece"):
        owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER never_changed")
    owner.execute("UPDATE kept_piece SET content = 'x'")
    owner.execute("UPDATE kept_report SET sha256 = %s", [sha256(b"x").hexdigest()])
    owner.execute("UPDATE kept_report SET rules = 'older'")
    assert rebuild_message(order.id).endswith("The rules for the streams of this export have changed since.")
    owner.execute("UPDATE kept_report SET code = 'older'")
    assert rebuild_message(order.id).endswith(
        "The code, or a library that writes the file, has changed since."
    )


def test_another_version_of_a_library_counts_as_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Test that a new version of a library counts as new code. A spreadsheet with other bytes is then
    explained by the library and is not taken for a changed tally.
    """
    before = code_of.__wrapped__("hold")
    for name in fingerprint.LIBRARIES:
        with monkeypatch.context() as newer:
            newer.setattr(
                fingerprint,
                "version",
                lambda package, name=name: "99" if package == name else version(package),
            )
            assert code_of.__wrapped__("hold") != before, name


def test_only_modules_that_build_a_report_are_in_its_fingerprint(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = code_of.__wrapped__("hold")

    def code_with_comment_in(name: str) -> str:
        changed = tmp_path / "changed.py"
        changed.write_bytes(source_file(name).read_bytes() + b"# changed\n")
        with monkeypatch.context() as patched:
            patched.setattr(
                source_closure,
                "source_file",
                lambda module: changed if module == name else source_file(module),
            )
            return code_of.__wrapped__("hold")

    for name in ("casino.floor.services", "casino.exports.views", "casino.exports.datasets.fills"):
        assert code_with_comment_in(name) == before, name
    for name in (
        "casino.reports.definitions.hold",
        "casino.reports.grouping",
        "casino.exports.archive.build",
        "casino.exports.formats.xlsx",
        "audit.queries.table_days",
        "games.easy_over_under.betting",
    ):
        assert code_with_comment_in(name) != before, name


def test_each_report_and_dataset_has_its_own_fingerprint() -> None:
    names = {*catalog.names(), *datasets.names()}
    assert len({code_of(name) for name in names}) == len(names)


def test_a_schedule_orders_each_period_once(house: House) -> None:
    record(felt(1000, 100))
    first = keep(schedule="hold of the day", period="2026-11-27")
    assert orders.order(DAY, "", "hold of the day", "2026-11-27") is None
    assert orders.order(DAY, "", "hold of the day", "2026-11-28") is not None
    record(felt(1000, 100, "borealis/T1"))
    assert orders.order(DAY._replace(property="borealis"), "", "hold of the day", "2026-11-27") is not None
    assert (first.schedule, first.period) == ("hold of the day", "2026-11-27")


def test_a_killed_worker_costs_only_time(house: House) -> None:
    record(felt(1000, 100))
    id = orders.order(DAY, "a-101")
    assert id is not None
    (job,) = due(orders.BUILD_JOB)
    lease = leases.take(job)  # the worker that has this lease then stops responding
    assert lease is not None
    order = orders.get_order(id)
    assert order is not None
    assert (order.state, order.is_archived) == ("taken", False)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE job SET lease_until = now() - interval '1 second' WHERE id = %s", [job])
    tasks.examine(job)
    with leases.held(
        lease
    ):  # the first worker resumes: the export is archived already, and its lease has expired
        tasks.LONG[orders.BUILD_JOB](lease)()
    for _ in range(2):
        tasks.examine(job)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM kept_report")
        assert cursor.fetchone() == (1,)


def test_an_accepted_export_survives_ten_kills_of_its_worker(house: House, manage: Manage) -> None:
    """Kill ten workers, one after the other, while they build the same export. One parent process starts each
    of them when the test asks for it.
    """
    record(felt(1000, 100))
    id = orders.order(DAY, "a-101")
    (job,) = due(orders.BUILD_JOB)
    makes = f"""
import os, sys, time
from audit import tasks
from audit.jobs import leases
from casino import tasks as _
from django.db import connections
for line in sys.stdin:
    connections.close_all()
    if os.fork() == 0:
        lease = leases.take({job})
        if line == "build\\n":
            tasks.LONG[lease.kind](lease)
        print(os.getpid(), flush=True)
        time.sleep(60)
    os.wait()"""
    parent = manage.start("shell", "-v0", "-c", makes, env=house.env)
    assert parent.stdin is not None
    assert parent.stdout is not None
    for kills in range(10):
        parent.stdin.write("build\n" if kills == 9 else "take\n")
        parent.stdin.flush()
        os.kill(int(parent.stdout.readline()), signal.SIGKILL)
        with connection.cursor() as cursor:
            cursor.execute("SELECT state, attempts, interruptions FROM job WHERE id = %s", [job])
            assert cursor.fetchone() == ("taken", 0, kills)
            cursor.execute("SELECT count(*) FROM kept_report")
            assert cursor.fetchone() == (0,)
            cursor.execute("UPDATE job SET lease_until = now() - interval '1 hour' WHERE id = %s", [job])
    tasks.examine(job)
    assert id is not None
    assert (order := orders.get_order(id)) is not None
    assert (order.state, rebuilt_same(id)) == ("done", True)


def test_a_restated_report_supersedes_the_closed_one_which_stays(house: House) -> None:
    record([*felt(1000, 100), late("day-closed", by="a-1")])
    closed = keep(DAY._replace(books=CLOSED))
    assert orders.superseded_by(closed, orders.other_versions(closed)) is None
    adjusted = at(table="aurora/house", day="2026-11-28")(
        "adjusted",
        of_table="aurora/T1",
        of_day="2026-11-27",
        what="drop",
        amount=500,
        reason="a note was stuck",
        by="a-1",
        second="a-2",
    )
    record([adjusted])
    restated = keep(DAY._replace(books=RESTATED))
    assert content(restated.id) != content(closed.id)
    assert orders.superseded_by(closed, orders.other_versions(closed)) == restated
    assert orders.superseded_by(restated, orders.other_versions(restated)) is None
    assert rebuilt_same(closed.id), "the closed one is what it was, to the byte"
    assert keep(DAY._replace(books=CLOSED)).sha256 == closed.sha256


def test_an_invalid_order_of_a_report_is_refused(house: House) -> None:
    set_registers("aurora", [], by="m-101", second="m-102")
    for spec in (
        DAY._replace(by=("colour",)),
        DAY._replace(books="open"),
        DAY._replace(name="slips", by=(), books=CLOSED),
    ):
        with pytest.raises(ValueError):
            orders.order(spec, "a-101")
    for spec in (DAY._replace(name="luck"), DAY._replace(format="clay")):
        with pytest.raises(LookupError):
            orders.order(spec, "a-101")
    for args in (("--kept", 7), ("--kept", 7, "--again")):
        assert run("report", *args).code == 1
    assert run("report").code == 2
    assert run("report", "hold", "--kept", 7).code == 2
