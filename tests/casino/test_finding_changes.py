"""The feed of findings. A reader who continues with `since` has the stored findings, even if findings are
made, withdrawn and made again while it reads. The program of the guide is such a reader.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from audit.database import execute, rows
from audit.findings import examine as findings_of
from audit.findings import save
from audit.ledger import intake
from audit.proofs.registry import RowCount
from casino.accounts import services as accounts
from casino.accounts import view_log
from casino.alerts import event_log, publish, services
from casino.api import event_pages
from casino.proofs import events
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.audit.floor import fact, opened, uid
from tests.casino.conftest import Api, Cast
from tests.casino.guide import program_below
from tests.casino.nights import record, troubled_day
from tests.casino.receiver import receiving, work
from tests.casino.served import served
from tests.casino.test_api import problem
from tests.furnished import furnishing

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


def replace_findings(rules: str, *, is_sealed: bool = False) -> None:
    """Store other findings, as if earlier rules had made them. The next re-examination loses them.

    Args:
        rules: the earlier rules.
        is_sealed: True to store the digest that shows that Catwalk examined by these rules.
    """
    execute(
        """UPDATE finding SET id = replace(id, ':', ':' || %s), announced = NULL
        WHERE property = 'aurora' AND reader = 'table'""",
        [rules],
    )
    for property, stream in save.behind(True):
        seal = save.seal(property, stream, rules) if is_sealed else None
        execute("UPDATE examination SET rules = %s, seal = %s WHERE stream = %s", [rules, seal, stream])


def ended(bearer: Api) -> set[tuple[str, str | None, str | None]]:
    """Return (change, cause, type of event) of the findings that are no longer made."""
    items = bearer.get(f"{FEED}?page_size=1000").json()["items"]
    of_types = {event.number: event.type for event in event_log.after("aurora", 0, 1000, (), 1000)}
    return {
        (row["change"], row["cause"], of_types[row["event_number"]])
        for row in items
        if row["change"] != "gained"
    }


@pytest.mark.parametrize(("is_sealed", "cause"), [(True, "rules"), (False, "check")])
def test_a_reexamination_loses_findings(night: Cast, is_sealed: bool, cause: str) -> None:
    replace_findings("old-1-", is_sealed=is_sealed)
    publish.publish("aurora")
    findings_of.reexamine()
    publish.publish("aurora")
    assert ended(api(night)) == {("lost", cause, "finding.lost")}
    assert api(night).get(f"{FEED}?change=lost").json()["items"] != []
    assert api(night).get(f"{FEED}?change=withdrawn").json()["items"] == []
    assert list(events.prove(RowCount())) == []


@pytest.mark.parametrize(
    ("types", "received"),
    [
        (("finding.withdrawn",), {"finding.lost"}),
        (("finding.lost",), {"finding.lost"}),
        (("finding.gained",), {"finding.gained"}),
    ],
)
def test_a_webhook_for_withdrawn_findings_gets_lost_ones_too(
    night: Cast, settings: Any, types: tuple[str, ...], received: set[str]
) -> None:
    settings.WEBHOOK_HTTP = True
    set_registers(
        "aurora", [Entry("thresholds", "private-webhooks", {"demand": True})], by="m-101", second="m-102"
    )
    replace_findings("old-1-", is_sealed=True)
    with receiving() as receiver:
        receiver.secret = services.set_webhook(
            night.person("Mia"), "aurora", str(uuid4()), "soc", receiver.url, types
        )
        publish.publish("aurora")
        findings_of.reexamine()
        publish.publish("aurora")
        work()
        assert {body["type"] for _, body in receiver.got} == received


def test_changed_rules_lose_findings_also_if_a_new_fact_comes(night: Cast) -> None:
    replace_findings("old-1-", is_sealed=True)
    publish.publish("aurora")
    record([troubled_day(times=2)[-1] | {"uid": uid(1), "kind": "paused", "reason": "x", "by": "s-201"}])
    publish.publish("aurora")
    assert ended(api(night)) == {("lost", "rules", "finding.lost")}


def test_a_later_fact_withdraws_a_finding(night: Cast) -> None:
    """Correct a misread roll, so that the payments of its hand are no longer wrong."""
    before, facts = stored(), troubled_day(table="EOU-08", times=1, faults=())
    roll = next(fact for fact in facts if fact["kind"] == "roll" and len(set(fact["dice"])) > 1)
    dice, roll["dice"] = roll["dice"], [1, 1] if sum(roll["dice"]) > 7 else [6, 6]
    record(facts)
    publish.publish("aurora")
    misread = stored() - before
    signed = {"of": roll["uid"], "reason": "reader dirty", "by": "s-201", "second": "s-202"}
    envelope = {name: facts[-1][name] for name in ("table", "day", "at", "source")}
    record([envelope | signed | {"uid": uid(1), "kind": "read-corrected", "dice": dice}])
    publish.publish("aurora")
    no_longer_made = misread - stored()
    assert no_longer_made != set()
    assert ended(api(night)) == {("withdrawn", "facts", "finding.withdrawn")}
    items = api(night).get(f"{FEED}?change=withdrawn").json()["items"]
    assert {row["id"] for row in items} == no_longer_made
    page = night.browser("Dana").get(f"/hand/{items[0]['stream']}/{roll['round']}/").content.decode()
    assert "Withdrawn: facts that were recorded later ended this finding" in " ".join(page.split())
    assert list(events.prove(RowCount())) == []


def test_a_fact_of_an_earlier_version_withdraws_without_a_cause(night: Cast) -> None:
    (finding, *_) = sorted(stored())
    sent = fact(2, "reexamined", "aurora/house", rules="r", gained=[], lost=[finding])
    intake.post([json.dumps(sent).encode()], intake.Sender("examiner"))
    publish.publish("aurora")
    assert ended(api(night)) == {("withdrawn", None, "finding.withdrawn")}
    assert list(events.prove(RowCount())) == []


def test_a_follower_has_the_stored_findings_after_every_change(night: Cast) -> None:
    follower = Follower(api(night))
    follower.read()
    assert follower.findings == stored() != set()
    for rules in ("old-1-", "old-2-"):
        replace_findings(rules)
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


def test_a_late_entry_of_a_register_loses_a_finding(night: Cast) -> None:
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
    assert ("lost", "registers", "finding.lost") in ended(follower.bearer)
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
    for query in (f"cursor={cursor}", "cursor=abc", "change=ended", "page_size=0"):
        problem(dana.get(f"{FEED}?{query}"), 400, query.partition("=")[0].replace("_", "-"))
    problem(dana.get(f"{FEED}?since=1"), 400, "unknown-parameter")
    assert dana.get(f"{FEED}?property=borealis").status_code == 403


def test_a_request_reads_a_limited_number_of_events(night: Cast, monkeypatch: Any) -> None:
    monkeypatch.setattr(event_pages, "REACH", 2)
    page = api(night).get(f"{FEED}?page_size=100").json()
    assert len(page["items"]) <= 2 < page["last"]
    assert page["next"] is not None
    follower = Follower(api(night))
    follower.read(size=100)
    assert follower.findings == stored()
    assert follower.numbers[-1] <= event_log.last_number("aurora")


@pytest.fixture
def address(night: Cast) -> Iterator[str]:
    with served() as address:
        yield address


def test_the_program_of_the_guide_follows_findings(night: Cast, address: str, tmp_path: Path) -> None:
    program = program_below("Follow findings")
    token = accounts.issue_token(made_by="m-101", person="v-101", scopes=["read:findings"])
    store = tmp_path / "findings.json"
    environ = os.environ | {"CATWALK": address, "TOKEN": token, "STORE": str(store)}

    def run() -> dict[str, Any]:
        ran = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        state: dict[str, Any] = json.loads(store.read_text())
        return state

    assert set(run()["findings"]) == stored() != set()
    replace_findings("old-1-")
    findings_of.reexamine()
    publish.publish("aurora")
    assert set(run()["findings"]) == stored()
