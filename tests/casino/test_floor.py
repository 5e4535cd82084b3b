"""Pages of the floor: the present state of each table, work with the keyboard alone, opening and closing
tables, seating staff, setting limits and counting trays.
"""

from __future__ import annotations

import html
import re
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from msgspec import json, to_builtins

from audit.facts import check
from audit.ledger.intake import Sender, post_prepared
from audit.queries import floor as queries
from audit.queries.floor import Now
from casino.reference.calendar import gaming_day
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.sample.tables.day import Day
from tests.audit.floor import OPENING, fact, opened
from tests.casino.conftest import Cast
from tests.casino.pages import markup, text
from tests.conftest import House

TODAY = date(2026, 11, 28)
TWO = {"by": "d-101", "second": "s-201"}


def tell(*facts: dict[str, Any]) -> None:
    post_prepared([check(json.encode(fact)) for fact in facts], Sender("test"))


class FactRecorder:
    """A function that records a fact of a table. Each call uses the next number."""

    def __init__(self) -> None:
        self.place = 0

    def __call__(self, kind: str, table: str = "EOU-01", day: date = TODAY, **fields: Any) -> None:
        self.place += 1
        if kind == "table-opened":
            fields = OPENING | fields
        tell(fact(self.place, table=f"aurora/{table}", day=day.isoformat(), **{"kind": kind, **fields}))


@pytest.fixture
def record_fact(house: House) -> FactRecorder:
    return FactRecorder()


def slip(serial: str, amount: int) -> dict[str, Any]:
    signed = {
        "requested_by": "s-201",
        "sent_by": "c-101",
        "carried_by": "g-101",
        "received_by": "d-101",
        "verified_by": "s-202",
    }
    return {"slip": serial, "chips": {str(amount): 1}, "amount": amount, **signed}


def test_the_board_shows_the_present_state_of_a_table(record_fact: FactRecorder) -> None:
    record_fact("table-opened", day=TODAY - timedelta(days=1))
    record_fact("dealer-seated", day=TODAY - timedelta(days=1), dealer="d-109", supervisor="s-209")
    record_fact("table-closed", day=TODAY - timedelta(days=1))
    record_fact("table-opened")
    (state,) = queries.board("aurora", TODAY)
    assert (state.table, state.day, state.is_open) == ("aurora/EOU-01", TODAY, True)
    assert (state.seated, state.opener, state.round) == (None, None, "")
    record_fact("dealer-seated", dealer="d-101", supervisor="s-201")
    record_fact("opener-counted", chips={"10000": 5}, amount=50_000, **TWO)
    record_fact("fill-sent", **slip("F-EOU01-000001", 30_000))
    record_fact("fill-sent", **slip("F-EOU01-000002", 20_000))
    record_fact("credit-sent", **slip("C-EOU01-000001", 7_500))
    record_fact("slip-voided", slip="F-EOU01-000002", reason="wrong amount", by="c-101", second="s-201")
    record_fact("box-pulled", box="B-7", shift="day", **TWO)
    record_fact("round-opened", round="r1")
    record_fact("chips-bought", spot="1", amount=500, tender="cash")
    (state,) = queries.board("aurora", TODAY)
    assert state.seated is not None
    assert state.opener is not None
    assert (state.seated.dealer, state.opener.amount) == ("d-101", 50_000)
    assert (state.fills, state.credits, state.boxes, state.round) == (30_000, 7_500, 1, "r1")
    assert state.last.table == "aurora/EOU-01"
    assert type(state.last).__name__ == "ChipsBought"
    (without_slips,) = queries.board("aurora", TODAY, with_slips=False)
    assert without_slips == state._replace(fills=0, credits=0, pieces={10_000: 5})
    assert state.pieces != without_slips.pieces
    record_fact("round-closed", round="r1")
    record_fact("drop-counted", box="B-7", shift="day", notes={}, amount=0, team=["n-101", "n-102"])
    record_fact("closer-counted", chips={"500": 1}, amount=500, **TWO)
    record_fact("table-closed")
    (state,) = queries.board("aurora", TODAY)
    assert (state.is_open, state.seated, state.boxes) == (False, None, 0)
    assert (state.round, state.counted_since) == ("", True)
    assert queries.hands("aurora", state.stream, 5) == ["r1"]


