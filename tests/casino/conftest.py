"""Fixtures, and the cast: the users with whom tests log in. Dana and Dora are surveillance officers, Boris is
table games, Alma accounting, Igor audit and Rhea the regulator. Mia and Max maintain the registers, Ada and
Abe deal, Finn and Fay supervise, Chi and Cleo work in the cage, Gus and Gia are security, Nia, Ned and Nell
count, a gateway posts for every table, and Eve has no rights.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from time import time
from types import SimpleNamespace
from typing import Any

import pytest
from django.core import signals
from django.db import close_old_connections, connection
from django.test import Client

from casino.accounts.services import activate_user
from casino.models import Person
from casino.reference.demo_users import Login, create_demo_users
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.runtime import counters
from tests.audit import floor
from tests.casino import nights
from tests.casino.logins import logged_in
from tests.conftest import RUN_BEGAN
from tests.furnished import furnishing

COMPLIANCE = "l-101"
ROLES = {
    "Dana": "v-101",
    "Dora": "v-102",
    "Boris": "t-101",
    "Alma": "a-101",
    "Igor": "i-101",
    "Rhea": "r-101",
    "Mia": "m-101",
    "Ada": "d-101",
    "Finn": "s-201",
    "Chi": "c-101",
    "Gus": "g-101",
    "Nia": "n-101",
    "Eve": "e-101",
}


class Cast:
    """The demo users of the property aurora, by first name."""

    def __init__(self) -> None:
        self.logins: dict[str, Login] = {
            login.name or "gateway": login for login in create_demo_users("aurora")
        }

    def browser(self, name: str | None) -> Client:
        """Return a browser in which the named user is logged in. Without a name, nobody is logged in."""
        options = {"raise_request_exception": False}
        return Client(**options) if name is None else logged_in(self.logins[name].id, **options)

    def person(self, name: str) -> Person:
        return Person.objects.get(pk=self.logins[name].id)


class Api:
    """A client of the REST API with one token."""

    def __init__(self, token: str | None) -> None:
        self.client = Client(raise_request_exception=False)
        self.headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    def post(self, *facts: dict[str, Any]) -> Any:
        return self.send(b"\n".join(map(floor.line, facts)))

    def send(self, body: bytes, form: str = "application/x-ndjson") -> Any:
        return self.client.post(
            "/api/v1/facts", body, content_type=form, headers=self.headers | {"Content-Type": form}
        )

    def get(self, path: str) -> Any:
        return self.client.get(path, headers=self.headers)


@contextmanager
def one_connection() -> Iterator[None]:
    """Keep one database connection open during the block. Otherwise each request opens and closes its own."""
    signals.request_started.disconnect(close_old_connections)
    signals.request_finished.disconnect(close_old_connections)
    try:
        yield
    finally:
        signals.request_started.connect(close_old_connections)
        signals.request_finished.connect(close_old_connections)
        connection.close()


@pytest.fixture(scope="session", autouse=True)
def calendar_of_the_run() -> Iterator[None]:
    """Stop the calendar's clock when the test run begins. A gaming day that a fixture opened is then still
    today, even after midnight.
    """
    began = datetime.fromisoformat(os.environ[RUN_BEGAN])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("casino.reference.calendar.timezone", SimpleNamespace(now=lambda: began))
        yield


@pytest.fixture
def one_minute(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the limits of requests count all requests of a test as sent in the same minute.

    The clock is stopped. The broker that counts has 30 seconds to answer, so that a slow machine does not
    fail the test.
    """
    began = time()
    monkeypatch.setattr("casino.api.throttle.time", lambda: began)
    monkeypatch.setattr(counters, "SECONDS", 30.0)
    monkeypatch.setattr(counters, "_alone_until", 0.0)
    counters._client.cache_clear()
    yield
    counters._client.cache_clear()


@furnishing
def desk() -> Cast:
    """Record a day with faults, register Cora, an officer of compliance, and return the cast."""
    cast = Cast()
    entries = [Entry("people", COMPLIANCE, {"role": "compliance"})]
    set_registers("aurora", entries, by="m-101", second="m-102")
    activate_user(COMPLIANCE, "Cora", nights.PASSWORD)
    nights.record(nights.troubled_day(times=1))
    return cast


@furnishing
def faulty_day() -> Cast:
    """Record a table's day with faults."""
    cast = Cast()
    nights.officers()
    nights.record(nights.troubled_day("EOU-07", times=3))
    return cast


@furnishing
def cast() -> Cast:
    return Cast()


@pytest.fixture
def gateway(cast: Cast) -> Api:
    """Return the API client of the device that may post for every table of aurora and name people."""
    return Api(cast.logins["gateway"].token)
