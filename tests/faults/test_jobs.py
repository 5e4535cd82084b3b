"""A job is a database row with a lease: no request is lost, no two workers work on one job at the same time,
and jobs that fail are shown.
"""

import errno
import signal
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import Any

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction

from audit import tasks
from audit.facts import Refused
from audit.jobs import leases
from audit.jobs.outages import is_outage
from audit.ledger.intake import Sender, post
from audit.management.commands.jobs import HEADINGS
from casino.runtime.operations import heartbeats
from tests.audit.floor import fact, line, opened
from tests.casino.inside import gone
from tests.conftest import House
from tests.manage import Manage

ADA = Sender("Ada's table")


def rows(query: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return cursor.fetchall() if cursor.description else []


def stream_job() -> int:
    return rows("SELECT id FROM job WHERE kind = %s", leases.STREAM)[0][0]


def state(id: int) -> str:
    return rows("SELECT state FROM job WHERE id = %s", id)[0][0]


@pytest.fixture
def table(house: House) -> int:
    """Open one table, and return the id of the job that examines its stream."""
    post([line(opened(1))], ADA)
    return stream_job()


def test_a_post_requests_its_jobs_in_the_same_transaction(table: int) -> None:
    assert rows("SELECT kind, state, asked FROM job ORDER BY kind") == [
        (leases.LEDGER, "due", 1),
        (leases.STREAM, "due", 1),
    ]
    with pytest.raises(Refused):
        post([line(fact(2)), line(fact(1))], ADA)
    assert rows("SELECT max(asked) FROM job") == [(1,)]
    post([line(opened(1))], ADA)  # nothing new was recorded, so no job is requested
    assert rows("SELECT max(asked) FROM job") == [(1,)]


def test_a_finished_job_is_done_and_running_it_twice_changes_nothing(table: int) -> None:
    for _ in range(2):
        tasks.examine(table)
        assert rows("SELECT state, cursor, attempts, lease FROM job WHERE id = %s", table) == [
            ("done", 1, 0, "")
        ]


def test_facts_posted_during_a_job_make_it_due_again(table: int) -> None:
    lease = leases.take(table)
    assert lease is not None
    post([line(fact(2))], ADA)
    assert state(table) == "taken"
    with transaction.atomic():
        leases.finish(lease, 1)
    assert state(table) == "due"
    tasks.examine(table)
    assert rows("SELECT state, cursor FROM job WHERE id = %s", table) == [("done", 2)]


def test_of_many_notified_workers_one_gets_the_job(table: int) -> None:
    def take(_: int) -> bool:
        try:
            return leases.take(table) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(16))) == 1


def test_a_worker_waits_for_the_row_that_a_post_locks_and_then_takes_the_job(
    table: int, house: House
) -> None:
    holder = house.app
    holder.autocommit = False
    holder.execute("UPDATE job SET asked = asked + 1 WHERE id = %s", [table])
    with ThreadPoolExecutor(1) as pool:

        def take() -> bool:
            try:
                return leases.take(table) is not None
            finally:
                connection.close()

        taken = pool.submit(take)
        sleep(0.1)
        assert not taken.done()
        holder.commit()
        assert taken.result(5)


def test_a_worker_that_lost_its_lease_writes_nothing(table: int) -> None:
    lease = leases.take(table)
    assert lease is not None
    rows("UPDATE job SET lease_until = now() - interval '1 second'")
    other = leases.take(table)
    assert other is not None
    with leases.held(lease), transaction.atomic():  # the slow worker returns after its lease expired
        leases.finish(lease, tasks.WORK[lease.kind](lease))
    assert rows("SELECT count(*) FROM examination") == [(0,)]
    assert state(table) == "taken"
    with transaction.atomic():
        leases.finish(other, tasks.WORK[other.kind](other))
    assert rows("SELECT cursor FROM examination") == [(1,)]


def test_a_lease_is_renewed_while_its_work_goes_on(table: int) -> None:
    lease = leases.take(table)
    assert lease is not None
    with leases.held(lease):
        lease.progress[:] = [7, 9]
        sleep(leases.RENEW + 0.5)
        assert rows(
            "SELECT renewed_at > now() - interval '1 second', done, total FROM job WHERE id = %s", table
        ) == [(True, 7, 9)]


