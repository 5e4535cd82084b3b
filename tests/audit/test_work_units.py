"""`reexamine --on-workers` divides its work into units for Celery workers. It prints and stores the same as
`reexamine` in one process. It can be continued after workers or the command itself have ended.
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
from audit.differences import Difference, Differences
from audit.findings import work_units
from audit.findings.finding_writer import Change
from audit.findings.parts import Part, from_bytes, to_bytes
from audit.findings.work_units import KIND
from tests.audit.test_derived import change_first_row, examined, rows

assert examined  # a fixture


def reexamine(*options: str) -> str:
    """Run `reexamine` with these options, and return what it prints."""
    out = StringIO()
    with suppress(SystemExit):
        call_command("reexamine", *options, stdout=out)
    return out.getvalue()


@contextmanager
def worker(limit: int = 1000) -> Iterator[None]:
    """Do units of work in a thread while this block runs, as Celery workers do. Stop after `limit` units."""
    over = Event()

    def work() -> None:
        count = 0
        try:
            while not over.wait(0.02) and count < limit:
                for (id,) in rows(f"SELECT id FROM job WHERE kind = '{KIND}' AND state = 'due' LIMIT 1"):
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
    names = [(str(property), str(stream)) for property, stream in rows("SELECT property, name FROM stream")]
    assert work_units.begin(names, "rules", dry_run=True) == 0
    rows("UPDATE work_unit SET result = '\\x00' WHERE number = 0")
    assert work_units.begin(names, "rules", dry_run=True) == 1
    assert work_units.begin(names, "rules", dry_run=False) == 0
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
    with pytest.raises(work_units.Unfinished, match=r"streams could not be examined. See `manage.py jobs`"):
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
