"""Server-sent events of the queue and the floor, over real HTTP. They arrive, continue after a lost
connection without loss or repetition, and end with the right or the session. They take no thread from other
requests.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from django.db import connections, transaction
from django.test import Client

from audit.database import execute, rows
from audit.review import queue_changes
from casino.accounts import services as accounts
from casino.accounts import view_log
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.runtime.operations.connections import Channel
from casino.web import streams
from tests.audit.floor import fact, opened
from tests.casino.conftest import ROLES, Api, Cast
from tests.casino.nights import record, troubled_day
from tests.casino.streaming import Reader, serving
from tests.casino.test_api import problem
from tests.casino.waiting import until
from tests.furnished import furnishing

QUEUE, FLOOR = "/queue/stream/", "/floor/stream/"


@furnishing
def night() -> Cast:
    cast = Cast()
    record(troubled_day(times=1))
    return cast


@pytest.fixture
def address(night: Cast) -> Iterator[str]:
    with serving() as address:
        yield address


def touch(hand: str) -> None:
    """Change a hand of the queue, as any examination or verdict does."""
    execute("UPDATE queued SET touched = pg_current_xact_id() WHERE hand = %s", [hand])


def hands_of(reader: Reader) -> list[str]:
    return [hand["hand"] for _, _, data in reader.events for hand in data["hands"]]


def test_changes_of_the_queue_arrive_and_one_view_is_recorded(night: Cast, address: str) -> None:
    reader = Reader(address, QUEUE, "v-101")
    assert (reader.status, reader.answer.headers["Content-Type"]) == (200, "text/event-stream")
    record(troubled_day(table="EOU-08", times=1))
    until(
        lambda: any(data["hands"][0]["stream"].startswith("aurora/EOU-08/") for _, _, data in reader.events)
    )
    recorded = view_log.viewings(["aurora"], person="v-101")
    assert [(viewing.hand, viewing.address) for viewing in recorded] == [("Live queue", QUEUE)]
    reader.cut()


def test_facts_of_tables_arrive_in_the_order_of_the_ledger(night: Cast, address: str) -> None:
    reader = Reader(address, FLOOR, "s-201")
    for place in (1, 2, 3):
        record([opened(place, f"aurora/EOU-9{place}")])
    until(lambda: {data["table"] for _, _, data in reader.events} >= {"EOU-91", "EOU-92", "EOU-93"})
    numbers = [int(id) for id, _, _ in reader.events]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == rows("SELECT position FROM head WHERE property = 'aurora'")[0][0]
    reader.cut()


def test_a_stream_continues_after_cuts_without_loss_or_repetition(night: Cast, address: str) -> None:
    names = [hand for (hand,) in rows("SELECT hand FROM queued ORDER BY 1")]
    assert len(names) > 3
    received: list[str] = []
    reader = Reader(address, QUEUE, "v-101")
    for place, name in enumerate(names):
        if place % 2:
            last = reader.cut()
            received += hands_of(reader)
            touch(name)  # while nothing is connected
            reader = Reader(address, QUEUE, "v-101", last)
        else:
            touch(name)
        reader.wait_for(1)
    until(lambda: len(received) + len(hands_of(reader)) >= len(names))
    time.sleep(2 * streams.READ_SECONDS)
    reader.cut()
    assert sorted(received + hands_of(reader)) == sorted(names)


def test_a_floor_stream_continues_after_a_cut(night: Cast, address: str) -> None:
    first = Reader(address, FLOOR, "s-201")
    record([opened(1, "aurora/EOU-91")])
    first.wait_for(1)
    last = first.cut()
    record([opened(2, "aurora/EOU-92")])
    record([fact(3, "table-closed", "aurora/EOU-91", by="s-201")])
    second = Reader(address, FLOOR, "s-201", last)
    second.wait_for(2)
    time.sleep(2 * streams.READ_SECONDS)
    second.cut()
    assert [data["table"] for _, _, data in second.events] == ["EOU-92", "EOU-91"]


def test_a_transaction_that_ends_late_is_sent_once(night: Cast) -> None:
    (hand,) = rows("SELECT hand FROM queued ORDER BY 1 LIMIT 1")[0]
    has_begun, may_commit = threading.Event(), threading.Event()

    def change_slowly() -> None:
        with transaction.atomic():
            touch(hand)
            has_begun.set()
            may_commit.wait(30)
        connections.close_all()

    thread = threading.Thread(target=change_slowly)
    thread.start()
    has_begun.wait(30)
    first = queue_changes.now()
    later_hand = rows("SELECT hand FROM queued ORDER BY 1 DESC LIMIT 1")[0][0]
    touch(later_hand)  # a younger transaction that is committed first
    second = queue_changes.now()
    may_commit.set()
    thread.join()
    third = queue_changes.now()

    def changed(after: str, upto: str) -> list[str]:
        return [row.hand for row in queue_changes.between(["aurora"], after, upto)[0]]

    assert changed(first, second) == [later_hand]
    assert changed(second, third) == [hand]
    assert changed(third, queue_changes.now()) == []


def test_without_the_right_there_is_nothing(night: Cast, address: str) -> None:
    for path, person in ((QUEUE, "d-101"), (QUEUE, "e-101"), (FLOOR, "e-101")):
        reader = Reader(address, path, person)
        assert reader.has_ended.wait(10)
        assert (reader.status, reader.events) == (403, [])
    assert Reader(address, f"{FLOOR}?property=borealis", "s-201").status == 403
    assert rows("SELECT count(*) FROM viewing") == [(0,)]


def test_a_program_without_a_session_is_told_so(night: Cast) -> None:
    token = accounts.issue_token(made_by="m-101", person="v-101")
    for api in (Api(None), Api(token)):
        for path in (QUEUE, f"{FLOOR}?property=aurora"):
            answer = problem(api.get(path), 401, "not-authenticated")
            assert "/api/v1/events" in answer["detail"]


@pytest.mark.parametrize("name", ROLES)
def test_each_role_may_open_the_streams_of_its_pages(night: Cast, name: str) -> None:
    browser = night.browser(name)
    for path in (QUEUE, FLOOR):
        page = browser.get(path.removesuffix("stream/")).status_code
        assert (page, browser.get(path).status_code) in ((200, 204), (403, 403)), path


def test_a_stream_ends_with_the_right(night: Cast, address: str) -> None:
    reader, other = Reader(address, QUEUE, "v-101"), Reader(address, QUEUE, "v-102")
    set_registers("aurora", [Entry("people", "v-101", None)], by="m-101", second="m-102")
    assert reader.has_ended.wait(20)
    touch(rows("SELECT hand FROM queued LIMIT 1")[0][0])
    other.wait_for(1)
    assert reader.events == []
    assert Reader(address, QUEUE, "v-101").status in (401, 403)
    other.cut()


def test_a_stream_ends_with_the_session(night: Cast, address: str) -> None:
    reader = Reader(address, QUEUE, "v-101")
    reader.browser.post("/logout/")
    assert reader.has_ended.wait(20)
    assert reader.last != ""


def test_a_person_has_a_limited_number_of_streams(night: Cast, address: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(streams, "MAX_OF_PERSON", 2)
    readers = [Reader(address, QUEUE, "v-101") for _ in range(3)]
    assert [reader.status for reader in readers] == [200, 200, 429]
    assert Reader(address, QUEUE, "v-102").status == 200
    readers[0].cut()
    until(lambda: Reader(address, QUEUE, "v-101").status == 200)


def test_an_id_of_another_stream_is_refused(night: Cast, address: str) -> None:
    for path, last in (
        (QUEUE, "17"),
        (QUEUE, "9:3:"),
        (QUEUE, "1:99999999999:"),
        (FLOOR, "x"),
        (FLOOR, "999999"),
    ):
        assert Reader(address, path, "v-101", last).status == 400, last


def test_a_server_that_keeps_nothing_open_has_no_stream(night: Cast) -> None:
    browser: Client = night.browser("Dana")
    assert browser.get(QUEUE).status_code == 204
    assert "data-stream" not in browser.get("/queue/").content.decode()


def test_a_hundred_streams_leave_the_threads_to_requests(night: Cast, address: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(streams, "MAX_OF_PERSON", 100)
    readers = [Reader(address, QUEUE, "v-101") for _ in range(100)]
    assert {reader.status for reader in readers} == {200}
    answers = [requests.get(f"{address}/login/", timeout=10).status_code for _ in range(20)]
    assert set(answers) == {200}
    touch(rows("SELECT hand FROM queued LIMIT 1")[0][0])
    for reader in readers:
        reader.wait_for(1)
    assert {len(reader.events) for reader in readers} == {1}
    for reader in readers:
        reader.cut()


def test_no_byte_of_a_stream_is_sent_twice(night: Cast, address: str, monkeypatch: Any) -> None:
    """Test that the event loop does not send bytes that the thread of the streams is just sending."""
    send = Channel.send

    def send_slowly(self: Channel, data: bytes, do_close: bool = True) -> int:
        sent: int = send(self, data, do_close=do_close)
        self.flush_soon()
        time.sleep(0.05)
        return sent

    readers = [Reader(address, QUEUE, "v-101") for _ in range(8)]
    monkeypatch.setattr(Channel, "send", send_slowly)
    touch(rows("SELECT hand FROM queued LIMIT 1")[0][0])
    for reader in readers:
        reader.wait_for(1)
    time.sleep(0.5)
    assert [len(reader.events) for reader in readers] == [1] * 8
    for reader in readers:
        reader.cut()
