"""A gateway sends facts through RabbitMQ and mosquitto, while consumer and broker are each killed three times
with kill -9. No fact is lost or recorded twice, and the order of each stream is kept.

With CATWALK_COUNTS=long there are 100,000 facts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from threading import Thread

import pytest
from django.db import connection

from audit.database import rows
from tests.benchmarks.append import night
from tests.casino.brokers import WINDOW, AmqpSender, Broker, Mosquitto, MqttSender, RabbitMq
from tests.casino.conftest import Cast
from tests.casino.waiting import until
from tests.conftest import House
from tests.counts import LONG
from tests.manage import PROJECT

MANY = 100_000 if LONG else 6_000
TABLES = 4
KILLS = tuple(zip((0.15, 0.25, 0.4, 0.5, 0.65, 0.75), ("consumer", "broker") * 3, strict=True))
"""For each kill: the share of the facts that are recorded before it, and what is killed."""


def sent_facts() -> list[bytes]:
    """Return the facts of several tables in the order in which a gateway sends them: one fact of each table
    in turn.
    """
    nights = [night(f"aurora/Q-{number}", MANY // TABLES) for number in range(TABLES)]
    return list(chain.from_iterable(zip(*nights, strict=True)))


def recorded() -> dict[str, int]:
    """Return the number of recorded facts of each stream."""
    query = "SELECT name, number FROM stream WHERE name LIKE %s"
    return dict(rows(query, ["aurora/Q-%"]))


class Consumers:
    """Runs the consumer as a process that a test kills and starts again. The logs of all these processes are
    stored.
    """

    def __init__(self, house: House, url: str, folder: Path) -> None:
        self.house, self.url, self.log = house, url, folder / "consumer.log"
        self.start()

    def start(self) -> None:
        environment = {
            "CATWALK_FACT_QUEUES": f"aurora/gateway-1={self.url}",
            "CATWALK_LOG": "json",
            "DJANGO_SETTINGS_MODULE": "casino.settings",
        }
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "consume", "aurora/gateway-1"],
                env=os.environ | self.house.env | environment,
                cwd=PROJECT,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.start()

    def stop(self) -> int:
        """Ask the consumer to end, and return its exit code."""
        self.process.terminate()
        return self.process.wait(60)

    def duplicates(self) -> int:
        """Return how many facts came again after they had been recorded, according to the consumer's logs."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]
        return sum(line.get("already", 0) for line in lines)


def send_all(sender: AmqpSender, facts: list[bytes]) -> None:
    for place in range(0, len(facts), WINDOW):
        sender.send(facts[place : place + WINDOW])
    sender.close()


def send_in_thread(sender: MqttSender, facts: list[bytes]) -> None:
    """Publish the facts, then close the database connection of this thread. Otherwise it stays open until
    Python deletes it, which warns.
    """
    try:
        send_from_last(sender, facts)
    finally:
        connection.close()


def send_from_last(sender: MqttSender, facts: list[bytes]) -> None:
    """Publish the facts in order, as a gateway does. If the broker fails, continue with the first fact that
    the ledger does not have.
    """
    place = 0
    while place < len(facts):
        place = place + WINDOW if sender.send(facts[place : place + WINDOW]) else min(place, first_missing())
        while place >= len(facts) > (recorded_before := first_missing()):
            time.sleep(5)
            if first_missing() == recorded_before:  # The broker lost its last messages when it was killed.
                place = recorded_before
    sender.close()


def first_missing() -> int:
    """Return the index of the first sent fact that the ledger does not have."""
    counts = recorded()
    return min(counts.get(f"aurora/Q-{number}/2026-11-27", 0) * TABLES + number for number in range(TABLES))


@pytest.fixture(params=[RabbitMq, Mosquitto])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Broker]:
    started: Broker = request.param(tmp_path / "broker")
    try:
        started.start()
        yield started
    finally:
        started.stop()


@pytest.mark.long
def test_nothing_is_lost_or_doubled_while_consumer_and_broker_are_killed(
    cast: Cast, house: House, broker: Broker, tmp_path: Path
) -> None:
    facts = sent_facts()
    consumers = Consumers(house, broker.url, tmp_path)  # type: ignore[attr-defined]
    if isinstance(broker, RabbitMq):
        sending = Thread(target=send_all, args=(AmqpSender(broker), facts))
    else:
        assert isinstance(broker, Mosquitto)
        until(lambda: "New client connected" in (broker.folder / "log").read_text(), 60)
        time.sleep(1)
        sending = Thread(target=send_in_thread, args=(MqttSender(broker), facts))
    began = time.monotonic()
    sending.start()
    try:
        for share, victim in KILLS:
            until_recorded(int(MANY * share), consumers, broker)
            if victim == "consumer":
                consumers.kill()
            else:
                broker.kill()
                broker.start()
        until_recorded(MANY, consumers, broker)
    finally:
        sending.join(120)
        seconds = time.monotonic() - began
        code = consumers.stop()
    assert code == 0
    assert recorded() == {f"aurora/Q-{number}/2026-11-27": MANY // TABLES for number in range(TABLES)}
    for number in range(TABLES):
        query = "SELECT body FROM fact WHERE stream = %s ORDER BY number"
        bodies = rows(query, [f"aurora/Q-{number}/2026-11-27"])
        uids = [json.loads(bytes(body))["uid"] for (body,) in bodies]
        assert uids == [json.loads(line)["uid"] for line in facts[number::TABLES]], "in order"
    name = type(broker).__name__
    says = f"{name}: {MANY:,} facts in {seconds:.0f} s, {MANY / seconds:,.0f}/s; consumer and broker killed 3"
    print(f"{says} times each; lost 0, doubled 0, {consumers.duplicates():,} came again and were marked")


def until_recorded(count: int, consumers: Consumers, broker: Broker) -> None:
    """Wait until this number of facts is recorded."""
    ends = time.monotonic() + 900
    while sum(recorded().values()) < count:
        assert time.monotonic() < ends, consumers.log.read_text()[-3000:]
        assert consumers.process.poll() is None, consumers.log.read_text()[-3000:]
        time.sleep(0.05)
