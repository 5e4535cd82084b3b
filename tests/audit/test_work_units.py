"""Commands with `--on-workers` divide their work into units for Celery workers. They print and store the same
as in one process. They can be continued after workers or the command itself have ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from threading import Event, Thread
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from audit import tasks
from audit.database import execute
from audit.differences import Difference, Differences
from audit.fact_archive import replay
from audit.findings import examine as findings
from audit.findings.examine import REEXAMINE as KIND
from audit.findings.finding_writer import Change
from audit.findings.parts import Part, from_bytes, to_bytes
from audit.jobs import work_units
from audit.jobs.work_units import Unit
from audit.proofs import on_workers
from audit.queries import what_if
from tests.audit.floor import fact, line, opened
from tests.audit.test_derived import change_first_row, examined, rows
from tests.audit.test_findings import record

assert examined  # a fixture


def printed(command: str, *options: str) -> str:
    """Run a command with these options, and return what it prints, with its error."""
    out = StringIO()
    with suppress(SystemExit):
        try:
            call_command(command, *options, stdout=out)
        except CommandError as error:
            if command != "verify":
                raise
            out.write(str(error))
    return out.getvalue()


def reexamine(*options: str) -> str:
    """Run `reexamine` with these options, and return what it prints."""
    return printed("reexamine", *options)


KINDS = f"{{{KIND},{what_if.KIND},{on_workers.RANGE},{replay.KIND}}}"
"""The kinds of all units, as an array of Postgres."""
DUE = f"SELECT id FROM job WHERE kind = ANY ('{KINDS}') AND state = 'due' LIMIT 1"


@contextmanager
def worker(limit: int = 1000) -> Iterator[None]:
    """Do units of work in a thread while this block runs, as Celery workers do. Stop after `limit` units."""
    over = Event()

    def work() -> None:
        count = 0
        try:
            while not over.wait(0.02) and count < limit:
                for (id,) in rows(DUE):
                    tasks.examine(id)
                    count += 1
        finally:
            connection.close()

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.fixture
def changed(examined: str) -> None:
    """Change one row in each of several tables of results, so that `reexamine` has differences to find and
    rows to replace.
    """
    for table, change in (
        ("tally", "taken = taken + 1000000"),
        ("finding", "says = 'Nothing happened.', code = 'late-bet'"),
        ("round_tally", "rank = rank + 1"),
    ):
        change_first_row(table, change)


def test_workers_yield_the_same_output_as_one_process_and_replace_the_same_rows(changed: None) -> None:
    expected = reexamine("--dry-run")
    assert expected.count("\n") > 4
    with worker():
        assert reexamine("--dry-run", "--on-workers") == expected
        repaired = reexamine("--on-workers")
    assert repaired.count("now replaced") >= 3
    assert sorted(line for line in repaired.splitlines() if line.startswith("gained")) == sorted(
        line for line in expected.splitlines() if line.startswith("gained")
    )
    assert "differences" not in reexamine("--dry-run")
    assert rows("SELECT count(*) FROM work_unit") == [(0,)]


def test_what_workers_did_before_the_command_ended_is_not_done_again(
    changed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = reexamine("--dry-run")
    monkeypatch.setattr(work_units, "PATIENCE", 1.0)
    with worker(limit=2), pytest.raises(CommandError, match="No worker takes the jobs"):
        reexamine("--dry-run", "--on-workers")
    left = "SELECT stream, result FROM work_unit WHERE result IS NOT NULL ORDER BY number"
    before = rows(left)
    assert len(before) == 2
    with worker():
        assert reexamine("--dry-run", "--on-workers") == expected
    assert rows(f"SELECT asked FROM job WHERE kind = '{KIND}' AND stream = '{before[0][0]}'") == [(1,)]


def test_units_of_another_kind_of_run_or_of_other_rules_begin_again(changed: None) -> None:
    names = rows("SELECT property, name FROM stream")
    units = [Unit(number, KIND, *name, "rules", "dry-run") for number, name in enumerate(names)]
    assert work_units.begin(units) == 0
    rows("UPDATE work_unit SET result = '\\x00' WHERE number = 0")
    assert work_units.begin(units) == 1
    assert work_units.begin([unit._replace(arguments="") for unit in units]) == 0
    (job,) = rows(f"SELECT id FROM job WHERE kind = '{KIND}' ORDER BY id LIMIT 1")[0]
    tasks.examine(job)  # a worker of another release leaves the unit to others
    assert rows(f"SELECT state, attempts FROM job WHERE id = {job}") == [("due", 0)]
    assert rows("SELECT count(result) FROM work_unit") == [(0,)]


def test_a_second_command_is_refused_and_a_failed_unit_is_named(
    changed: None, house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    holder = house.app
    holder.execute("SELECT pg_advisory_lock(hashtext('work_unit'))")
    with pytest.raises(CommandError, match="Another command waits"):
        reexamine("--on-workers")
    holder.execute("SELECT pg_advisory_unlock(hashtext('work_unit'))")
    monkeypatch.setattr(work_units, "PATIENCE", 0.5)
    with pytest.raises(CommandError, match="No worker"):
        reexamine("--on-workers")
    rows(f"UPDATE job SET state = 'set-aside' WHERE kind = '{KIND}'")
    waiting = work_units.wait()
    with pytest.raises(work_units.Unfinished, match=r"units of work failed. See `manage.py jobs`"):
        list(waiting)


def test_a_stored_part_is_the_same_when_it_is_read() -> None:
    differences = Differences()
    differences.add(
        [Difference("tally", "a b", "taken", "1", None), Difference("x", "y", "", None, "z", True)]
    )
    differences.rows["tally"] = 4
    part = Part(7, Change(("a",), ("b", "c"), 1, 0), differences)
    read = from_bytes(to_bytes(part))
    assert (read.facts, read.change) == (part.facts, part.change)
    assert vars(read.differences) == vars(differences)


OTHERWISE = ("--as", "pay_tables=spread:B")


def test_workers_yield_the_same_what_if_as_one_process(examined: str) -> None:
    expected = printed("reexamine", *OTHERWISE)
    assert "would be owed" in expected
    with worker():
        assert printed("reexamine", *OTHERWISE, "--on-workers") == expected
    assert rows(f"SELECT count(*) FROM job WHERE kind = '{what_if.KIND}' AND state = 'done'") > [(4,)]


@pytest.fixture
def several_ranges(examined: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Record more facts, and let a range have 256 of them."""
    monkeypatch.setattr(on_workers, "FACTS", 256)
    table = "aurora/T9"
    record([line(opened(2000, table)), *(line(fact(number, table=table)) for number in range(2001, 2700))])
    findings.examine()


