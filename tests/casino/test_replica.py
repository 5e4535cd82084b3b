"""Reports, exports, boards and searches read a streaming replica of the database. They read the primary
instead if the replica is away, is too old, or lacks what the reader wrote last. All tests use two real
clusters.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import Error, connections
from django.test import Client
from msgspec import json

from audit import database
from audit.facts import check
from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries import heads
from audit.queries.cache.aggregates import cached_names
from casino.accounts import tokens
from casino.api.lists import LISTS
from casino.boards.board_views import BOARDS
from casino.exports.archive import build
from casino.exports.archive.orders import ExportSpec
from casino.models import Person, Property
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports import catalog
from casino.runtime import replica
from casino.runtime.operations.metrics import exposed
from casino.sample import honest_day
from tests.casino.conftest import Cast
from tests.casino.nights import DAY
from tests.casino.test_boards import two_tables
from tests.clusters import Clusters, connected
from tests.conftest import Template

DAYS = "property=aurora&from=2026-11-27&to=2026-11-27"
PAGES = (
    *(f"/reports/{name}/?{DAYS}" for name in catalog.names() if name not in catalog.ELSEWHERE),
    *(f"/reports/hold/{format}/?{DAYS}" for format in ("csv", "pdf")),
    *(f"/boards/{name}/?{DAYS}" for name in BOARDS),
    f"/hold/?{DAYS}",
    f"/hold/where/?{DAYS}",
    f"/hold/where/aurora/EOU-07/{DAY}/",
    f"/hold/review/?{DAYS}",
    "/wall/?property=aurora",
    "/hands/?property=aurora&code=late-bet",
    "/hands/complete/?property=aurora&typed=dealer",
)
ANSWERS = (
    *(f"{name}?property=aurora" for name in LISTS),
    *(f"reports/hold?property=aurora&format={format}" for format in ("json", "pdf")),
    "rounds/search?property=aurora",
)
WITH_POSITION = ("/reports/", "/boards/", "/hold/", "/hands/?")
"""The beginnings of the addresses of pages that name their position."""
CSV = "/reports/hold/csv/"
"""The only one of them that has no place for a position: its header has it."""
BOUND = 1
"""Seconds that the replica may be behind in these tests."""


class Site:
    """Two clusters: a primary, which has the facts of a table's day, and its standby. Django's connections
    lead to both.
    """

    def __init__(self, clusters: Clusters, database: str, cast: Cast) -> None:
        self.clusters, self.cast = clusters, cast
        self.primary = clusters.primary("primary")
        self.primary.fill(database)
        self.standby = clusters.standby(self.primary, "standby")

    def entries(self) -> dict[str, dict[str, Any]]:
        return {
            "default": self.primary.entry(),
            "owner": self.primary.entry("catwalk_owner"),
            "replica": self.standby.entry(is_replica=True),
        }

    def paused(self, pause: bool) -> None:
        with self.standby.superuser() as connection:
            connection.execute(f"select pg_wal_replay_{'pause' if pause else 'resume'}()")
            state = "paused" if pause else "not paused"
            while connection.execute("select pg_get_wal_replay_pause_state()").fetchone() != (state,):
                time.sleep(0.01)

    def until(self, reason: str, person: str = "") -> replica.State:
        """Wait until the state of the replica has this reason, and return that state."""
        deadline = time.monotonic() + 60
        while (status := replica.state(person)).reason != reason:
            assert time.monotonic() < deadline, status
            time.sleep(0.02)
        return status


@pytest.fixture(scope="module")
def site(template: Template, django_db_blocker: Any) -> Iterator[Site]:
    """Yield two clusters, a primary and its standby. Django's connections lead to them during all tests of
    this module.
    """
    clusters = Clusters()
    try:
        with django_db_blocker.unblock():
            name, cast = template.furnished(two_tables.furnish)
            site = Site(clusters, name, cast)
            with connected(**site.entries()):
                findings.examine()
                yield site
    finally:
        clusters.close()


@pytest.fixture
def current(site: Site, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Yield the two clusters as soon as the replica has replayed everything."""
    settings.REPLICA_LAG_SECONDS = BOUND
    monkeypatch.setattr(replica, "RETRY", 0.05)
    site.until(replica.USED)
    assert replica.state(is_current=True).reason == replica.USED
    yield site
    for alias in ("default", "owner", "replica"):
        connections[alias].close()


def fact_at(table: str, seed: int) -> list[dict[str, Any]]:
    """Return the facts of a short day without faults at a table."""
    facts: list[dict[str, Any]] = honest_day(
        "easy_over_under", seed=seed, property="aurora", table=table, day=DAY, rounds=2
    )
    return facts


def post(facts: list[dict[str, Any]]) -> None:
    intake.post_prepared([check(json.encode(fact)) for fact in facts], Sender("gateway"))


