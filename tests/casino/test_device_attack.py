"""A device whose token is for one table tries to make itself an administrator, and to send facts of another
device. Every attempt is refused. If an earlier release recorded such attempts, `reexamine` reports them.
"""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from audit.findings import examine as findings
from audit.findings import read
from audit.ledger import intake, store
from audit.ledger.intake import Sender
from audit.queries.span import Span
from audit.replay.checks.tables_known import TablesKnown
from casino.accounts import services as accounts
from casino.models import Person
from casino.reference import projection
from casino.reference.demo_users import GATEWAY
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports.definitions import coverage
from tests.audit.floor import DAY, fact, line, opened, uid
from tests.casino.conftest import Api, Cast, one_connection
from tests.casino.entry_cases import FACTS
from tests.casino.feeding import run
from tests.casino.test_api import device, facts_of, problem

HOUSE = "aurora/house"
ADMINISTRATOR = {"register": "people", "key": "x-9", "value": {"role": "administrator"}, "from": None}
MIA_AND_MAX = {"by": "m-101", "second": "m-102"}
ADJUSTED = {name: value for name, value in FACTS["adjusted"].items() if name != "kind"}
ATTACKS: dict[str, dict[str, Any]] = {
    "names two administrators": ADMINISTRATOR | MIA_AND_MAX,
    "names people who do not exist": ADMINISTRATOR | {"by": "x-1", "second": "x-2"},
    "names nobody second": ADMINISTRATOR | {"by": "m-101", "second": ""},
    "lets an administrator sign for himself": ADMINISTRATOR | {"key": "m-102"} | MIA_AND_MAX,
    "gives roles that are kept apart": ADMINISTRATOR
    | {"value": {"roles": ["administrator", "internal-audit"]}}
    | MIA_AND_MAX,
    "spells its role in another way": ADMINISTRATOR | {"value": {"roles": ["administrator"]}} | MIA_AND_MAX,
    "gives the role from a later day on": ADMINISTRATOR | {"from": "2026-12-01"} | MIA_AND_MAX,
    "registers itself for every table": {
        "register": "devices",
        "key": "shoe-7",
        "value": {"tables": ["*"], "people": True, "house": True, "kinds": ["register-set"]},
        "from": None,
    }
    | MIA_AND_MAX,
    "removes one-time passwords": {
        "register": "thresholds",
        "key": "one-time-passwords",
        "value": {"demand": False},
        "from": None,
    }
    | MIA_AND_MAX,
    "changes its own table": {"register": "tables", "key": "EOU-01", "value": {"pit": "x"}, "from": None}
    | MIA_AND_MAX,
    "changes another table": {"register": "tables", "key": "EOU-02", "value": {"pit": "x"}, "from": None}
    | MIA_AND_MAX,
}
REGISTRATIONS: dict[str, dict[str, Any]] = {
    "of a sensor": {"tables": ["EOU-01"]},
    "of an earlier release": {"tables": ["EOU-01"], "people": True, "house": True},
    "for flags": {"tables": ["EOU-01"], "people": True, "house": True, "kinds": ["flagged"]},
    "for every table": {"tables": ["*"], "people": True, "house": True},
    "for words": {"tables": ["EOU-01"], "people": "yes", "house": "yes", "kinds": "register-set"},
}


def facts() -> list[dict[str, Any]]:
    """Return the facts with which the device attacks."""
    entries = [
        fact(10 + place, "register-set", HOUSE, **fields) for place, fields in enumerate(ATTACKS.values())
    ]
    other = ADJUSTED | {"of_table": "aurora/EOU-02"}
    verdict = {name: value for name, value in FACTS["verdict-given"].items() if name != "kind"}
    flagged = {"of_table": "aurora/EOU-02", "of_day": DAY, "round": "r", "why": "x", "by": "v-101"}
    return [
        *entries,
        fact(50, "adjusted", HOUSE, **other),
        fact(51, "adjusted", HOUSE, **other | {"of_table": "borealis/EOU-01"}),
        fact(52, "verdict-given", HOUSE, **verdict),
        fact(53, "reexamined", HOUSE, rules="x", gained=[], lost=[]),
        fact(54, "flagged", HOUSE, **flagged),
        opened(55, "borealis/EOU-01"),
    ]


@pytest.mark.parametrize("value", REGISTRATIONS.values(), ids=REGISTRATIONS)
def test_a_device_cannot_make_itself_administrator(cast: Cast, value: dict[str, Any]) -> None:
    set_registers("aurora", [Entry("devices", "shoe-7", value)], **MIA_AND_MAX)
    shoe = Api(accounts.issue_token(made_by="m-101", property="aurora", device="shoe-7"))
    before = [(row.name, row.number) for row in store.streams()]
    with one_connection():
        for sent in facts():
            answers = [
                shoe.post(sent),
                shoe.send(json.dumps([sent]).encode(), "application/json"),
                shoe.post(opened(99) | {"uid": uid(99)}, sent),
            ]
            assert [answer.status_code for answer in answers] == [403] * 3, sent
            assert {answer.json()["code"] for answer in answers} == {"no-right"}, sent
            assert all(answer.json()["why"] for answer in answers)
        for page in ("/admin/casino/entry/set/people/", "/admin/", "/tokens/", "/api/v1/exports"):
            answer = shoe.client.post(page, {"key": "x-9", "roles": "administrator"}, headers=shoe.headers)
            assert answer.status_code in (302, 400, 403, 404, 415), page
            assert answer.status_code != 302 or "/login/" in answer["Location"], page
    assert [(row.name, row.number) for row in store.streams()] == before
    assert not Person.objects.filter(pk="x-9").exists()


