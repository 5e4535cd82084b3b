"""Wrong passwords and wrong tokens are counted by network address and by staff ID, for all processes
together. Nobody can lock another person out at that person's workplace.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, RequestFactory

from casino.accounts.signatures import authenticate_signer
from casino.runtime import counters, embedded
from tests.casino.conftest import Cast
from tests.manage import PROJECT

HERE, ELSEWHERE = "198.51.100.7", "203.0.113.9"


def login(name: str, password: str, address: str) -> int:
    """Return the status of a login: 302 if it is accepted, 200 if the password is wrong, 429 if locked."""
    return Client(REMOTE_ADDR=address).post("/login/", {"username": name, "password": password}).status_code


def sign(name: str, password: str, address: str) -> bool:
    """Return True if a form from this address accepts the person's signature with this password."""
    return authenticate_signer(RequestFactory(REMOTE_ADDR=address).post("/"), name, password) is not None


def test_passwords_tried_on_many_ids_lock_the_address_except_for_its_users(cast: Cast, settings: Any) -> None:
    settings.ADDRESS_GUESSES = 12
    dana, mia = cast.logins["Dana"], cast.logins["Mia"]
    assert login(dana.id, str(dana.password), HERE) == 302
    tried = [login(f"x-{number}", "Autumn 2026!", HERE) for number in range(12)]
    assert tried == [200] * 11 + [429]
    assert login(mia.id, str(mia.password), HERE) == 429
    assert not sign(mia.id, str(mia.password), HERE)
    assert login(mia.id, str(mia.password), ELSEWHERE) == 302
    assert login(dana.id, str(dana.password), HERE) == 302
    assert sign(dana.id, str(dana.password), HERE)


def test_an_id_tried_from_many_addresses_is_locked_except_at_its_workplace(cast: Cast, settings: Any) -> None:
    settings.NAME_GUESSES = 8
    dana = cast.logins["Dana"]
    assert login(dana.id, str(dana.password), HERE) == 302
    tried = [login(dana.id, f"guess {number}", f"203.0.113.{number}") for number in range(8)]
    assert tried == [200] * 7 + [429]
    assert login(dana.id, str(dana.password), "203.0.113.99") == 429
    assert not sign(dana.id, str(dana.password), "203.0.113.99")
    assert login(dana.id, str(dana.password), HERE) == 302


def test_signatures_count_like_logins(cast: Cast, settings: Any) -> None:
    settings.ADDRESS_GUESSES = 6
    mia = cast.logins["Mia"]
    assert not any(sign(f"x-{number}", "a guess", HERE) for number in range(6))
    assert login(mia.id, str(mia.password), HERE) == 429
    page = Client(REMOTE_ADDR=HERE).post("/login/", {"username": mia.id, "password": str(mia.password)})
    assert b"Too many wrong passwords from this address" in page.content


COUNTS = """
import django, os, sys; django.setup()
from casino.runtime import counters
print(*[counters.count("api:7:1", window=60)[0] for _ in range(int(sys.argv[1]))])
"""


def counted_elsewhere(data: Path, times: int) -> list[int]:
    """Increase a counter this many times in another process. Return its value after each time."""
    env = os.environ | {"CATWALK_DATA": str(data), "DJANGO_SETTINGS_MODULE": "casino.settings"}
    command = [sys.executable, "-c", COUNTS, str(times)]
    ran = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, check=True)
    return [int(value) for value in ran.stdout.split()]


@pytest.fixture
def broker(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the data folder of a running broker. This process counts wrong guesses in it."""
    data = tmp_path / "house"
    monkeypatch.setattr(counters, "_alone_until", 0.0)
    settings.CATWALK_DATA, settings.EMBEDDED_BROKER = data, True
    embedded.join_broker(data)
    yield data
    embedded.leave(data)
    counters._client.cache_clear()


def test_processes_count_together_or_separately_if_the_broker_is_away(
    broker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [counters.count("api:7:1", "address:x:1", window=60) for _ in range(2)] == [[1, 1], [2, 2]]
    assert counted_elsewhere(broker, 3) == [3, 4, 5]
    assert counters.count("api:7:1", window=60, read_only=["address:x:1", "guess:x:1"]) == [6, 2, 0]

    killed = int((broker / "broker" / "valkey.pid").read_text())
    os.kill(killed, signal.SIGSTOP)
    began = time.monotonic()
    assert [counters.count("api:8:1", window=60) for _ in range(3)] == [[1], [2], [3]]
    assert time.monotonic() - began < 20
    os.kill(killed, signal.SIGKILL)
    os.waitpid(killed, 0)
    monkeypatch.setattr(counters, "_alone_until", 0.0)
    assert counters.count("api:8:1", window=60) == [4]

    embedded.join_broker(broker)
    monkeypatch.setattr(counters, "_alone_until", 0.0)
    assert counters.count("api:9:1", window=60) == [1]
    assert counted_elsewhere(broker, 1)[0] >= 1


def test_a_broker_that_cannot_count_divides_the_limit_among_the_processes(settings: Any) -> None:
    settings.EMBEDDED_BROKER, settings.CELERY_BROKER_URL, settings.WEB_WORKERS = False, "amqp://broker", 4
    assert (counters.broker_url(), counters.share_of(6000), counters.share_of(3)) == ("", 1500, 1)
    settings.CELERY_BROKER_URL = "redis://:secret@broker:6379/0"
    assert (counters.broker_url(), counters.share_of(6000)) == (settings.CELERY_BROKER_URL, 6000)
