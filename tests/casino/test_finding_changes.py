"""The feed of findings. A reader who continues with `since` has the stored findings, even if findings are
made, withdrawn and made again while it reads. The program of the guide is such a reader.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.servers.basehttp import ThreadedWSGIServer

from audit.database import execute, rows
from audit.findings import examine as findings_of
from casino.accounts import services as accounts
from casino.accounts import view_log
from casino.alerts import event_log, publish
from casino.api import finding_changes
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.wsgi import application
from tests.audit.floor import fact, opened
from tests.browser.conftest import Quiet
from tests.casino.conftest import Api, Cast
from tests.casino.nights import record, troubled_day
from tests.casino.test_api import problem
from tests.furnished import furnishing
from tests.manage import PROJECT

FEED = "/api/v1/findings/changes"


@furnishing
def night() -> Cast:
    cast = Cast()
    record(troubled_day(times=2))
    publish.publish("aurora")
    return cast


def api(cast: Cast, name: str = "Dana") -> Api:
    return Api(accounts.issue_token(made_by="m-101", person=cast.logins[name].id))


def stored() -> set[str]:
    return {id for (id,) in rows("SELECT id FROM finding WHERE property = 'aurora'")}


class Follower:
    """A program that follows the feed. It has a cursor, findings, and the numbers of changes."""

    def __init__(self, bearer: Api) -> None:
        self.bearer, self.cursor = bearer, ""
        self.findings: set[str] = set()
        self.numbers: list[int] = []

    def read(self, size: int = 3) -> None:
        following: str | None = "first"
        while following:
            cursor = f"&cursor={self.cursor}" if self.cursor else ""
            page = self.bearer.get(f"{FEED}?property=aurora&page_size={size}{cursor}").json()
            for row in page["items"]:
                self.numbers.append(row["event_number"])
                change = self.findings.add if row["change"] == "gained" else self.findings.discard
                change(row["id"])
            self.cursor, following = page["since"], page["next"]


def withdraw(rules: str) -> None:
    """Store other findings, as if earlier rules had made them. The next re-examination withdraws them."""
    execute(
        """UPDATE finding SET id = replace(id, ':', ':' || %s), announced = NULL
        WHERE property = 'aurora' AND reader = 'table'""",
        [rules],
    )
    execute("UPDATE examination SET rules = %s", [rules])


def test_a_follower_has_the_stored_findings_after_every_change(night: Cast) -> None:
    follower = Follower(api(night))
    follower.read()
    assert follower.findings == stored() != set()
    for rules in ("old-1-", "old-2-"):
        withdraw(rules)
        publish.publish("aurora")
        follower.read()
        assert follower.findings >= stored()
        findings_of.reexamine()
        publish.publish("aurora")
        follower.read()
    withdrawn = {finding for finding in follower.findings if re.match(r"[0-9a-f-]{36}:old-", finding)}
    assert withdrawn == set()
    assert follower.findings == stored()
    assert follower.numbers == sorted(set(follower.numbers))


def test_a_late_entry_of_a_register_withdraws_a_finding(night: Cast) -> None:
    table = "aurora/EOU-99"
    record([opened(1, table), fact(2, "dealer-seated", table, dealer="d-999", supervisor="s-201")])
    publish.publish("aurora")
    follower = Follower(api(night))
    follower.read()
    (unknown,) = [finding for finding in follower.findings if "dealer-unknown" in finding]
    before = len(follower.numbers)
    entries = [Entry("people", "d-999", {"role": "dealer"}, "2026-11-01")]
    set_registers("aurora", entries, by="m-101", second="m-102")
    findings_of.examine()
    publish.publish("aurora")
    follower.read()
    assert unknown not in follower.findings
    assert follower.findings == stored()
    assert len(follower.numbers) > before


def test_a_page_is_confirmed_filtered_and_recorded(night: Cast) -> None:
    dana = api(night)
    answer = dana.get(f"{FEED}?property=aurora")
    second = dana.client.get(
        f"{FEED}?property=aurora", headers=dana.headers | {"If-None-Match": answer["ETag"]}
    )
    assert (second.status_code, second.content) == (304, b"")
    assert dana.get(f"{FEED}?change=withdrawn").json()["items"] == []
    assert {row["change"] for row in answer.json()["items"]} == {"gained"}
    assert "Link" in dana.get(f"{FEED}?page_size=1")
    recorded = [viewing.hand for viewing in view_log.viewings(["aurora"], person=night.logins["Dana"].id)]
    assert recorded == ["Changes of findings"] * 2


def test_a_cursor_of_another_filter_and_unknown_values_are_refused(night: Cast) -> None:
    dana = api(night)
    cursor = dana.get(f"{FEED}?change=gained").json()["since"]
    for query in (f"cursor={cursor}", "cursor=abc", "change=lost", "page_size=0"):
        problem(dana.get(f"{FEED}?{query}"), 400, query.partition("=")[0].replace("_", "-"))
    problem(dana.get(f"{FEED}?since=1"), 400, "unknown-parameter")
    assert dana.get(f"{FEED}?property=borealis").status_code == 403


def test_a_request_reads_a_limited_number_of_events(night: Cast, monkeypatch: Any) -> None:
    monkeypatch.setattr(finding_changes, "REACH", 2)
    page = api(night).get(f"{FEED}?page_size=100").json()
    assert len(page["items"]) <= 2 < page["last"]
    assert page["next"] is not None
    follower = Follower(api(night))
    follower.read(size=100)
    assert follower.findings == stored()
    assert follower.numbers[-1] <= event_log.last_number("aurora")


@pytest.fixture
def address(night: Cast) -> Iterator[str]:
    server = ThreadedWSGIServer(("127.0.0.1", 0), Quiet)
    server.daemon_threads = True
    server.set_app(application)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_program_of_the_guide_follows_findings(night: Cast, address: str, tmp_path: Path) -> None:
    guide = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8").partition("\n## Follow findings\n")[2]
    (program,) = re.findall(r"```python\n(.*?)```", guide.partition("\n## ")[0], flags=re.S)
    token = accounts.issue_token(made_by="m-101", person="v-101", scopes=["read:findings"])
    store = tmp_path / "findings.json"
    environ = os.environ | {"CATWALK": address, "TOKEN": token, "STORE": str(store)}

    def run() -> dict[str, Any]:
        ran = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        state: dict[str, Any] = json.loads(store.read_text())
        return state

    assert set(run()["findings"]) == stored() != set()
    withdraw("old-1-")
    findings_of.reexamine()
    publish.publish("aurora")
    assert set(run()["findings"]) == stored()
