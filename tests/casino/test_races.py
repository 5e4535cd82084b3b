"""Two users do the same thing at the same moment. A page accepts exactly one of them. The API accepts one of
them, or accepts both and replay reports a finding.

In each test two browsers or two posts of a device start together, each with its own database connection.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connections
from msgspec import json

from audit.findings import examine as findings
from audit.ledger import intake, store
from audit.ledger.intake import Sender
from audit.review import projections, verdicts
from casino.models import Entry
from casino.reference.calendar import gaming_day
from tests.audit.floor import OPENING, fact, line
from tests.casino.conftest import Api, Cast
from tests.conftest import House
from tests.counts import LONG

RACES = 200 if LONG else 2
TABLE = "EOU-01"
BY = {"by": "d-101", "second": "s-201"}
SIGNED = {
    "requested_by": "s-201",
    "sent_by": "c-101",
    "carried_by": "g-101",
    "received_by": "d-101",
    "verified_by": "s-202",
}
Act = Callable[[], Any]


def together(*acts: Act) -> list[Any]:
    """Start all actions at the same moment, each in its own thread. Return their answers."""
    start = Barrier(len(acts))

    def run(act: Act) -> Any:
        start.wait()
        try:
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


class Floor:
    """Records facts of tables on today's gaming day as devices would, and sends forms as users."""

    def __init__(self, cast: Cast) -> None:
        self.cast, self.day, self.places = cast, gaming_day("aurora"), iter(range(1, 1_000_000))

    def record(self, *facts: dict[str, Any], table: str = TABLE) -> list[str]:
        """Record facts of a table in one post and return their uids."""
        device_facts = [
            fact(next(self.places), table=f"aurora/{table}", day=str(self.day), **fields)
            | {"uid": str(uuid4())}
            for fields in facts
        ]
        intake.post([line(fact) for fact in device_facts], Sender("test"))
        return [str(fact["uid"]) for fact in device_facts]

    def open(self, table: str = TABLE) -> None:
        self.record(OPENING | {"sees": ["bet", "deal", "roll", "take", "pay"]}, table=table)

    def sign(self, **people: str) -> dict[str, str]:
        typed = {}
        for field, name in people.items():
            typed |= {field: self.cast.logins[name].id, f"{field}_password": self.cast.logins[name].password}
        return typed

    def post(self, name: str, page: str, **typed: Any) -> Act:
        """Return a function that sends this page's form as the named user."""
        browser = self.cast.browser(name)
        return lambda: browser.post(page, {"uid": str(uuid4())} | typed)


@pytest.fixture
def floor(cast: Cast) -> Floor:
    floor = Floor(cast)
    floor.open()
    return floor


def recorded(*kinds: str) -> list[dict[str, Any]]:
    """Return every fact of these kinds of the property, in the order of commit."""
    return [json.decode(body) for _, _, _, body in store.read_kinds("aurora", frozenset(kinds), 0)]


def accepted(answers: Sequence[Any]) -> int:
    """Return how many of the answers say that the form was recorded. Such an answer redirects, or it has a
    header which says that a verdict was given.
    """
    return sum(
        answer.status_code == 302 or "verdict-given" in answer.headers.get("HX-Trigger-After-Settle", "")
        for answer in answers
    )


def test_of_two_verdicts_on_a_finding_one_is_accepted(floor: Floor, house: House) -> None:
    for place in range(RACES):
        in_round = {"round": f"r-{place}"}
        floor.record(
            {"kind": "round-opened"} | in_round,
            {"kind": "bet", "spot": "1", "wager": "over", "amount": 1000} | in_round,
            {"kind": "roll", "dice": [1, 2]} | in_round,
            {"kind": "deal", "to": "1", "card": "2c"} | in_round,
            {"kind": "take", "spot": "1", "wager": "over", "amount": 500} | in_round,
            {"kind": "round-closed"} | in_round,
        )
    findings.examine()
    stream = f"aurora/{TABLE}/{floor.day}"
    for place in range(RACES):
        finding = next(
            finding
            for finding in verdicts.findings_of("aurora", stream, f"r-{place}")
            if finding.code == "wrong-settlement"
        )
        sent = {"stream": stream, "hand": f"r-{place}", "finding": f"{finding.id}|{finding.seen}"}
        answers = together(
            floor.post(
                "Dana",
                "/verdict/",
                **sent,
                verdict="confirmed",
                disposition="dealer_error_uncorrected_house_loss",
            ),
            floor.post("Dora", "/verdict/", **sent, verdict="dismissed", disposition="no_error"),
        )
        assert sorted(answer.status_code for answer in answers) == [200, 200]
        refused = [answer for answer in answers if "changed after you opened it" in answer.content.decode()]
        assert len(refused) == 1
    verdict_counts = Counter(recorded_fact["finding"] for recorded_fact in recorded("verdict-given"))
    assert (len(verdict_counts), set(verdict_counts.values())) == (RACES, {1})


def test_of_two_voids_of_a_slip_one_is_accepted(floor: Floor, house: House) -> None:
    fill = {"kind": "fill-sent", "chips": {"10000": 1}, "amount": 10000} | SIGNED
    uids = floor.record(*(fill | {"slip": f"F-EOU01-{place:06d}"} for place in range(1, RACES + 1)))
    for uid in uids:
        form = {"reason": "Wrong table.", **floor.sign(second="Gia")}
        page = f"/cage/slip/aurora/{uid}/"
        assert accepted(together(floor.post("Chi", page, **form), floor.post("Cleo", page, **form))) == 1
    voids = Counter(recorded_fact["slip"] for recorded_fact in recorded("slip-voided"))
    assert (len(voids), set(voids.values())) == (RACES, {1})