def test_attempts_recorded_by_an_earlier_release_are_found(cast: Cast) -> None:
    """Record the attack as an earlier release did, which did not check kinds, tables or signers. Then test
    that `reexamine` reports it.
    """
    value = REGISTRATIONS["of an earlier release"]
    set_registers("aurora", [Entry("devices", "shoe-7", value)], **MIA_AND_MAX)
    attack = [fact | {"source": "shoe-7"} for fact in facts() if fact["table"] == HOUSE]
    intake.post([line(fact) for fact in attack], Sender("an earlier release"))
    projection.sync_registers("aurora")
    run("reexamine")
    codes_by_uid: dict[str, set[str]] = {}
    for finding in map(json.loads, run("findings", "--format", "ndjson").out.splitlines()):
        codes_by_uid.setdefault(finding["uid"], set()).add(finding["code"])
    assert [fact["kind"] for fact in attack if fact["uid"] not in codes_by_uid] == ["register-set"], (
        "only the entry of its own table was within its registration"
    )
    codes = [codes_by_uid.get(fact["uid"], set()) for fact in attack]
    codes_by_attack = dict(zip(ATTACKS, codes, strict=False))
    assert codes_by_attack["names two administrators"] == {"signer-not-entitled"}
    assert codes_by_attack["names people who do not exist"] == {"person-unknown", "signer-not-entitled"}
    assert codes_by_attack["names nobody second"] == {"signed-once", "signer-not-entitled"}
    assert codes_by_attack["gives roles that are kept apart"] == {"roles-not-apart", "signer-not-entitled"}
    assert codes_by_attack["changes its own table"] == set()
    assert codes[len(ATTACKS)] == codes[len(ATTACKS) + 1] == {"adjusted-elsewhere"}


def test_a_device_cannot_send_for_another_registered_device(cast: Cast, gateway: Api) -> None:
    """Test that a device cannot send the next sequence number of another device, because that would hide a
    lost message. A sensor that is in no register may send through any device.
    """
    assert gateway.post(opened(1) | {"source": GATEWAY, "n": 1}).status_code == 201
    shoe = device(cast, tables=["*"])
    for sent in (
        [fact(2) | {"n": 2, "source": GATEWAY}],
        [fact(2) | {"n": 1, "source": "shoe-7"}, fact(3) | {"source": GATEWAY}],
        [fact(2) | {"source": GATEWAY, "round": '"source":"shoe-7"'}],
    ):
        body = problem(shoe.post(*sent), 403, "no-right")
        assert (body["index"], body["field"]) == (len(sent) - 1, "source")
    assert facts_of() == 1
    own, behind = fact(2) | {"n": 1, "source": "shoe-7"}, fact(3) | {"n": 1, "source": "reader-2"}
    assert shoe.post(own, behind).status_code == 201


def test_nobody_posts_about_a_table_of_another_property(cast: Cast) -> None:
    """Test a user and a device that may post about every table of their own property. Neither may post about
    a table of another property.
    """
    dana = Api(accounts.issue_token(made_by="m-101", person="v-101"))
    desk = device(cast, tables=["*"], people=True, house=True, kinds=["flagged", "log-written"])
    of = {"of_table": "borealis/EOU-01", "of_day": DAY, "by": "v-101"}
    flagged = fact(1, "flagged", HOUSE, round="r", why="x", **of)
    written = fact(2, "log-written", HOUSE, about="x", words_sha256="0" * 64, **of)
    for sent in (flagged, written):
        for door, source in ((dana, "desk-1"), (desk, "shoe-7")):
            assert problem(door.post(sent | {"source": source}), 403, "no-right")["field"] == "of_table"
    assert dana.post(flagged | {"source": "desk-1", "of_table": "aurora/EOU-01"}).status_code == 201


def test_a_table_that_a_device_opens_is_found_if_nobody_registered_it(cast: Cast) -> None:
    """Open a table with a device that is registered for every table. The fact is recorded, and found until
    the register has the table. The report `coverage` says that nothing was judged while it was empty.
    """
    span = Span(date(2026, 11, 1), date(2026, 12, 1), "aurora")

    def unknown() -> list[str]:
        findings.examine()
        return [finding.stream for finding, _ in read.findings(code="table-unknown")]

    def not_judged() -> list[tuple[Any, ...]]:
        table, code, missing, rule = 0, 2, 3, 7
        return [
            (row[table], row[missing], row[rule])
            for row in coverage.sheet(span, ()).rows
            if row[code] == "table-unknown"
        ]

    shoe = device(cast, tables=["*"])
    assert shoe.post(opened(1, "aurora/EOU-99") | {"source": "shoe-7"}).status_code == 201
    assert unknown() == []
    assert not_judged() == [("aurora/EOU-99", "register tables", TablesKnown.cite)]
    set_registers("aurora", [Entry("tables", "EOU-01", {"pit": "x"}, "2026-01-01")], **MIA_AND_MAX)
    assert (unknown(), not_judged()) == ([f"aurora/EOU-99/{DAY}"], [])
    set_registers("aurora", [Entry("tables", "EOU-99", {"pit": "x"}, "2026-11-28")], **MIA_AND_MAX)
    assert unknown() == [f"aurora/EOU-99/{DAY}"]
    set_registers("aurora", [Entry("tables", "EOU-99", {"pit": "x"}, DAY)], **MIA_AND_MAX)
    assert unknown() == []
