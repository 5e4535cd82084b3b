"""Facts about money that has left the table, posted to the REST API by devices and people: write-offs,
recoveries, cash that the cage receives, and deposits.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json

from audit.facts.money_kinds import MONEY_KINDS
from audit.findings import examine as findings
from audit.ledger import intake, store
from audit.ledger.intake import Sender
from casino.accounts import services as accounts
from tests.audit.checks.ledgers import COUNTED, PULLED
from tests.audit.floor import DAY, fact, line, opened, uid
from tests.casino.conftest import Api, Cast
from tests.casino.feeding import codes
from tests.casino.test_api import HOUSE, device, problem

MARKER = {"slip": "M-EOU01-1", "player": "p-1"}
FIELDS: dict[str, dict[str, Any]] = {
    "marker-written-off": MARKER
    | {"currency": "USD", "amount": 500, "reason": "bankrupt", "by": "a-101", "second": "a-102"},
    "marker-recovered": MARKER | {"currency": "USD", "amount": 200, "by": "c-101"},
    "drop-received": {
        "of_day": DAY,
        "currency": "USD",
        "amount": 10_000,
        "by": "c-101",
        "second": "n-101",
    },
    "deposit-sent": {
        "deposit": "004711",
        "currency": "USD",
        "amount": 8_000,
        "carrier": "transport",
        "by": "c-101",
        "second": "g-101",
    },
    "deposit-confirmed": {"deposit": "004711", "currency": "USD", "amount": 8_000, "by": "a-101"},
}
"""For each kind, the fields of a fact without a fault. The facts belong together in this order."""


def facts_of_money(source: str, *kinds: str) -> list[dict[str, Any]]:
    """Return a fact of each kind, from one source."""
    places = enumerate(FIELDS, 20)
    return [
        fact(place, kind, HOUSE, source=source, **FIELDS[kind])
        for place, kind in places
        if kind in (kinds or FIELDS)
    ]


@pytest.fixture
def counted(cast: Cast) -> None:
    """Record a box of 100.00 USD that was counted twice, and a marker of 5.00 USD."""
    facts = [
        opened(1),
        fact(2, "marker-issued", **MARKER, amount=500, by="s-201"),
        fact(3, "chips-bought", spot="1", amount=500, tender="marker"),
        fact(4, "box-pulled", box="b-1", **PULLED | {"by": "g-101", "second": "s-201"}),
        fact(5, "drop-counted", box="b-1", **COUNTED | {"team": ["n-101", "n-102"]}),
        fact(6, "count-verified", box="b-1", amount=10_000, by="c-102"),
    ]
    intake.post([line(count) for count in facts], Sender("gateway-1"))


def recorded(kind: str) -> list[dict[str, Any]]:
    """Return the recorded facts of a kind."""
    return [json.decode(body) for _, _, _, body in store.read_kinds("aurora", frozenset({kind}), 0)]


def test_every_kind_is_tested() -> None:
    assert set(FIELDS) == set(MONEY_KINDS)


def test_a_device_posts_each_kind_and_nothing_is_found(cast: Cast, counted: None) -> None:
    system = device(cast, tables=["*"], people=True, house=True, kinds=list(MONEY_KINDS))
    for sent in facts_of_money("shoe-7"):
        assert system.post(sent).status_code == 201, sent["kind"]
        assert [receipt["fresh"] for receipt in system.post(sent).json()] == [False]
        (fact_row,) = recorded(sent["kind"])
        assert {name: fact_row[name] for name in sent} == sent
    findings.examine()
    own = ("marker-", "write-off", "drop-received", "deposit", "signed", "signer")
    assert [code for code in codes() if code.startswith(own)] == []


def test_all_kinds_in_one_post_are_all_or_none(cast: Cast, counted: None) -> None:
    system = device(cast, tables=["*"], people=True, house=True, kinds=list(MONEY_KINDS))
    facts = facts_of_money("shoe-7")
    body = problem(system.post(*facts, facts[0] | {"uid": uid(40), "amount": 0}), 422, "out-of-range")
    assert (body["index"], body["field"]) == (5, "amount")
    assert not any(map(recorded, MONEY_KINDS))
    assert system.post(*facts).status_code == 201
    assert all(len(recorded(kind)) == 1 for kind in MONEY_KINDS)


@pytest.mark.parametrize("kind", FIELDS)
def test_a_device_that_is_not_registered_for_it_posts_nothing(cast: Cast, counted: None, kind: str) -> None:
    others = [other for other in MONEY_KINDS if other != kind]
    (sent,) = facts_of_money("shoe-7", kind)
    for rights in (
        {"tables": ["*"], "people": True, "house": True, "kinds": others},
        {"tables": ["EOU-01"], "people": True, "house": True, "kinds": [kind]},
        {"tables": ["*"], "people": True, "house": False, "kinds": [kind]},
    ):
        problem(device(cast, **rights).post(sent), 403, "no-right")
    assert recorded(kind) == []


@pytest.mark.parametrize("kind", FIELDS)
def test_no_person_posts_facts_about_money(cast: Cast, counted: None, kind: str) -> None:
    """Test that people record money on the pages of the cage, which ask for every signature, and not by
    token.
    """
    (sent,) = facts_of_money("desk", kind)
    api = Api(accounts.issue_token(made_by="m-101", person=str(sent["by"])))
    assert problem(api.post(sent), 403, "no-right")["field"] == "kind"
    assert recorded(kind) == []
