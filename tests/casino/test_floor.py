"""The floor: what stands where now, read by keys; tables opened and closed, people seated, limits set, trays counted."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from msgspec import json

from audit.facts import check
from audit.intake import Sender, post_prepared
from audit.queries import floor as queries
from casino.sample.day import Day
from tests.audit.floor import OPENING, fact
from tests.conftest import House

TODAY = date(2026, 11, 28)
TWO = {"by": "d-101", "second": "s-201"}


def tell(*facts: dict[str, Any]) -> None:
    post_prepared([check(json.encode(each)) for each in facts], Sender("test"))


class Telling:
    """Facts of tables, one after another."""

    def __init__(self) -> None:
        self.place = 0

    def __call__(self, kind: str, table: str = "EOU-01", day: date = TODAY, **fields: Any) -> None:
        self.place += 1
        if kind == "table-opened":
            fields = OPENING | fields
        tell(fact(self.place, table=f"aurora/{table}", day=day.isoformat(), **{"kind": kind, **fields}))


@pytest.fixture
def told(house: House) -> Telling:
    return Telling()


def slip(serial: str, amount: int) -> dict[str, Any]:
    signed = {"requested_by": "s-201", "sent_by": "c-101", "carried_by": "g-101", "received_by": "d-101", "verified_by": "s-202"}
    return {"slip": serial, "chips": {str(amount): 1}, "amount": amount, **signed}


def test_the_board_shows_a_table_as_the_last_facts_left_it(told: Telling) -> None:
    told("table-opened", day=TODAY - timedelta(days=1))
    told("dealer-seated", day=TODAY - timedelta(days=1), dealer="d-109", supervisor="s-209")
    told("table-closed", day=TODAY - timedelta(days=1))
    told("table-opened")
    (now,) = queries.board("aurora", TODAY)
    assert (now.table, now.day, now.is_open, now.seated, now.opener, now.round) == ("aurora/EOU-01", TODAY, True, None, None, "")
    told("dealer-seated", dealer="d-101", supervisor="s-201")
    told("opener-counted", chips={"10000": 5}, amount=50_000, **TWO)
    told("fill-sent", **slip("F-EOU01-000001", 30_000))
    told("fill-sent", **slip("F-EOU01-000002", 20_000))
    told("credit-sent", **slip("C-EOU01-000001", 7_500))
    told("slip-voided", slip="F-EOU01-000002", reason="wrong amount", by="c-101", second="s-201")
    told("box-pulled", box="B-7", shift="day", **TWO)
    told("round-opened", round="r1")
    told("chips-bought", spot="1", amount=500, tender="cash")
    (now,) = queries.board("aurora", TODAY)
    assert now.seated is not None
    assert now.opener is not None
    assert (now.seated.dealer, now.opener.amount, now.fills, now.credits, now.boxes, now.round) == ("d-101", 50_000, 30_000, 7_500, 1, "r1")
    assert now.last.table == "aurora/EOU-01"
    assert type(now.last).__name__ == "ChipsBought"
    told("round-closed", round="r1")
    told("drop-counted", box="B-7", shift="day", notes={}, amount=0, team=["n-101", "n-102"])
    told("closer-counted", chips={"500": 1}, amount=500, **TWO)
    told("table-closed")
    (now,) = queries.board("aurora", TODAY)
    assert (now.is_open, now.seated, now.boxes, now.round, now.counted_since) == (False, None, 0, "", True)
    assert queries.hands("aurora", now.stream, 5) == ["r1"]


def test_the_board_names_every_table_once_and_a_slip_of_the_pen_hides_none(told: Telling) -> None:
    for table in ("EOU-1", "EOU-10", "EOU-1-b", "EOU", "Ä-1"):
        told("table-opened", table)
    told("table-opened", "EOU-1", date(2062, 11, 28))
    told("flagged", "house", of_table="aurora/EOU-1", of_day=TODAY.isoformat(), round="r1", why="x", by="v-101")
    assert [(now.table, now.day) for now in queries.board("aurora", TODAY)] == [
        (f"aurora/{name}", TODAY) for name in ("EOU-1-b", "EOU-1", "EOU-10", "EOU", "Ä-1")
    ]
    now = queries.table("aurora", "EOU-1", TODAY)
    assert now is not None
    assert now.table == "aurora/EOU-1"
    assert queries.table("aurora", "EOU-", TODAY) is None
    assert queries.table("aurora", "house", TODAY) is None
    assert queries.table("aurora", "EOU\0", TODAY) is None
    assert queries.board("borealis", TODAY) == []


def test_the_last_closer_is_found_however_long_the_table_was_shut(told: Telling) -> None:
    assert queries.last_closer("aurora", "EOU-01", TODAY) is None
    told("table-opened", day=date(2024, 1, 1))
    told("closer-counted", day=date(2024, 1, 1), chips={"500": 3}, amount=1_500, **TWO)
    told("table-opened", day=date(2024, 3, 1))
    told("table-opened", "EOU-02", currency="EUR")
    found = queries.last_closer("aurora", "EOU-01", TODAY)
    assert found is not None
    assert (found.stream, found.number, found.counted.amount, found.currency) == ("aurora/EOU-01/2024-01-01", 2, 1_500, "USD")


def test_the_board_costs_the_same_whatever_the_age_of_the_ledger_and_the_length_of_the_day(house: House) -> None:
    """No part of its plan walks through streams or facts: each goes by the whole key of a table's day."""
    day = Day("easy_over_under", "floor", table="EOU-01", house=True, day=TODAY)
    day.open()
    day.honest(30)
    tell(*day.facts())
    asked = {"property": "aurora", "first": "aurora/", "many": True, "house": "aurora/house/", "upto": "2026-11-30"}
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")  # in a house as small as this one a walk would be as cheap
        cursor.execute("EXPLAIN (FORMAT JSON) " + queries._BOARD, asked)
        (plan,) = cursor.fetchone()
        cursor.execute("RESET enable_seqscan")
    read = [node for node in nodes(plan[0]["Plan"]) if node.get("Relation Name", "").startswith(("fact", "stream", "queued"))]
    assert len(read) > 10
    assert [node for node in read if "Index Cond" not in node] == []
    facts = [node["Index Cond"] for node in read if node["Relation Name"].startswith("fact")]
    assert [cond for cond in facts if "stream" not in cond or not ("kind" in cond or "number" in cond)] == []


def nodes(plan: dict[str, Any]) -> Any:
    yield plan
    for each in plan.get("Plans", ()):
        yield from nodes(each)
