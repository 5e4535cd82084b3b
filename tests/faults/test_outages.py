"""Faults of the machine: a connection that is lost during COPY, a clock that is set back, and a broker that
is away for an hour. No fact is lost, and the work continues afterwards.

The other faults have their tests elsewhere: a full disk and a stopped Postgres in `test_database_away.py`,
kills in `test_kills.py` and `test_kills_before_commit.py`, a half-written tile and a lost key in
`tests/casino/test_checkpoints.py`.
"""

from __future__ import annotations

import os
import signal

import pytest
from django.db import DataError, OperationalError, connection

from audit import database, tasks
from audit.jobs import leases
from audit.jobs.outages import is_outage
from audit.ledger.intake import Sender, post
from audit.proofs.registry import LEDGER, selected
from audit.proofs.run import run
from audit.queries import copy_rows
from audit.queries.list_filters import Query
from tests.audit.floor import fact, line, opened
from tests.conftest import House

ADA = Sender("Ada's table")
ROWS = 100_000


def test_a_connection_that_is_lost_during_copy_is_an_outage_and_no_short_file(house: House) -> None:
    query = Query(f"SELECT n, repeat('x', 500) AS text FROM generate_series(1, {ROWS}) n", [])
    rows = copy_rows.exact(query, ["n", "text"], lambda written: None)
    next(rows)
    pid = connection.connection.info.backend_pid
    os.kill(pid, signal.SIGTERM)  # the server ends this one connection
    with pytest.raises(OperationalError) as raised:
        list(rows)
    assert is_outage(raised.value), "the job of an export is due again"
    connection.close()
    assert b"".join(copy_rows.exact(query, ["n", "text"], lambda written: None)).count(b"\n") == ROWS


@pytest.mark.parametrize("last", [3, ROWS])
def test_an_error_in_the_last_row_of_a_copy_is_raised_and_no_short_file(house: House, last: int) -> None:
    query = Query(f"SELECT n, 1 / ({last} - n) AS share FROM generate_series(1, {last}) n", [])
    with pytest.raises(DataError, match="division by zero"):
        list(copy_rows.exact(query, ["n", "share"], lambda written: None))
    assert database.rows("SELECT 1") == [(1,)], "the connection can be used"


def test_a_copy_that_is_not_read_to_its_end_is_cancelled(house: House) -> None:
    query = Query("SELECT n FROM generate_series(1, 1000000000) n", [])
    rows = copy_rows.exact(query, ["n"], lambda written: None)
    next(rows)
    rows.close()  # type: ignore[attr-defined]
    assert database.rows("SELECT 1") == [(1,)], "the connection can be used"


def test_facts_recorded_after_the_clock_was_set_back_are_not_earlier(house: House) -> None:
    post([line(opened(1)), line(fact(2))], ADA)
    with house.owner as owner:  # as if the clock had been an hour ahead until now
        owner.execute("ALTER TABLE fact DISABLE TRIGGER USER")
        partitions = owner.execute(
            "SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'fact'::regclass"
        )
        for (partition,) in partitions.fetchall():
            owner.execute(f"ALTER TABLE {partition} DISABLE TRIGGER USER")
        owner.execute("UPDATE fact SET recorded_at = now() + interval '1 hour' WHERE position = 2")
        owner.execute("UPDATE head SET recorded_at = (SELECT recorded_at FROM fact WHERE position = 2)")
    post([line(fact(3))], ADA)
    post([line(fact(4))], ADA)
    times = [time for (time,) in database.rows("SELECT recorded_at FROM fact ORDER BY position")]
    assert times[1] == times[2] == times[3]
    assert run(selected([LEDGER])).faults == []


def test_jobs_of_an_hour_without_a_broker_are_done_when_it_is_back(house: House) -> None:
    post([line(opened(1))], ADA)
    post([line(fact(place)) for place in range(2, 20)], ADA)
    ids = [id for (id,) in database.rows("SELECT id FROM job ORDER BY id")]
    past = "now() - interval '1 hour'"  # when the last notification was sent, which nobody received
    database.execute(f"UPDATE job SET rung_at = {past}, due_at = {past}")
    assert leases.sweep() == len(ids) > 1
    for id in [*ids, *ids]:  # the broker delivers each notification twice
        tasks.examine(id)
    assert database.rows("SELECT DISTINCT state FROM job") == [("done",)]
    assert database.rows(
        "SELECT x.cursor, s.number FROM examination x JOIN stream s ON s.name = x.stream"
    ) == [(19, 19)]