def test_the_job_of_a_killed_worker_is_taken_by_the_next_one(
    table: int, house: House, manage: Manage
) -> None:
    takes = f"from audit.jobs import leases; leases.take({table}); print('taken', flush=True); input()"
    worker = manage.start("shell", "-v0", "-c", takes, env=house.env)
    assert worker.stdout is not None
    assert worker.stdout.readline() == "taken\n"
    assert leases.take(table) is None
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    start = monotonic()
    assert gone(worker.pid)
    while (lease := leases.take(table)) is None:
        assert monotonic() < start + leases.LEASE + 60
        sleep(0.2)
    assert (lease.attempts, lease.interruptions) == (0, 1)
    rows(
        "UPDATE job SET lease_until = now() - interval '1 minute', rung_at = now() - interval '1 minute'"
        " WHERE id = %s",
        table,
    )
    rows("UPDATE job SET state = 'done' WHERE id <> %s", table)
    assert leases.sweep() == 1
    assert leases.sweep() == 0


@pytest.mark.parametrize(
    "change",
    [
        "rung_at = '-infinity', state = 'taken', lease = 'x', lease_until = NULL",
        "rung_at = 'infinity'",
        "rung_at = '-infinity', state = 'taken', lease_until = '-infinity', interruptions = -2147483648",
    ],
)
def test_no_value_in_a_job_makes_it_wait_for_ever(table: int, change: str) -> None:
    """Test that no value in the row of a job makes it wait for ever. A table with a waiting job is not
    reported as unexamined.
    """
    rows("UPDATE job SET state = 'done' WHERE id <> %s", table)
    rows(f"UPDATE job SET {change} WHERE id = %s", table)
    assert leases.sweep() == 1
    assert leases.take(table) is not None


@pytest.mark.parametrize("change", ["due_at = 'infinity'", "state = 'taken', lease_until = 'infinity'"])
def test_a_job_that_no_worker_will_do_does_not_count_as_waiting(table: int, change: str) -> None:
    job = leases.STREAM, "aurora", "aurora/EOU-01/2026-11-27"
    assert leases.is_waiting(*job)
    rows(f"UPDATE job SET {change} WHERE id = %s", table)
    assert not leases.is_waiting(*job)


def poisoned(table: int) -> None:
    rows("UPDATE job SET kind = 'count-the-ceiling' WHERE id = %s", table)
    for attempt in range(leases.MOST):
        assert state(table) == "due"
        rows("UPDATE job SET due_at = now() WHERE id = %s", table)
        with pytest.raises(KeyError):
            tasks.examine(table)
        waits = rows("SELECT due_at > now() FROM job WHERE id = %s", table)
        assert waits == [(True,)], attempt


