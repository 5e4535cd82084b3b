"""Group commit: small posts of several threads share a transaction, and each gets its own results or its own
refusal. The threads and the database are real.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Event, current_thread, main_thread
from typing import Any

import pytest
from django.db import connection, transaction

from audit.database import rows
from audit.facts import Prepared, Refused, check
from audit.ledger import group_commit, intake
from audit.ledger.intake import Sender, post
from audit.ledger.store import Recorded
from casino.runtime.outages import DATABASE_AWAY, outage_of
from tests.audit.floor import fact, line, opened, uid
from tests.audit.test_ledger import is_intact
from tests.casino.waiting import until
from tests.conftest import House

ADA = Sender("ada")
GROUPS = "SELECT array_agg(uid::text ORDER BY position) FROM fact GROUP BY xmin::text ORDER BY min(position)"
WAITING = (
    """SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"""
)


def single(place: int, **fields: Any) -> Callable[[], list[Recorded]]:
    """Return a function that posts one fact of the table EOU-01."""
    return partial(post, [line(fact(place, **fields))], ADA)


def groups() -> list[list[str]]:
    """Return the uids of each transaction that recorded facts, in the order of the ledger."""
    return [uids for (uids,) in rows(GROUPS)]


def uids(*places: int) -> list[str]:
    return [uid(place) for place in places]


@contextmanager
def locked_ledger(house: House) -> Iterator[None]:
    """Hold the lock of the ledger during the `with` block, so that every post must wait."""
    owner = house.owner
    with owner.transaction():
        owner.execute("SELECT FROM head WHERE property = 'aurora' FOR UPDATE")
        yield


def outcome(act: Callable[[], Any]) -> Any:
    """Return the result of a function, or the exception that it raised."""
    try:
        return act()
    except Exception as error:
        return error
    finally:
        connection.close()


def waiting() -> list[int]:
    """Return the processes of the database that wait for a lock."""
    return [pid for (pid,) in rows(WAITING)]


def queued() -> int:
    """Return how many posts wait for the group before theirs."""
    return len(group_commit._queues["aurora"].posts)


def in_groups(
    house: House, *acts: Callable[[], Any], meanwhile: Callable[[], None] = lambda: None
) -> list[Any]:
    """Call each function in its own thread. The first one waits for the lock of the ledger, and the others
    wait in their order until it has committed. Call `meanwhile` then, and unlock the ledger. Return the
    outcome of each function.
    """
    with ThreadPoolExecutor(len(acts)) as threads:
        with locked_ledger(house):
            first = threads.submit(outcome, acts[0])
            until(lambda: len(waiting()) == 1)
            others = []
            for act in acts[1:]:
                others.append(threads.submit(outcome, act))
                until(lambda: queued() == len(others))
            meanwhile()
        return [future.result() for future in (first, *others)]


@pytest.fixture
def table(house: House) -> House:
    """Return a database in which the table EOU-01 is open."""
    post([line(opened(1))], ADA)
    return house


def test_posts_that_wait_share_a_transaction_and_each_gets_its_own_place(table: House) -> None:
    results = in_groups(table, *(single(place) for place in range(2, 10)))
    assert groups() == [uids(1), uids(2), uids(*range(3, 10))]
    for place, (recorded,) in enumerate(results, 2):
        assert (str(recorded.uid), recorded.number, recorded.position) == (uid(place), place, place)
        assert recorded.fresh
    jobs = rows("SELECT kind, asked FROM job WHERE stream = 'aurora/EOU-01/2026-11-27'")
    assert jobs == [("examine-stream", 3)], "each transaction requests the examination of its facts"
    assert is_intact()


def test_posts_of_many_threads_are_recorded_once_with_fewer_commits_than_posts(table: House) -> None:
    count = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
    threads, facts = 8, 40

    def night(thread: int) -> list[int]:
        """Post the facts of a table one after the other, and return their numbers."""
        name, first = f"aurora/T-{thread}", 1000 * thread
        sent = [opened(first, name), *(fact(first + place, table=name) for place in range(1, facts))]
        return [post([line(fields)], ADA)[0].number for fields in sent]

    connection.close()
    before = table.app.execute(count).fetchone()
    with ThreadPoolExecutor(threads) as pool:
        numbers = list(pool.map(lambda thread: outcome(partial(night, thread)), range(1, threads + 1)))
    after = table.app.execute(count).fetchone()
    assert before is not None
    assert after is not None
    assert numbers == [list(range(1, facts + 1))] * threads, "the order within a thread is kept"
    assert rows("SELECT count(*), count(DISTINCT uid) FROM fact") == [(1 + threads * facts,) * 2]
    assert len(groups()) < threads * facts / 2
    assert after[0] - before[0] < threads * facts
    assert is_intact()


def test_a_refused_post_does_not_affect_the_others_of_its_group(table: House) -> None:
    sealed = {"table": "aurora/EOU-02"}
    several = partial(post, [line(fact(30)), line(fact(31, **sealed)), line(fact(32))], ADA)
    results = in_groups(table, single(2), single(3), single(4, **sealed), several, single(5), single(6))
    assert groups() == [uids(1), uids(2), uids(3), uids(5), uids(6)]
    for result, place, index in ((results[2], 4, 0), (results[3], 31, 1)):
        assert isinstance(result, Refused)
        assert (result.code, result.uid, result.index) == ("not-opened", uid(place), index)
    assert [results[at][0].position for at in (0, 1, 4, 5)] == [2, 3, 4, 5]
    assert is_intact()


def test_two_posts_with_one_uid_get_one_place_or_the_later_one_is_refused(table: House) -> None:
    other = single(3, spot="1", wager="over", amount=700)
    results = in_groups(table, single(2), single(3), single(3), other, single(4), single(2))
    assert [str(recorded.uid) for (recorded,) in (results[1], results[2])] == uids(3, 3)
    assert results[1][0].fresh
    assert results[2] == [results[1][0]._replace(fresh=False)]
    assert isinstance(results[3], Refused)
    assert (results[3].code, results[3].index) == ("uid-reused", 0)
    assert "already recorded with another body" in results[3].why
    assert results[4][0].fresh
    assert results[5] == [results[0][0]._replace(fresh=False)]
    assert sorted(uid for group in groups() for uid in group) == uids(1, 2, 3, 4)


def test_rights_are_checked_for_each_sender(table: House) -> None:
    eve = partial(post, [line(fact(4))], Sender("eve", frozenset({"borealis"})))
    refused: list[Any] = []
    results = in_groups(table, single(2), single(3), meanwhile=lambda: refused.append(outcome(eve)))
    assert isinstance(refused[0], Refused)
    assert (refused[0].code, refused[0].index) == ("no-right", 0)
    assert [recorded.position for (recorded,) in results] == [2, 3]
    assert rows("SELECT count(*) FROM fact") == [(3,)]


def test_a_post_inside_a_transaction_and_a_large_one_are_recorded_alone(table: House) -> None:
    large = partial(post, [line(fact(100 + place)) for place in range(group_commit.LARGEST + 1)], ADA)

    def rolled_back() -> None:
        with transaction.atomic():
            single(50)()
            transaction.set_rollback(True)

    with ThreadPoolExecutor(4) as threads:
        with locked_ledger(table):
            futures = [threads.submit(outcome, act) for act in (single(2), large, rolled_back)]
            until(lambda: len(waiting()) == 3)
            futures.append(threads.submit(outcome, single(3)))
            until(lambda: queued() == 1)
        results = [future.result() for future in futures]
    assert sorted(map(len, groups())) == [1, 1, 1, len(results[1])]
    assert results[2] is None
    assert results[3][0].fresh
    assert rows("SELECT FROM fact WHERE uid = %s", [uid(50)]) == []
    assert is_intact()


def test_a_lost_connection_reaches_every_post_of_the_group(table: House) -> None:
    ended: list[int] = []

    def end_both() -> None:
        """End the connection of the first leader, and then that of the leader of the others."""
        for _ in range(2):
            until(lambda: set(waiting()) - set(ended))
            (leader,) = set(waiting()) - set(ended)
            table.owner.execute("SELECT pg_terminate_backend(%s)", [leader])
            ended.append(leader)

    results = in_groups(table, *map(single, range(2, 6)), meanwhile=end_both)
    assert [outage_of(result) for result in results] == [DATABASE_AWAY] * 4
    assert len({id(result) for result in results}) == 4, "each thread raises its own exception"
    assert groups() == [uids(1)]
    results = in_groups(table, *map(single, range(2, 6)))
    assert [recorded.position for (recorded,) in results] == [2, 3, 4, 5]


def test_an_error_that_is_not_the_databases_harms_only_its_own_post(table: House) -> None:
    """Test an error that is not a refusal, such as a defect that some fact triggers."""

    def append(facts: list[Prepared]) -> list[Recorded]:
        if any(str(fact.uid) == uid(4) for fact in facts):
            raise LookupError("this fact")
        return intake._record_group(facts)

    def single_post(place: int) -> Callable[[], list[Recorded]]:
        return partial(group_commit.record, "aurora", [check(line(fact(place)))], append)

    results = in_groups(table, *map(single_post, range(2, 7)))
    assert isinstance(results[2], LookupError)
    assert [uid for group in groups() for uid in group] == uids(1, 2, 3, 5, 6)


def test_another_thread_leads_if_a_leader_ends(table: House) -> None:
    ends = iter([True])

    def append(facts: list[Prepared]) -> list[Recorded]:
        if len(facts) > 1 and next(ends, False):
            raise SystemExit
        return intake._record_group(facts)

    def single_post(place: int) -> Any:
        try:
            return group_commit.record("aurora", [check(line(fact(place)))], append)
        except SystemExit:
            return "ended"

    results = in_groups(table, *(partial(single_post, place) for place in range(2, 6)))
    assert results[1] == "ended"
    assert groups() == [uids(1), uids(2), uids(4, 5)]


def test_a_thread_that_stops_waiting_leaves_the_queue(table: House) -> None:
    """Test a post of the main thread that is interrupted by a signal, as by Ctrl-C."""
    assert current_thread() is main_thread()
    posted = Event()

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGUSR1, interrupt)

    def send_signal() -> None:
        until(queued)
        posted.set()
        signal.pthread_kill(main_thread().ident or 0, signal.SIGUSR1)

    try:
        with ThreadPoolExecutor(2) as threads:
            with locked_ledger(table):
                first = threads.submit(outcome, single(2))
                until(lambda: len(waiting()) == 1)
                sent = threads.submit(send_signal)
                with pytest.raises(KeyboardInterrupt):
                    single(3)()
                sent.result()
            first.result()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert posted.is_set()
    single(4)()
    assert groups() == [uids(1), uids(2), uids(4)]
