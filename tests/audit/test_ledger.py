"""An acknowledged fact is recorded once, at its position in the single order of the ledger, even if others
post at the same time.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction

from audit.facts import KINDS, LEDGER_KINDS, OTHER_KINDS, Refused, check
from audit.facts.chain import FIRST, leaf_of, link
from audit.ledger import store
from audit.ledger.intake import Sender, post, post_prepared
from audit.ledger.store import Recorded
from audit.ledger.verify import verify
from audit.review import case_fold, case_tables
from tests.audit.floor import fact, line, opened, uid
from tests.conftest import House

ADA = Sender("ada")
EVE = Sender("eve", frozenset({"borealis"}))


def posted(*sent: dict[str, Any]) -> list[Recorded]:
    return post([line(fact) for fact in sent], ADA)


def day(first: int, count: int, table: str = "aurora/EOU-01") -> list[dict[str, Any]]:
    """Return the opening of a table followed by takes, `count` facts in all."""
    return [opened(first, table), *(fact(first + place, table=table) for place in range(1, count))]


def is_intact() -> bool:
    """Return True if `verify` reports no fault."""
    return not any(ledger.faults for ledger in verify())


def at_once(acts: list[Callable[[], Any]]) -> list[Any]:
    """Start all actions together, each in a thread with its own connection, and return their results. A
    refusal is a result, too.
    """
    start = threading.Barrier(len(acts))

    def start_together(act: Callable[[], Any]) -> Any:
        try:
            start.wait()
            return act()
        except Refused as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(start_together, acts))


def test_a_post_is_numbered_positioned_and_chained_in_its_order(house: House) -> None:
    answers = posted(*day(1, 4), *day(11, 3, "aurora/EOU-02"))
    assert [(recorded.stream[7:13], recorded.number, recorded.position) for recorded in answers] == [
        ("EOU-01", 1, 1),
        ("EOU-01", 2, 2),
        ("EOU-01", 3, 3),
        ("EOU-01", 4, 4),
        ("EOU-02", 1, 5),
        ("EOU-02", 2, 6),
        ("EOU-02", 3, 7),
    ]
    chain = FIRST
    for recorded, sent in zip(answers, [*day(1, 4), *day(11, 3, "aurora/EOU-02")], strict=True):
        chain = link(chain, recorded.position, recorded.number, leaf_of(check(line(sent)).body))
        assert recorded.chain == chain
        assert recorded.fresh
    head = house.app.execute("select position, chain from head").fetchone()
    assert head == (7, chain)
    assert is_intact()


def test_streams_that_take_turns_in_one_post_are_each_numbered_without_a_gap(house: House) -> None:
    first, second = day(1, 4), day(11, 4, "aurora/EOU-02")
    answers = posted(*(fact for pair in zip(first, second, strict=True) for fact in pair))
    assert [recorded.number for recorded in answers] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert [recorded.position for recorded in answers] == list(range(1, 9))
    assert is_intact()


def test_the_same_post_twice_counts_once(house: House) -> None:
    first = posted(*day(1, 5))
    second = posted(*day(1, 5))
    assert [recorded._replace(fresh=True) for recorded in second] == first
    assert not any(recorded.fresh for recorded in second)
    mixed = posted(*day(1, 5)[2:4], fact(9), day(1, 5)[4], fact(10))
    assert [(recorded.number, recorded.fresh) for recorded in mixed] == [
        (3, False),
        (4, False),
        (6, True),
        (5, False),
        (7, True),
    ]
    assert is_intact()


def test_a_uid_with_another_body_is_refused_and_both_hashes_are_named(house: House) -> None:
    posted(*day(1, 3))
    other = fact(2, spot="1", wager="over", amount=501)
    with pytest.raises(Refused) as caught:
        posted(fact(7), other, fact(8))
    assert (caught.value.code, caught.value.field, caught.value.index, caught.value.uid) == (
        "uid-reused",
        "uid",
        1,
        uid(2),
    )
    assert check(line(other)).leaf.hex() in caught.value.why
    assert check(line(fact(2))).leaf.hex() in caught.value.why
    assert [row.number for row in store.read_stream("aurora", "aurora/EOU-01/2026-11-27")] == [
        1,
        2,
        3,
    ], "nothing of the post was written"


def test_of_two_equal_facts_in_one_post_the_second_is_dropped_and_unequal_ones_are_refused(
    house: House,
) -> None:
    answers = posted(opened(1), fact(2), fact(2), fact(3))
    assert [recorded.number for recorded in answers] == [1, 2, 2, 3]
    with pytest.raises(Refused) as caught:
        posted(fact(4), fact(5), fact(4, spot="1", wager="over", amount=1))
    assert (caught.value.code, caught.value.index) == ("uid-reused", 2)
    assert "of the first, fact 1 of the post, is " in caught.value.why


def test_a_table_stream_begins_with_table_opened_and_the_property_stream_with_any_kind(house: House) -> None:
    with pytest.raises(Refused) as caught:
        posted(*day(1, 3), fact(4, table="aurora/EOU-09"))
    assert (caught.value.code, caught.value.field, caught.value.index) == ("not-opened", "kind", 3)
    assert store.streams() == []
    posted(fact(1, kind="log-written", table="aurora/house", about="x", words_sha256="y", by="dana"))
    with pytest.raises(Refused):
        posted(fact(2, table="aurora/houses"))


def test_after_a_close_the_rest_of_the_post_is_refused_too(house: House) -> None:
    closing = fact(4, kind="day-closed", by="boris")
    with pytest.raises(Refused) as caught:
        posted(*day(1, 3), closing, fact(5))
    assert (caught.value.code, caught.value.index) == ("stream-sealed", 4)
    assert store.streams() == []
    posted(*day(1, 3), closing)
    assert [(stream.number, stream.sealed) for stream in store.streams()] == [(4, True)]
    for late in (fact(5), fact(6, kind="day-closed", by="boris"), opened(7)):
        with pytest.raises(Refused) as caught:
            posted(late)
        assert (caught.value.code, caught.value.field) == ("stream-sealed", "day")
    assert [recorded.fresh for recorded in posted(*day(1, 3), closing)] == [False] * 4, (
        "what is recorded is recorded, sealed or not"
    )
    posted(
        *day(20, 2, "aurora/EOU-02"),
        fact(30, kind="log-written", table="aurora/house", about="x", words_sha256="y", by="dana"),
    )
    assert is_intact()


def test_a_sender_may_not_post_for_another_property(house: House) -> None:
    with pytest.raises(Refused) as caught:
        post([line(opened(1, "borealis/EOU-01")), line(opened(2))], EVE)
    assert (caught.value.code, caught.value.index) == ("no-right", 1)
    assert store.streams() == []
    post([line(opened(1, "borealis/EOU-01"))], EVE)


def test_a_post_for_two_properties_is_recorded_in_both_ledgers_or_in_none(house: House) -> None:
    with pytest.raises(Refused) as caught:
        posted(opened(1, "borealis/T-1"), opened(2, "aurora/T-1"), fact(3, table="borealis/T-2"))
    assert caught.value.index == 2
    assert store.streams() == []
    answers = posted(opened(1, "borealis/T-1"), opened(2, "aurora/T-1"), opened(1, "aurora/T-2"))
    assert [(recorded.stream, recorded.position) for recorded in answers] == [
        ("borealis/T-1/2026-11-27", 1),
        ("aurora/T-1/2026-11-27", 1),
        ("aurora/T-2/2026-11-27", 2),
    ]
    assert is_intact()


@pytest.mark.parametrize(
    "name",
    ["AURORA", "Çeşme Oteli", "a'b", 'a"b', "a;drop table fact", "x" * 100, "x" * 99 + "y", "fact", "%s"],
)
def test_a_property_may_have_any_name(house: House, name: str) -> None:
    posted(opened(1, f"{name}/T-1"), opened(2, "x" * 98 + "/T-1"))
    assert [stream.property for stream in store.streams()] == sorted([name, "x" * 98])
    assert is_intact()


def test_twenty_posts_of_one_uid_at_once_record_it_once(house: House) -> None:
    posted(opened(1))
    answers = at_once([lambda: posted(fact(2))] * 20)
    assert sum(recorded[0].fresh for recorded in answers) == 1
    assert {recorded[0][:5] for recorded in answers} == {answers[0][0][:5]}
    assert is_intact()


def test_if_twenty_bodies_with_one_uid_are_posted_at_once_one_is_recorded(
    house: House,
) -> None:
    posted(opened(1))
    bodies = [fact(2, spot="1", wager="over", amount=amount) for amount in range(1, 21)]
    answers = at_once([lambda body=body: posted(body) for body in bodies])  # type: ignore[misc]
    refusals = [answer for answer in answers if isinstance(answer, Refused)]
    assert len(refusals) == 19
    (stored,) = [
        body for body, answer in zip(bodies, answers, strict=True) if not isinstance(answer, Refused)
    ]
    for answer in refusals:
        assert answer.code == "uid-reused"
        assert check(line(stored)).leaf.hex() in answer.why
    assert is_intact()


def test_first_posts_to_a_new_property_at_once_make_one_ledger(house: House) -> None:
    answers = at_once(
        [lambda table=table: posted(opened(table, f"aurora/T-{table}")) for table in range(1, 9)]
    )  # type: ignore[misc]
    assert sorted(recorded[0].position for recorded in answers) == list(range(1, 9))
    assert is_intact()


def test_four_writers_at_once_leave_no_gap_in_any_order(house: House) -> None:
    def night(writer: int) -> None:
        facts = day(1000 * writer, 60, f"aurora/T-{writer}")
        for place in range(0, len(facts), 7):
            posted(*facts[place : place + 7])
            if place == 0:
                posted(opened(1000 * writer + 500, f"aurora/shared-{writer % 2}"))

    posted(opened(1, "aurora/shared-0"), opened(2, "aurora/shared-1"))
    at_once([lambda writer=writer: night(writer) for writer in range(1, 5)])  # type: ignore[misc]
    rows = house.app.execute("select position, stream, number from fact order by position").fetchall()
    assert [row[0] for row in rows] == list(range(1, 4 * 61 + 3))
    for stream in {row[1] for row in rows}:
        numbers = [row[2] for row in rows if row[1] == stream]
        assert numbers == list(range(1, len(numbers) + 1))
    assert is_intact()


def follow(stop: threading.Event) -> list[int]:
    """Read the positions of new facts again and again until `stop` is set. Return all positions in the order
    in which they were read.
    """
    read: list[int] = []
    while True:
        last = stop.is_set()
        with connection.cursor() as cursor:
            after = read[-1] if read else 0
            cursor.execute(
                "select position from fact where property = 'aurora' and position > %s order by position",
                [after],
            )
            read += [position for (position,) in cursor.fetchall()]
        if last:
            return read


def call_and_close(act: Callable[..., Any], *args: Any) -> Any:
    """Call a function, and then close the connection of its thread. Return the result of the function."""
    try:
        return act(*args)
    finally:
        connection.close()


def wait_for_writers(house: House, count: int) -> None:
    """Wait until this number of transactions wait for a lock."""
    waiting = (
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type ="
        " 'Lock'"
    )
    with house.app as app:
        until = monotonic() + 300
        while app.execute(waiting).fetchone() != (count,):
            assert monotonic() < until, "the writers do not wait behind the one that paused"
            sleep(0.01)


def test_a_reader_that_follows_misses_nothing_while_a_writer_pauses_before_its_commit(house: House) -> None:
    posted(*(opened(table, f"aurora/T-{table}") for table in (1, 2, 3)))
    stop, written, go_on = threading.Event(), threading.Event(), threading.Event()

    def slow() -> None:
        with transaction.atomic():
            post_prepared([check(line(fact(100, table="aurora/T-1")))], ADA)
            written.set()
            assert go_on.wait(300)

    def quick(table: int) -> None:
        for place in range(30):
            posted(fact(1000 * table + place, table=f"aurora/T-{table}"))

    with ThreadPoolExecutor(4) as threads:
        try:
            reader, pause = threads.submit(call_and_close, follow, stop), threads.submit(call_and_close, slow)
            assert written.wait(300)
            writers = [threads.submit(call_and_close, quick, table) for table in (2, 3)]
            wait_for_writers(house, 1)  # the other one waits in the queue of its group
            go_on.set()
            for future in (pause, *writers):
                future.result()
        finally:
            go_on.set()
            stop.set()
        assert reader.result() == list(range(1, 65))
    assert is_intact()


def test_facts_are_read_back_as_they_were_sent_page_after_page(house: House) -> None:
    sent = day(1, 5203)
    for place in range(0, len(sent), 1000):
        posted(*sent[place : place + 1000])
    stream = "aurora/EOU-01/2026-11-27"
    rows = list(store.read_stream("aurora", stream))
    assert [row.number for row in rows] == list(range(1, 5204))
    assert [json.loads(row.body) for row in rows] == sent
    assert [row.number for row in store.read_stream("aurora", stream, after=5200)] == [5201, 5202, 5203]
    assert list(store.read_stream("aurora", stream, after=5203)) == []
    assert list(store.read_stream("borealis", stream)) == []


def test_the_ledger_fold_is_given_its_kinds_in_the_order_of_commit_by_an_index(house: House) -> None:
    bought = {"kind": "chips-bought", "spot": "1", "amount": 5, "tender": "cash"}
    posted(
        opened(1),
        opened(2, "aurora/T-2"),
        fact(3),
        fact(4, **bought),
        fact(5, table="aurora/T-2", **bought),
        fact(6),
    )
    read = list(store.read_kinds("aurora", {"chips-bought", "table-opened"}))
    assert [(position, stream[:10], number) for position, stream, number, _ in read] == [
        (1, "aurora/EOU", 1),
        (2, "aurora/T-2", 1),
        (4, "aurora/EOU", 3),
        (5, "aurora/T-2", 2),
    ]
    assert [row[0] for row in store.read_kinds("aurora", {"chips-bought"}, after=4)] == [5]
    with pytest.raises(ValueError, match="take"):
        list(store.read_kinds("aurora", {"take"}))
    owner = house.owner
    (definition,) = owner.execute(
        "select indexdef from pg_indexes where indexname = 'fact_of_the_ledger'"
    ).fetchone() or ("",)
    assert tuple(re.findall(r"'([a-z-]+)'::text", definition)) == OTHER_KINDS
    assert sorted([*OTHER_KINDS, *LEDGER_KINDS]) == sorted(KINDS)
    query = store._KINDS_PAGE.replace("%s", "{}").format("'aurora'", "0", "'{chips-bought}'")
    owner.execute("set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off")
    shown = " ".join(row[0] for row in owner.execute("explain " + query).fetchall())
    assert "property_position_idx" in shown


def test_facts_of_cases_are_read_through_their_indexes(house: House) -> None:
    assert {kind for kind in KINDS if kind.startswith("case-")} == case_fold.CASE_KINDS
    posted(opened(1))
    house.owner.execute("set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off")
    for query, index in (
        (case_fold._ORDINARY, "fact_of_case"),
        (case_fold.EVERY_ORDINARY, "fact_of_all_cases"),
        (case_tables._NEWS, "fact_of_all_cases"),
    ):
        statement = query.replace("md5(%s)", "'x'").replace("= %s", "= 'aurora'", 1).replace("%s", "0")
        shown = " ".join(row[0] for row in house.owner.execute("explain " + statement).fetchall())
        children = house.owner.execute(
            "select inhrelid::regclass::text from pg_inherits where inhparent = %s::regclass", [index]
        ).fetchall()
        assert any(name in shown for (name,) in children), shown


def test_people_who_query_read_a_fact_as_jsonb(house: House) -> None:
    posted(opened(1), fact(2, spot="1", wager="over", amount=700))
    rows = house.app.execute(
        "select body ->> 'amount' from fact_json where (body ->> 'amount')::int > 500"
    ).fetchall()
    assert rows == [("700",)]


def test_facts_are_appended_only_where_the_last_commit_can_be_seen(house: House) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        with pytest.raises(psycopg.errors.RaiseException, match="READ COMMITTED"):
            posted(opened(1))