def test_the_board_never_adds_two_currencies_of_a_table(
    record_fact: FactRecorder,
) -> None:
    record_fact("table-opened")
    record_fact("opener-counted", chips={"10000": 5}, amount=50_000, **TWO)
    record_fact("fill-sent", **slip("F-EOU01-000001", 30_000))
    record_fact("closer-counted", chips={"500": 1}, amount=500, **TWO)
    record_fact("table-opened", currency="EUR")
    record_fact("fill-sent", **slip("F-EOU01-000002", 20_000))
    (state,) = queries.board("aurora", TODAY)
    assert (state.opened.currency, state.opener, state.closer, state.fills) == (
        "EUR",
        None,
        None,
        20_000,
    )


def test_the_board_lists_every_table_once_even_with_a_mistyped_day(record_fact: FactRecorder) -> None:
    for table in ("EOU-1", "EOU-10", "EOU-1-b", "EOU", "Ä-1"):
        record_fact("table-opened", table)
    record_fact("table-opened", "EOU-1", date(2062, 11, 28))
    record_fact(
        "flagged", "house", of_table="aurora/EOU-1", of_day=TODAY.isoformat(), round="r1", why="x", by="v-101"
    )
    assert [(state.table, state.day) for state in queries.board("aurora", TODAY)] == [
        (f"aurora/{name}", TODAY) for name in ("EOU-1-b", "EOU-1", "EOU-10", "EOU", "Ä-1")
    ]
    state = queries.table("aurora", "EOU-1", TODAY)
    assert state is not None
    assert state.table == "aurora/EOU-1"
    assert queries.table("aurora", "EOU-", TODAY) is None
    assert queries.table("aurora", "house", TODAY) is None
    assert queries.table("aurora", "EOU\0", TODAY) is None
    assert queries.board("borealis", TODAY) == []


def test_the_last_closer_is_found_however_long_the_table_was_closed(record_fact: FactRecorder) -> None:
    assert queries.last_closer("aurora", "EOU-01", TODAY) is None
    record_fact("table-opened", day=date(2024, 1, 1))
    record_fact("closer-counted", day=date(2024, 1, 1), chips={"500": 3}, amount=1_500, **TWO)
    record_fact("table-opened", day=date(2024, 3, 1))
    record_fact("table-opened", "EOU-02", currency="EUR")
    closer = queries.last_closer("aurora", "EOU-01", TODAY)
    assert closer is not None
    assert (closer.stream, closer.number, closer.counted.amount, closer.currency) == (
        "aurora/EOU-01/2024-01-01",
        2,
        1_500,
        "USD",
    )


def test_the_query_of_the_board_uses_indexes_only(
    house: House,
) -> None:
    """Test that the query of the board reads facts and streams by index only. Each part of the query looks up
    a table's day by its whole key.
    """
    day = Day("easy_over_under", "floor", table="EOU-01", house=True, day=TODAY)
    day.open()
    day.honest(30)
    tell(*day.facts())
    values = {
        "property": "aurora",
        "first": "aurora/",
        "many": True,
        "house": "aurora/house/",
        "upto": "2026-11-30",
    }
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")  # with this few rows a scan would be as cheap
        cursor.execute("EXPLAIN (FORMAT JSON) " + queries._WITH_SLIPS, values)
        (plan,) = cursor.fetchone()
        cursor.execute("RESET enable_seqscan")
    read = [
        node
        for node in nodes(plan[0]["Plan"])
        if node.get("Relation Name", "").startswith(("fact", "stream", "queued"))
    ]
    assert len(read) > 10
    assert [node for node in read if "Index Cond" not in node] == []
    facts = [node["Index Cond"] for node in read if node["Relation Name"].startswith("fact")]
    assert [cond for cond in facts if "stream" not in cond or not ("kind" in cond or "number" in cond)] == []


def nodes(plan: dict[str, Any]) -> Any:
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


GAME = {
    "game": "easy_over_under",
    "edition": "2010-02-05",
    "pay_tables": {"spread": "B"},
    "decks": 6,
    "spots": 6,
    "limits": {"*": [1_000, 50_000]},
    "chip": 100,
    "readings": {"rounding": "house"},
    "sees": ["bet", "take", "pay"],
}