def on_primary(ask: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Call `ask` as if the installation had no replica, and return its result."""
    with monkeypatch.context() as patch:
        patch.setattr(replica, "is_configured", lambda: False)
        return ask()


def bytes_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else bytes(answer.content)


def body(content: bytes) -> bytes:
    """Return the content of a page without what differs between two requests: the tokens of its forms, the
    time of day, and the position that it names.
    """
    content = re.sub(rb'"csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"', b"", content)
    content = re.sub(rb'<p class="muted">\s*Read from the replica.*?</p>', b"", content, flags=re.DOTALL)
    content = re.sub(rb'value="[0-9a-f-]{36}"|id="since" name="since" value="\d+"', b"", content)
    content = re.sub(rb"\b\d\d:\d\d:\d\d\b|\b\d+ (s|min)\b", b"", content)
    return re.sub(rb"\s+", b" ", content)


def api(token: str, address: str) -> Any:
    return Client().get(f"/api/v1/{address}", headers={"Authorization": f"Bearer {token}"})


def test_each_page_is_the_same_from_both(current: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    browser, named = current.cast.browser("Igor"), f"position {heads.head('aurora').position:,}"
    for page in PAGES:
        shown = browser.get(page)
        assert (shown.status_code, shown["Catwalk-Read-From"]) == (200, "replica"), page
        content = bytes_of(shown)
        is_named = page.startswith(WITH_POSITION) and not page.startswith(CSV)
        assert (named in content.decode(errors="replace")) == is_named, page
        assert body(content) == body(on_primary(lambda page=page: bytes_of(browser.get(page)), monkeypatch))


def test_each_answer_is_the_same_from_both(current: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    scopes = ["read:facts", "read:findings", "read:reports", "read:log"]
    token = tokens.issue_token(made_by="x", person="i-101", scopes=scopes)
    for address in ANSWERS:
        answer = api(token, address)
        assert (answer.status_code, answer["Catwalk-Read-From"]) == (200, "replica"), address
        assert answer["Catwalk-Position"] == str(heads.head("aurora").position)
        assert answer["Catwalk-Chain"] == heads.head("aurora").chain
        primary = on_primary(lambda address=address: bytes_of(api(token, address)), monkeypatch)
        assert bytes_of(answer) == primary, address


def test_a_person_who_writes_sees_it_although_the_replica_is_paused(current: Site, settings: Any) -> None:
    settings.REPLICA_LAG_SECONDS = 600
    writer, reader = current.cast.browser("Dana"), current.cast.browser("Igor")
    hands = "/hands/?property=aurora"
    assert reader.get(hands)["Catwalk-Read-From"] == "replica"
    current.paused(True)
    try:
        values = {"property": "aurora", "name": "late-shaken", "query": "code=late-bet", "uid": str(uuid4())}
        assert writer.post("/hands/views/save/", values | {"shared": "1"}).status_code == 302
        shown = writer.get(hands)
        assert (shown["Catwalk-Read-From"], "late-shaken" in views(shown)) == ("primary", True)
        unseen = reader.get(hands)
        assert (unseen["Catwalk-Read-From"], "late-shaken" in views(unseen)) == ("replica", False)
    finally:
        current.paused(False)
    current.until(replica.USED, "v-101")
    shown = writer.get(hands)
    assert (shown["Catwalk-Read-From"], "late-shaken" in views(shown)) == ("replica", True)


def views(answer: Any) -> list[str]:
    """Return the names of the saved views on the page."""
    return re.findall(r'<a href="/hands/[^>]*>\s*([\w-]+)', answer.content.decode())


def test_a_replica_that_is_too_old_is_left_out_and_shown(current: Site) -> None:
    browser, page = current.cast.browser("Igor"), f"/boards/codes/?{DAYS}"
    current.paused(True)
    try:
        post(fact_at("EOU-09", 1))
        time.sleep(BOUND + 0.2)
        assert browser.get(page)["Catwalk-Read-From"] == "primary"
        metrics = exposed().decode()
        assert "catwalk_replica_read 0.0" in metrics
        assert float(re.findall(r"^catwalk_replica_lag_seconds (.*)$", metrics, re.MULTILINE)[0]) > BOUND
        assert re.search(r'catwalk_replica_reads_total{reason="too-old",source="primary"} [1-9]', metrics)
        shown = Client().get("/readyz").json()["replica"]
        assert (shown["read"], shown["reason"], shown["lag_seconds"] > BOUND) == (False, "too-old", True)
    finally:
        current.paused(False)
    assert current.until(replica.USED).lag == 0
    assert browser.get(page)["Catwalk-Read-From"] == "replica"
    assert "catwalk_replica_read 1.0" in exposed().decode()


def test_a_replica_that_is_killed_makes_no_error(current: Site) -> None:
    browser = current.cast.browser("Igor")
    calls: list[int] = []
    current.standby.end(signal.SIGQUIT)
    try:
        for page in PAGES[-12:]:
            shown = browser.get(page)
            assert (shown.status_code, shown["Catwalk-Read-From"]) == (200, "primary"), page
        assert Client().get("/readyz").json()["replica"]["reason"] == "away"
    finally:
        current.standby.start()
    current.until(replica.USED)

    def kill_between() -> tuple[bool, int]:
        calls.append(database.rows("SELECT 1")[0][0])
        if len(calls) == 1:
            current.standby.end(signal.SIGQUIT)
        return database.reads_primary(), heads.head("aurora").position

    used: list[str] = []
    try:
        is_primary, position = replica.read(kill_between, count=used.append)
    finally:
        current.standby.start()
    assert (is_primary, len(calls), used) == (True, 2, [replica.FAILED])
    assert position == heads.head("aurora").position
    current.until(replica.USED)
    assert browser.get(PAGES[-1])["Catwalk-Read-From"] == "replica"


def test_an_answer_comes_from_one_snapshot(current: Site) -> None:
    def read_around_a_post() -> tuple[int, int, int]:
        before = heads.head("aurora").position
        with database.reading_from("default"):
            post(fact_at("EOU-10", 2))
        while replica_position(current) <= before:
            time.sleep(0.01)
        ((count,),) = database.rows("SELECT count(*) FROM fact WHERE property = 'aurora'")
        return before, heads.head("aurora").position, count

    assert len(set(replica.read(read_around_a_post))) == 1


def replica_position(site: Site) -> int:
    """Return the position of the ledger that the standby has replayed."""
    with site.standby.superuser() as connection:
        row = connection.execute("select position from head where property = 'aurora'").fetchone()
    return int(row[0]) if row is not None else 0


def test_the_replica_refuses_writes(current: Site) -> None:
    with pytest.raises(Error, match="read-only transaction"):
        Person(id="x-101").save(using="replica")
    with connections["replica"].cursor() as cursor, pytest.raises(Error, match="during recovery"):
        cursor.execute("set transaction read write")

    def write() -> tuple[str, bool]:
        place = Property.objects.get(code="aurora")
        read_from = place._state.db
        place.save()
        return read_from, place._state.db == "default"

    assert replica.read(write) == ("replica", True)


def test_sums_that_are_computed_from_the_replica_are_cached_on_the_primary(current: Site) -> None:
    browser, page = current.cast.browser("Igor"), f"/reports/hold/?{DAYS}"
    with current.primary.superuser() as connection:
        connection.execute("truncate summed")
    current.until(replica.USED)
    assert replica.state(is_current=True).reason == replica.USED
    assert browser.get(page)["Catwalk-Read-From"] == "replica"
    stored = cached_names("aurora")
    assert stored
    assert replica.read(lambda: cached_names("aurora"), is_current=True) == stored


def test_facts_that_are_not_examined_are_folded_on_the_primary(
    current: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = ExportSpec("aurora", "hold", DAY, DAY + timedelta(days=1), ("table",), "csv")
    post(fact_at("EOU-11", 3))
    head = heads.head("aurora").position
    unexamined = made(spec)
    assert unexamined.seen.position == head
    findings.examine()
    from_replica = made(spec)
    from_primary = on_primary(lambda: made(spec), monkeypatch)
    assert from_replica.seen == from_primary.seen
    assert from_replica.written == from_primary.written == unexamined.written
    assert from_replica.manifest == from_primary.manifest


def made(spec: ExportSpec) -> build.BuiltExport:
    built = build.build(spec)
    built.file.close()
    return built


def test_commands_write_the_same_bytes_and_the_newest_facts(
    current: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    post(fact_at("EOU-12", 4))
    findings.examine()
    for name in ("facts", "findings", "rounds", "hold"):
        options = ["--property", "aurora", "--format", "csv"]
        out = tmp_path / f"{name}.csv"
        call_command("export", name, *options, "--out", str(out))
        manifest = json.decode(Path(f"{out}.manifest.json").read_bytes())
        assert [ledger["position"] for ledger in manifest["ledger"]] == [heads.head("aurora").position]
        assert printed("export", name, *options) == out.read_bytes()
        command = partial(printed, "export", name, *options)
        assert on_primary(command, monkeypatch) == out.read_bytes()


def printed(*command: str) -> bytes:
    """Return what a command writes to standard output."""
    with pytest.MonkeyPatch.context() as patch:
        out = BytesIO()
        patch.setattr("sys.stdout", TextIOWrapper(out, write_through=True))
        call_command(*command)
        return out.getvalue()


def test_rights_are_read_from_the_primary(current: Site) -> None:
    browser, page = current.cast.browser("Boris"), f"/boards/codes/?{DAYS}"
    eve = current.cast.browser("Eve")
    assert browser.get(page).status_code == 200
    assert eve.get(page).status_code == 403
    current.paused(True)
    try:
        set_registers("aurora", [Entry("people", "t-101", None)], by="m-101", second="m-102")
        assert browser.get(page).status_code in (302, 403)
    finally:
        current.paused(False)


def test_a_server_that_is_no_replica_is_not_read(current: Site) -> None:
    with connected(replica=current.primary.entry(is_replica=True)):
        assert replica.state().reason == "not-a-replica"
        answer = current.cast.browser("Igor").get(f"/boards/codes/?{DAYS}")
        assert (answer.status_code, answer["Catwalk-Read-From"]) == (200, "primary")
