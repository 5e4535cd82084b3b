"""Webhooks while processes are killed with kill -9: the receiver three times and the worker once. Every event
arrives, in order. If an event arrives twice, it has the same id both times.

With CATWALK_COUNTS=long there are 100,000 events.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction

from audit.database import rows
from audit.jobs import leases
from casino.alerts import deliveries, event_log, services
from casino.alerts.event_log import Draft
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.casino.conftest import Cast
from tests.casino.waiting import HALF_AN_HOUR, until
from tests.conftest import House
from tests.counts import LONG
from tests.manage import PROJECT, free_port

MANY = 100_000 if LONG else 300


def publish_many(count: int) -> None:
    """Publish many events of the property aurora and request that webhooks deliver them."""
    with transaction.atomic():
        stream = event_log.lock("aurora")
        drafts = [Draft("day.closed", str(number), {"table": "EOU-01"}) for number in range(count)]
        event_log.append("aurora", stream.number, drafts)
        event_log.store("aurora", stream._replace(number=stream.number + count))
        leases.ask_for(deliveries.WEBHOOK_JOB, "aurora", "soc")


def started(house: House, *arguments: str) -> subprocess.Popen[str]:
    """Start a process of `tests.casino.webhook_processes`, and return it when it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.casino.webhook_processes", *arguments],
        env=os.environ
        | house.env
        | {"CATWALK_WEBHOOK_HTTP": "1", "DJANGO_SETTINGS_MODULE": "casino.settings"},
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.long
def test_nothing_is_lost_while_receiver_and_worker_are_killed(
    cast: Cast, house: House, tmp_path: Path, settings: Any
) -> None:
    settings.WEBHOOK_HTTP = True
    set_registers(
        "aurora", [Entry("thresholds", "private-webhooks", {"demand": True})], by="m-101", second="m-102"
    )
    port, file = free_port(), tmp_path / "received"
    url = f"http://127.0.0.1:{port}/"
    secret = services.set_webhook(cast.person("Mia"), "aurora", str(uuid4()), "soc", url, [])
    publish_many(MANY)
    file.touch()

    def received_lines() -> int:
        return file.read_bytes().count(b"\n")

    began = time.monotonic()
    receiver = started(house, "receive", str(port), secret, str(file))
    worker = started(house, "deliver")
    try:
        for part in (0.2, 0.4, 0.6):
            until(lambda part=part: received_lines() >= MANY * part, HALF_AN_HOUR)  # type: ignore[misc]
            receiver.kill()
            receiver.wait()
            receiver = started(house, "receive", str(port), secret, str(file))
        until(lambda: received_lines() >= MANY * 0.8, HALF_AN_HOUR)
        worker.kill()
        worker.wait()
        worker = started(house, "deliver")
        until(
            lambda: rows("SELECT number FROM webhook_progress") == [(event_log.last_number("aurora"),)],
            HALF_AN_HOUR,
        )
    finally:
        for process in (receiver, worker):
            process.kill()
            process.wait()
    seconds = time.monotonic() - began
    lines = [line.split() for line in file.read_text("utf-8").splitlines()]
    first: dict[str, int] = {}
    for id, number in lines:
        assert first.setdefault(id, int(number)) == int(number), "an id is that of one event"
    assert len(first) == MANY, "none is lost"
    assert all(before < after for before, after in pairwise(first.values())), "in order"
    assert rows("SELECT count(*), min(state), max(state) FROM delivery") == [(MANY, "delivered", "delivered")]
    print(f"{MANY} events in {seconds:.0f} s, {len(lines) - MANY} twice, {MANY / seconds:.0f} a second")