class Floor:
    """A property with a pit of two tables, Finn as the user who is logged in, and Ada and Abe as dealers."""

    def __init__(self, cast: Cast) -> None:
        self.cast, self.finn, self.today = cast, cast.browser("Finn"), gaming_day("aurora")
        entries = [Entry("tables", code, GAME | {"pit": "pit-1"}) for code in ("EOU-01", "EOU-02")]
        entries += [
            Entry("pits", "pit-1", {"title": "Main pit"}),
            Entry("property", "*", {"name": "Aurora", "currency": "USD"}),
        ]
        entries += [Entry("shifts", "day", {"begins": "00:00"})]
        entries += [
            Entry(
                "thresholds",
                "opening-difference",
                {"amount": 2_500, "duty": "a signed report to the shift manager"},
            )
        ]
        set_registers("aurora", entries, by="m-101", second="m-102")

    def send(self, page: str, table: str = "EOU-01", **fields: str) -> Any:
        """Send a form of the floor's pages with these fields, as Finn."""
        address = f"/floor/aurora/{table}/{page}/" if table else f"/floor/{page}/"
        return self.finn.post(address, {"uid": str(uuid4()), **fields})

    def refusal(self, answer: Any) -> str:
        """Return the error message of a form that was refused."""
        assert answer.status_code == 400, answer.status_code
        return html.unescape(
            re.search(r'id="refused"[^>]*>(.*?)</p>', answer.content.decode(), re.S).group(1)
        )  # type: ignore[union-attr]

    def now(self, table: str = "EOU-01") -> Now:
        state = queries.table("aurora", table, self.today)
        assert state is not None
        return state

    def open(self, table: str = "EOU-01", dealer: str = "d-101") -> None:
        assert self.send("open", table, dealer=dealer, supervisor="s-201").status_code == 302

    def tray(self, kind: str, table: str = "EOU-01", dealer: str = "Ada", **fields: str) -> Any:
        login = self.cast.logins[dealer]
        signed = {
            "dealer": login.id,
            "dealer_password": login.password,
            "supervisor": "s-201",
            "supervisor_password": "",
        }
        return self.send(f"tray/{kind}", table, **{**signed, **fields})


@pytest.fixture
def floor(cast: Cast) -> Floor:
    return Floor(cast)


def test_a_table_opens_with_the_settings_of_the_register_and_its_first_dealer(floor: Floor) -> None:
    page = floor.finn.get("/floor/aurora/EOU-01/open/").content.decode()
    assert "10.00 to 500.00" in page
    assert "Main pit" not in page
    answer = floor.send("open", dealer="d-101", supervisor="s-201")
    assert answer["Location"] == "/floor/aurora/EOU-01/tray/opener/"
    state = floor.now()
    assert (state.day, state.is_open, state.seated and state.seated.dealer) == (floor.today, True, "d-101")
    assert {name: to_builtins(getattr(state.opened, name)) for name in GAME} == GAME | {
        "limits": {"*": (1_000, 50_000)}
    }
    assert (state.opened.currency, list(state.opened.shifts or ())) == ("USD", ["day"])
    assert "is already open" in floor.refusal(floor.send("open", dealer="d-102", supervisor="s-201"))
    page = floor.finn.get("/floor/aurora/EOU-01/open/").content.decode()
    assert ("is already open" in page, 'name="dealer"' in page) == (True, False)


def test_a_table_without_a_register_entry_opens_with_its_last_settings_or_not(floor: Floor) -> None:
    set_registers("aurora", [Entry("tables", "T-1", {"pit": "pit-1"})], by="m-101", second="m-102")
    assert "Ask an administrator to enter it" in text(floor.finn.get("/floor/aurora/T-1/open/"))
    assert floor.send("open", "T-1", dealer="d-101", supervisor="s-201").status_code == 400
    tell(opened(1, "aurora/T-1", "2024-01-01"))
    assert "come from the last opening" in floor.finn.get("/floor/aurora/T-1/open/").content.decode()
    floor.send("open", "T-1", dealer="d-101", supervisor="s-201")
    assert floor.now("T-1").opened.limits == {"*": (1_000, 50_000)}