def test_of_two_recounts_of_a_box_one_is_accepted(floor: Floor, house: House) -> None:
    for place in range(RACES):
        box = {"box": f"{place:06d}", "shift": ""}
        pull, _ = floor.record(
            {"kind": "box-pulled", "by": "s-201", "second": "g-101"} | box,
            {"kind": "drop-counted", "notes": {"10000": 3}, "amount": 30000, "team": ["n-101", "n-102"]}
            | box,
        )
        page = f"/count/verify/{pull}/"
        acts = (
            floor.post("Chi", page, **{"notes-10000": "3"}),
            floor.post("Cleo", page, **{"notes-10000": "4"}),
        )
        assert accepted(together(*acts)) == 1
    counts = Counter(recorded_fact["box"] for recorded_fact in recorded("count-verified"))
    assert (len(counts), set(counts.values())) == (RACES, {1})


def test_of_two_adjustments_by_one_late_count_one_is_accepted(floor: Floor, house: House) -> None:
    pulls = floor.record(
        *(
            {"kind": "box-pulled", "by": "s-201", "second": "g-101", "box": f"{place:06d}", "shift": ""}
            for place in range(RACES)
        )
    )
    floor.record({"kind": "day-closed", "by": "a-101"})
    page = f"/closing/adjust/?day={floor.day}"
    for pull in pulls:
        form = {"table": TABLE, "what": "drop", "direction": "raises", "reason": "Counted late.", "of": pull}
        acts = (
            floor.post("Alma", page, **form, amount="20.00", **floor.sign(second="Alan")),
            floor.post("Alan", page, **form, amount="30.00", **floor.sign(second="Alma")),
        )
        assert accepted(together(*acts)) == 1
    named = Counter(recorded_fact["of"] for recorded_fact in recorded("adjusted"))
    assert (len(named), set(named.values())) == (RACES, {1})


def test_of_two_closes_of_a_day_one_is_recorded(floor: Floor, house: House) -> None:
    for place in range(RACES):
        table = f"EOU-{place + 100}"
        floor.open(table)
        count = {"chips": {}, "amount": 50000} | BY
        floor.record(
            {"kind": "opener-counted"} | count,
            {"kind": "closer-counted"} | count,
            {"kind": "table-closed"},
            table=table,
        )
        page = f"/closing/?day={floor.day}"
        together(
            floor.post("Alma", page, tables=[table], looked="yes"),
            floor.post("Alan", page, tables=[table], looked="yes"),
        )
    closed = Counter(recorded_fact["table"] for recorded_fact in recorded("day-closed"))
    assert (len(closed), set(closed.values())) == (RACES, {1})


def test_of_two_entries_of_a_register_one_is_accepted(floor: Floor, house: House) -> None:
    page = "/admin/casino/entry/set/pits/"
    for place in range(RACES):
        acts = []
        for name, second in (("Mia", "Max"), ("Max", "Mia")):
            form = {"property": "aurora", "key": f"pit-{place}", "title_of": f"Pit of {name}"}
            look_page = floor.cast.browser(name).post(page, form | {"act": "look"}).content.decode()
            (seal,) = set(re.findall(r'name="seal" value="(\w+)"', look_page))
            acts.append(floor.post(name, page, **form, act="sign", seal=seal, **floor.sign(second=second)))
        assert accepted(together(*acts)) == 1
    assert Entry.objects.filter(register="pits").count() == RACES


def device(cast: Cast, fields: dict[str, Any], uid: str = "") -> Act:
    """Return a function that posts one fact with the token of the gateway, a device."""
    door = Api(cast.logins["gateway"].token)
    return lambda: door.post(fields | {"uid": uid or str(uuid4())})


def test_of_two_closes_by_a_device_one_is_accepted(floor: Floor, house: House) -> None:
    for place in range(RACES):
        table = f"EOU-{place + 100}"
        floor.open(table)
        device_fact = fact(
            next(floor.places), kind="day-closed", table=f"aurora/{table}", day=str(floor.day), by="a-101"
        )
        answers = together(device(floor.cast, device_fact), device(floor.cast, device_fact))
        assert sorted(answer.status_code for answer in answers) == [201, 409]
    assert len(recorded("day-closed")) == RACES


def test_one_fact_that_a_device_sends_twice_at_once_is_recorded_once(floor: Floor, house: House) -> None:
    fields = {"reason": "torn", "by": "c-101", "second": "g-102"}
    for place in range(RACES):
        slip = f"F-EOU01-{place + 1:06d}"
        device_fact = fact(
            next(floor.places),
            kind="slip-voided",
            table=f"aurora/{TABLE}",
            day=str(floor.day),
            slip=slip,
            **fields,
        )
        uid = str(uuid4())
        answers = together(device(floor.cast, device_fact, uid), device(floor.cast, device_fact, uid))
        assert sorted(json.decode(answer.content)[0]["fresh"] for answer in answers) == [False, True]
    assert len(recorded("slip-voided")) == RACES


def test_no_device_and_no_person_gives_a_verdict_by_the_api(floor: Floor, house: House) -> None:
    fields = {
        "kind": "verdict-given",
        "finding": f"{UUID(int=1)}:late-bet:1:over",
        "code": "late-bet",
        "says": "",
        "owed": None,
        "moved": None,
        "verdict": "dismissed",
        "by": "v-101",
        "note_sha256": None,
        "savings": 0,
        "losses": 0,
        "recovered": 0,
        "video": [],
    }
    sent = fact(next(floor.places), table="aurora/house", day=str(floor.day), **fields)
    assert [
        answer.status_code for answer in together(device(floor.cast, sent), device(floor.cast, sent))
    ] == [403, 403]
    projections.follow("aurora")
    assert recorded("verdict-given") == []
