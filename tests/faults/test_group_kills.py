"""kill -9 of a process whose threads post single facts in groups, and the end of a group's connection to the
database: no acknowledged fact is lost, and none is recorded twice when the facts are posted again.
"""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path
from random import Random
from time import sleep

from audit.database import rows
from audit.ledger.intake import Sender, post
from audit.ledger.verify import verify
from tests.audit.floor import line, opened
from tests.conftest import House
from tests.counts import LONG
from tests.faults.ledger_processes import PROPERTY, THREADS, thread_uid
from tests.faults.test_followers import start
from tests.faults.test_kills import until

KILLS = 50 if LONG else 4
FACTS = 60
"""Facts of each thread."""
JOB = "SELECT FROM job WHERE stream = 'aurora/G-0/2026-11-27' FOR UPDATE"
WAITING = """SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'
    AND datname = current_database() AND starts_with(ltrim(query), 'INSERT INTO job')"""
GROUPS = "SELECT count(*), count(DISTINCT xmin::text) FROM fact"


def acknowledged(path: Path) -> list[str]:
    """Return the uids of the facts whose post was acknowledged."""
    return path.read_text().split() if path.exists() else []


def open_tables() -> None:
    """Open the table of each thread."""
    for thread in range(THREADS):
        post([line(opened(thread_uid(thread, -1), f"{PROPERTY}/G-{thread}"))], Sender("writer"))


def end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def has_more(path: Path, before: list[str]) -> bool:
    """Return True if more facts were acknowledged than before."""
    return len(acknowledged(path)) > len(before)


def lost(path: Path) -> set[str]:
    """Return the uids that were acknowledged and are not recorded."""
    return set(acknowledged(path)) - {uid for (uid,) in rows("SELECT uid::text FROM fact")}


def test_kills_of_a_process_that_posts_in_groups_lose_and_double_no_fact(
    house: House, tmp_path: Path
) -> None:
    open_tables()
    path, random = tmp_path / "acknowledged", Random(1)
    for number in range(KILLS):
        before = acknowledged(path)
        process = start(house, "threads", number * FACTS, FACTS, path)
        try:
            until(partial(has_more, path, before), "nothing was acknowledged")
            if number % 2:
                sleep(random.random() / 10)
            else:
                owner = house.owner
                with owner.transaction():
                    owner.execute(JOB)
                    until(lambda: rows(WAITING), "no group waits between its insert and its commit")
                    end(process)
        finally:
            end(process)
        assert lost(path) == set()
    assert len(acknowledged(path)) < KILLS * THREADS * FACTS, "no process was killed while it posted"
    for number in range(KILLS):
        process = start(house, "threads", number * FACTS, FACTS, path)
        assert process.wait(300) == 0
    facts, transactions = rows(GROUPS)[0]
    assert facts == THREADS * (1 + KILLS * FACTS)
    assert transactions < facts / 2
    assert len(set(acknowledged(path))) == THREADS * KILLS * FACTS
    assert lost(path) == set()
    assert not any(ledger.faults for ledger in verify())


def test_the_end_of_a_connection_between_insert_and_commit_loses_and_doubles_no_fact(
    house: House, tmp_path: Path
) -> None:
    open_tables()
    path = tmp_path / "acknowledged"
    process = start(house, "threads", 0, FACTS, path)
    try:
        until(lambda: acknowledged(path), "nothing was acknowledged")
        owner = house.owner
        with owner.transaction():
            owner.execute(JOB)
            until(lambda: rows(WAITING), "no group waits between its insert and its commit")
            ((backend,),) = rows(WAITING)
            house.owner.execute("SELECT pg_terminate_backend(%s)", [backend])
            until(lambda: (backend,) not in rows(WAITING), "the connection was not ended")
        assert process.wait(300) == 0, "the threads post again what was not acknowledged"
    finally:
        end(process)
    assert len(acknowledged(path)) == len(set(acknowledged(path))) == THREADS * FACTS
    assert lost(path) == set()
    assert rows("SELECT count(*) FROM fact") == [(THREADS * (1 + FACTS),)]
    assert not any(ledger.faults for ledger in verify())