@pytest.mark.parametrize(
    ("dealer", "supervisor", "says"),
    [
        ("s-202", "s-201", "s-202 is not a dealer"),
        ("d-101", "d-102", "d-102 is not a supervisor"),
        ("", "s-201", "choose a dealer"),
    ],
)
def test_only_registered_dealers_and_supervisors_are_seated(
    floor: Floor, dealer: str, supervisor: str, says: str
) -> None:
    answer = floor.send("open", dealer=dealer, supervisor=supervisor)
    assert says in floor.refusal(answer)
    assert f'value="{supervisor}"' in answer.content.decode(), "what was typed stays"
    assert queries.board("aurora", floor.today) == []


def test_nobody_deals_at_two_tables_and_a_rotation_is_one_action(floor: Floor) -> None:
    floor.open()
    floor.open("EOU-02", "d-102")
    assert "d-102 deals at EOU-02" in floor.refusal(floor.send("seat", dealer="d-102", supervisor="s-201"))
    assert "No change." in floor.refusal(floor.send("seat", dealer="d-101", supervisor="s-201"))
    both_dealers = {
        "dealer-EOU-01": "d-102",
        "supervisor-EOU-01": "s-201",
        "dealer-EOU-02": "d-102",
        "supervisor-EOU-02": "s-202",
    }
    assert "deals at EOU-0" in floor.refusal(floor.send("change", "", **both_dealers))
    assert floor.send("change", "", **(both_dealers | {"dealer-EOU-02": "d-101"})).status_code == 302
    seats = [floor.now(table).seated for table in ("EOU-01", "EOU-02")]
    assert [(seat.dealer, seat.supervisor) for seat in seats if seat] == [
        ("d-102", "s-201"),
        ("d-101", "s-202"),
    ]


def test_new_limits_apply_from_the_next_hand_and_the_shoe_continues(floor: Floor) -> None:
    floor.open()
    fields = {"least-*": "25.00", "most-*": "1,000.00"}
    assert "whole chips of 1.00" in floor.refusal(floor.send("limits", **(fields | {"least-*": "25.50"})))
    assert "the minimum is above the maximum" in floor.refusal(
        floor.send("limits", **(fields | {"least-*": "2000"}))
    )
    assert floor.send("limits", **fields).status_code == 302
    state = floor.now()
    assert (state.opened.limits, state.opened.continues, state.seated and state.seated.dealer) == (
        {"*": (2_500, 100_000)},
        True,
        "d-101",
    )
    tell(fact(90, "round-opened", day=floor.today.isoformat(), round="r1"))
    assert "Hand r1 is in play" in floor.refusal(floor.send("limits", **(fields | {"least-*": "10"})))
    assert "Hand r1 is in play" in floor.refusal(floor.send("close"))


def test_a_tray_is_signed_by_dealer_and_supervisor_each_with_the_own_password(floor: Floor) -> None:
    floor.open()
    assert "wrong id or password" in floor.refusal(
        floor.tray("opener", dealer_password="guessed", **{"chips-10000": "20"})
    )
    answer = floor.tray("opener", supervisor="d-101", **{"chips-10000": "20"})
    assert "Another person must sign here" in floor.refusal(answer)
    assert 'name="chips-10000" value="20"' in markup(answer)
    assert "Nothing was counted" in floor.refusal(floor.tray("opener"))
    assert "whole number" in floor.refusal(floor.tray("opener", **{"chips-10000": "2.5"}))
    fay = floor.cast.logins["Fay"]
    assert "One of the two signatures must be yours" in floor.refusal(
        floor.tray("opener", supervisor=fay.id, supervisor_password=fay.password, **{"chips-10000": "20"})
    )
    assert floor.tray("opener", **{"chips-10000": "20", "chips-500": "3"}).status_code == 302
    opener = floor.now().opener
    assert opener is not None
    assert (opener.chips, opener.amount, opener.by, opener.second) == (
        {"10000": 20, "500": 3},
        201_500,
        "d-101",
        "s-201",
    ), "its paper says who counted, also when the other one is logged in"