def test_workers_yield_the_same_verification_as_one_process(several_ranges: None, changed: None) -> None:
    options = ("--only", "ledger,replay,tile")
    expected = printed("verify", *options)
    assert "tally" in expected
    assert "stored as" in expected
    with worker():
        assert printed("verify", *options, "--on-workers") == expected
    finished = f"SELECT count(*) FROM job WHERE kind = '{on_workers.RANGE}' AND state = 'done'"
    assert rows(finished) > [(3,)]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE fact SET body = overlay(body placing '\\x20'::bytea from 9) WHERE position = 300",
        "UPDATE fact SET chain = sha256(chain) WHERE position = 512",
        "UPDATE fact SET number = number + 1000 WHERE position = 257",
        "DELETE FROM fact WHERE position = 400",
    ],
)
def test_workers_find_a_changed_fact_as_one_process_does(
    several_ranges: None, house: Any, change: str
) -> None:
    house.owner.execute("ALTER TABLE fact DISABLE TRIGGER never_changed")
    house.owner.execute(change)
    expected = printed("verify", "--only", "ledger,tile")
    assert "the ledger is not as it was recorded" in expected
    with worker():
        assert printed("verify", "--only", "ledger,tile", "--on-workers") == expected


def test_a_result_that_was_changed_in_the_database_is_not_used(
    changed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = reexamine("--dry-run")
    collect = work_units.collect

    def changed_before(*args: Any) -> list[bytes]:
        execute("UPDATE work_unit SET result = '\\x00' WHERE number = 1")
        return collect()

    with worker():
        monkeypatch.setattr(work_units, "collect", changed_before)
        with pytest.raises(CommandError, match="1 results were changed in the database"):
            reexamine("--dry-run", "--on-workers")
        monkeypatch.setattr(work_units, "collect", collect)
        assert reexamine("--dry-run", "--on-workers") == expected


def test_the_command_gives_up_if_its_only_worker_was_killed(
    changed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_units, "PATIENCE", 0.5)
    with pytest.raises(CommandError, match="No worker"):
        reexamine("--on-workers")
    execute(f"UPDATE job SET state = 'taken', lease_until = now() - interval '1 s' WHERE kind = '{KIND}'")
    with pytest.raises(work_units.Unfinished, match="No worker takes the jobs"):
        list(work_units.wait())
