"""Facts from queues of message brokers: who may send them, refused messages, duplicates, and settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings
from msgspec import json

from audit.database import rows
from casino.fact_queues.consume import LOCK, Consumer, DeviceNotAllowed
from casino.fact_queues.messages import FACTS, Message
from casino.fact_queues.mqtt import Link, refused_topic
from casino.fact_queues.record import record
from casino.reference import registers
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.runtime.queue_urls import parse
from tests.audit import floor
from tests.benchmarks.append import night
from tests.casino.brokers import AmqpSender, Broker, Mosquitto, MqttSender, RabbitMq
from tests.casino.conftest import Cast
from tests.casino.feeding import run
from tests.casino.waiting import until

UNREGISTERED = {"source": "shoe-7"}


def message(*facts: dict[str, Any] | bytes) -> bytes:
    """Return the body of a message with these facts. Their source is a sensor that no register names."""
    return b"\n".join(fact if isinstance(fact, bytes) else floor.line(fact | UNREGISTERED) for fact in facts)


def batch(*bodies: bytes) -> list[Message]:
    return [Message(tag, body, "tables/aurora") for tag, body in enumerate(bodies, 1)]


def recorded() -> list[str]:
    """Return the uids of the recorded facts of the table EOU-01, in the order of the ledger."""
    query = "SELECT uid::text FROM fact WHERE stream LIKE %s ORDER BY position"
    return [uid for (uid,) in rows(query, ["aurora/EOU-01/%"])]


def test_messages_are_recorded_in_order_and_refused_ones_left_out(cast: Cast) -> None:
    device = registers.device("aurora", "gateway-1")
    assert device is not None
    result = record(
        device,
        batch(
            message(floor.opened(1), floor.fact(2)),
            message(b"no JSON"),
            b"",
            message(floor.fact(3)),
            message(floor.fact(4), floor.fact(5, table="borealis/X-1")),
            message(floor.fact(3)),
            message(floor.fact(3) | {"amount": 700}),
            message(floor.fact(6, table="aurora/EOU-02")),
            message(floor.fact(7)),
        ),
    )
    assert recorded() == [floor.uid(place) for place in (1, 2, 3, 7)]
    assert (result.recorded, result.already) == (4, 1)
    assert {sent.tag: reason.code for sent, reason in result.refused} == {
        2: "not-json",
        3: "not-json",
        5: "no-right",
        7: "uid-reused",
        8: "not-opened",
    }
    second = record(device, batch(message(floor.opened(1), floor.fact(2)), message(floor.fact(7))))
    assert (second.recorded, second.already, second.refused) == (0, 3, [])


def test_a_transaction_has_a_limited_number_of_facts(cast: Cast) -> None:
    """Test messages with many facts. The ledger is locked for FACTS facts at the most, or for one message,
    and the facts keep their order.
    """
    device = registers.device("aurora", "gateway-1")
    assert device is not None
    sizes = (300, 700, 900, 500, 2_100, 100)
    lines = night("aurora/EOU-01", sum(sizes))
    parts = [lines[sum(sizes[:place]) :][:size] for place, size in enumerate(sizes)]
    result = record(device, batch(*(b"\n".join(part) for part in parts)))
    assert (result.recorded, result.refused) == (sum(sizes), [])
    query = "SELECT count(*) FROM fact WHERE stream LIKE %s GROUP BY recorded_at ORDER BY recorded_at"
    assert [count for (count,) in rows(query, ["aurora/EOU-01/%"])] == [1_900, 500, 2_100, 100]
    assert FACTS == 2_000
    assert recorded() == [json.decode(line)["uid"] for line in lines]


def test_a_device_records_only_what_it_may_post(cast: Cast) -> None:
    value = {"tables": ["EOU-01"], "people": False, "house": False}
    set_registers("aurora", [Entry("devices", "shoe-9", value)], by="m-101", second="m-102")
    device = registers.device("aurora", "shoe-9")
    assert device is not None
    other = message(floor.opened(1, table="aurora/EOU-02"))
    result = record(device, batch(other, message(floor.opened(2))))
    assert [(sent.tag, reason.code) for sent, reason in result.refused] == [(1, "no-right")]
    assert recorded() == [floor.uid(2)]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "not in the register of devices"),
        (
            {"tables": ["*"], "signs": True, "keys": ["2a3C1Yy0ExTwuX1VCdNP6hVtQhTRqWgJpCRz9eEEh5M="]},
            "must sign",
        ),
    ],
)
def test_a_device_that_may_not_use_a_queue_stops_the_consumer(
    cast: Cast, value: dict[str, Any] | None, says: str
) -> None:
    if value is not None:
        set_registers("aurora", [Entry("devices", "shoe-9", value)], by="m-101", second="m-102")
    queue = "aurora/shoe-9=mqtt://127.0.0.1:1/?topic=tables/%2B"
    with pytest.raises(DeviceNotAllowed, match=says):
        Consumer(parse(queue), Event()).run()
    with override_settings(FACT_QUEUES=[queue]):
        assert says in run("consume", "aurora/shoe-9").err
        assert "Available: aurora/shoe-9" in run("consume", "aurora/other").err


@pytest.mark.parametrize(
    "text",
    [
        "gateway-1=amqp://u:q7Zt2mXw9K@h/?queue=facts",
        "aurora/gateway-1=amqp://u:q7Zt2mXw9K@h/",
        "aurora/gateway-1=amqp://u:q7Zt2mXw9K@h/?topic=facts",
        "aurora/gateway-1=mqtt://u:q7Zt2mXw9K@h/?queue=facts",
        "aurora/gateway-1=amqp://guest:guest@h/?queue=facts",
        "aurora/gateway-1=http://h/?queue=facts",
        "aurora/gateway-1=mqtt://h:70000/?topic=facts",
    ],
)
def test_an_invalid_queue_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse(text)


def test_the_parts_of_a_queue_are_read() -> None:
    queue = parse("aurora/gateway-1=mqtts://sh%40oe:q7Zt2mXw9K@h/?topic=tables/%2B/facts")
    assert (queue.name(), queue.source, queue.port()) == ("aurora/gateway-1", "tables/+/facts", 8883)
    assert (queue.login(), queue.is_encrypted()) == (("sh@oe", "q7Zt2mXw9K"), True)


@pytest.fixture(params=[pytest.param(RabbitMq, marks=pytest.mark.long), Mosquitto])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Broker]:
    started: Broker = request.param(tmp_path / "broker")
    try:
        started.start()
        yield started
    finally:
        started.stop()


def refused_messages(broker: Broker, url: str) -> list[bytes]:
    """Return the refused messages, which the broker stores separately: RabbitMQ in a queue, mosquitto in a
    session.
    """
    if isinstance(broker, RabbitMq):
        broker_connection = broker.connected()
        channel = broker_connection.channel()
        stored = []
        while (stored_message := channel.basic_get("facts.refused", no_ack=True)) is not None:
            body = (
                stored_message.body
                if isinstance(stored_message.body, bytes)
                else stored_message.body.encode()
            )
            stored.append(stored_message.application_headers["catwalk-code"].encode() + b" " + body)
        broker_connection.close()
        return stored
    queue = parse(url)
    reader = Link(queue, "catwalk-aurora-gateway-1-refused", refused_topic(queue))
    until(lambda: reader.step(0.1) or bool(reader.waiting), 30)
    stored = [sent.body for sent in reader.waiting]
    reader.close()
    return stored


def test_refused_messages_are_stored_by_the_broker_and_duplicates_counted(
    cast: Cast, broker: RabbitMq | Mosquitto
) -> None:
    url = f"aurora/gateway-1={broker.url}"
    Consumer(parse(url), Event(), idle=0.5).run()
    sender: Any = AmqpSender(broker) if isinstance(broker, RabbitMq) else MqttSender(broker)
    lines = [message(floor.opened(1)), message(floor.fact(2)), b'{"no": "fact"}', message(floor.fact(2))]
    sender.send(lines)
    sender.close()
    consumer = Consumer(parse(url), Event(), idle=2)
    consumer.run()
    assert (consumer.recorded, consumer.already, consumer.refused) == (2, 1, 1)
    assert recorded() == [floor.uid(1), floor.uid(2)]
    (stored,) = refused_messages(broker, url)
    assert stored == (b"missing-field " if isinstance(broker, RabbitMq) else b"") + b'{"no": "fact"}'


def run_and_close(consumer: Consumer) -> None:
    """Run a consumer in this thread. When it ends, close the thread's database connection."""
    try:
        consumer.run()
    finally:
        connection.close()


def test_a_second_consumer_waits_until_the_first_one_ends(cast: Cast, tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path / "broker")
    broker.start()
    try:
        queue = parse(f"aurora/gateway-1={broker.url}")
        stop = Event()
        first = Consumer(queue, stop)
        running = Thread(target=run_and_close, args=(first,))
        running.start()
        held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s"
        until(lambda: rows(held, [LOCK]) == [(1,)], 30)
        second = Consumer(queue, Event(), idle=1.5)
        second.run()
        sender = MqttSender(broker)
        assert sender.send([message(floor.opened(1))])
        sender.close()
        until(lambda: first.recorded == 1, 30)
        assert second.recorded == 0
        stop.set()
        running.join(30)
    finally:
        broker.stop()