def test_a_job_that_keeps_failing_is_set_aside_and_shown_until_it_is_revived(
    table: int, house: House, manage: Manage, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("ERROR", "audit"):
        poisoned(table)
    assert [record.getMessage() for record in caplog.records if record.name == leases.__name__] == [
        f"Job {table} (count-the-ceiling) was set aside after 5 failures (KeyError): see manage.py jobs."
    ]
    tasks.examine(table)
    assert state(table) == "set-aside"
    assert leases.sweep() == 0
    post([line(fact(2))], ADA)
    assert state(table) == "set-aside"
    shown = manage("jobs", env=house.env)
    assert shown.returncode == 1
    assert shown.stdout.split("\n")[0].split() == list(HEADINGS)
    assert "set-aside" in shown.stdout
    assert "KeyError: 'count-the-ceiling'" in shown.stdout
    assert shown.stderr.startswith("jobs set aside: 1")
    rows("UPDATE job SET kind = %s WHERE id = %s", leases.STREAM, table)  # the cause of the failure is fixed
    retried = manage("jobs", "--again", str(table), "--by", "m-101", env=house.env)
    assert retried.stdout == "jobs made due again: 1\n"
    assert rows("SELECT job, property, key, by, error FROM job_revival") == [
        (
            table,
            "aurora",
            "examine-stream aurora aurora/EOU-01/2026-11-27",
            "m-101",
            "KeyError: 'count-the-ceiling'",
        )
    ]
    with pytest.raises(DatabaseError):
        rows("DELETE FROM job_revival")
    tasks.examine(table)
    assert rows("SELECT state, cursor, error FROM job WHERE id = %s", table) == [("done", 2, "")]


def make_due(id: int) -> None:
    """Make the job of a killed worker due now. Change the job's row as if the lease had ended and the pause
    after it were over.
    """
    rows(
        "UPDATE job SET due_at = now(), lease_until = now() - interval '1 hour' WHERE id = %s AND"
        " lease_until IS NOT NULL",
        id,
    )


def test_a_job_that_kills_its_workers_waits_longer_each_time_and_becomes_an_alarm(
    table: int, caplog: pytest.LogCaptureFixture
) -> None:
    waits = []
    for interruptions in range(3 * leases.MOST):
        lease = leases.take(table)
        assert lease is not None
        assert (lease.interruptions, lease.attempts) == (interruptions, 0)
        rows("UPDATE job SET lease_until = now() - interval '10 ms'")
        assert (leases.take(table) is not None) == (interruptions == 0)
        ((wait,),) = rows(f"SELECT extract(epoch FROM {leases._PAUSE})::int FROM job WHERE id = %s", table)
        waits.append(wait)
        if interruptions == 0:
            rows("UPDATE job SET interruptions = 0")
        make_due(table)
    assert waits[1:] == [min(2**n, leases.LONGEST_PAUSE) for n in range(1, len(waits))]
    assert len(caplog.records) == len(waits) - leases.ALARM
    assert {record.levelname for record in caplog.records} == {"ERROR"}
    shown = heartbeats.now()
    assert (shown.interrupted, shown.jobs["set-aside"]) == (1, 0)
    tasks.examine(table)
    assert rows("SELECT state, interruptions, error FROM job WHERE id = %s", table) == [("done", 0, "")]
    assert heartbeats.now().interrupted == 0


OUTAGES = (
    OSError(errno.ENOSPC, "No space left on device"),
    MemoryError(),
    ConnectionResetError(),
    InterfaceError("the connection is closed"),
    OperationalError("the connection is lost"),
)


def test_an_outage_is_not_counted_as_an_attempt(table: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for interruptions, error in enumerate(2 * OUTAGES, 1):

        def fail(lease: leases.Lease, error: Exception = error) -> int:
            raise error

        with monkeypatch.context() as during:
            during.setitem(tasks.WORK, leases.STREAM, fail)
            with pytest.raises(type(error)):
                tasks.examine(table)
        assert rows(
            "SELECT state, attempts, interruptions, due_at > now() FROM job WHERE id = %s", table
        ) == [("due", 0, interruptions, True)]
        rows("UPDATE job SET due_at = now() WHERE id = %s", table)
    tasks.examine(table)
    assert state(table) == "done"


def test_error_codes_of_the_database_tell_outages_from_errors(house: House) -> None:
    outages = {}
    for code in ("53100", "57P01", "40P01", "54000", "22003", "XX000"):
        with pytest.raises(DatabaseError) as raised:
            rows(f"DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '{code}'; END $$")
        outages[code] = is_outage(raised.value)
    assert outages == {
        "53100": True,
        "57P01": True,
        "40P01": True,
        "54000": False,
        "22003": False,
        "XX000": False,
    }


def test_a_post_succeeds_at_once_though_the_broker_is_away(table: int, house: House, manage: Manage) -> None:
    rows("UPDATE job SET state = 'done'")
    timed = f"""
import time; from audit.ledger.intake import Sender, post
begun = time.monotonic(); post([{line(fact(2))!r}], Sender('Ada')); print(time.monotonic() - begun < 30)
begun = time.monotonic(); post([{line(fact(3))!r}], Sender('Ada')); print(time.monotonic() - begun < 10)
"""
    ran = manage("shell", "-v0", "-c", timed, env=house.env | {"CELERY_BROKER_URL": "redis://127.0.0.1:1/0"})
    assert (ran.returncode, ran.stdout) == (0, "True\nTrue\n"), ran.stderr
    assert state(table) == "due"


def test_what_a_command_examined_waits_for_no_worker_and_what_comes_after_does(table: int) -> None:
    from audit.findings import examine as findings

    findings.examine()
    assert rows("SELECT DISTINCT state FROM job") == [("done",)]
    post([line(fact(2))], ADA)
    assert state(table) == "due"


def test_a_job_requested_again_while_it_runs_stays_due(table: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from audit.findings import examine as findings

    findings.examine_stream("aurora", "aurora/EOU-01/2026-11-27")
    lay_down = leases._LAY_DOWN
    monkeypatch.setattr(
        leases, "_LAY_DOWN", lay_down.replace("asked = %s", "asked + 1 = %s")
    )  # as if facts had been posted in the meantime
    leases.done_by_hand()
    assert state(table) == "due"
