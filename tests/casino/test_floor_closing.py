"""Tables are closed, a tray can be counted again, and an open table is rolled to the next gaming day."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from threading import Thread
from uuid import uuid4

from django.db import connection

from audit.queries import cage_facts
from audit.queries import floor as queries
from casino.floor import services as acts
from casino.floor import trays
from casino.presentation.errors import ActionRejected
from tests.audit.floor import OPENING, fact, opened
from tests.casino.conftest import ROLES
from tests.casino.pages import markup
from tests.casino.test_floor import TWO, Floor, floor, tell

__all__ = ["floor"]


def test_a_table_closes_after_its_closer_and_the_next_opener_is_shown_with_it(floor: Floor) -> None:
    floor.open()
    floor.tray("opener", **{"chips-10000": "20"})
    assert "Count the closer first" in floor.refusal(floor.send("close"))
    assert floor.tray("closer", **{"chips-10000": "18"}).status_code == 302
    assert floor.send("close").status_code == 302
    assert not floor.now().is_open
    floor.open()
    assert floor.now().seated is not None
    page = floor.refusal(floor.tray("opener", **{"chips-10000": "17", "chips-500": "15"}))
    assert "25.00 USD less than the last closer" in page
    assert "Tell the shift manager" in page
    assert "From 25.00 USD: a signed report to the shift manager" in page
    assert floor.now().opener.amount == 200_000, "nothing is recorded yet"  # type: ignore[union-attr]
    answer = floor.tray("opener", stands="on", **{"chips-10000": "17", "chips-500": "15"})
    assert answer.status_code == 302
    of_yen = {
        yen: [duty for duty in trays.duties_of("aurora", yen, "JPY") if duty.startswith("From")]
        for yen in (24, 25)
    }
    assert of_yen == {
        24: [],
        25: ["From 25 JPY: a signed report to the shift manager."],
    }, "as many whole units of another currency"
    table = markup(floor.finn.get("/floor/aurora/EOU-01/"))
    assert re.search(r'class="duty"\s*role="status"\s*>[^<]*From 25.00 USD', table), (
        "the duty is said once more, and not as a success"
    )
    assert floor.now().opener.amount == 177_500  # type: ignore[union-attr]


def test_a_closer_is_counted_again_while_its_shift_lasts_and_the_day_is_not_closed(floor: Floor) -> None:
    floor.open()
    floor.tray("opener", **{"chips-10000": "20"})
    floor.tray("closer", **{"chips-10000": "18"})
    assert floor.send("close").status_code == 302
    assert "Count closer again" in floor.finn.get("/floor/aurora/EOU-01/").content.decode()
    assert floor.tray("closer", **{"chips-10000": "19"}).status_code == 302
    assert floor.now().closer.amount == 190_000  # type: ignore[union-attr]
    assert "is not open" in floor.refusal(floor.tray("opener", **{"chips-10000": "20"}))
    tell(fact(9, "day-closed", day=floor.today.isoformat(), by="a-101"))
    assert "Count closer again" not in floor.finn.get("/floor/aurora/EOU-01/").content.decode()
    assert "is not open" in floor.refusal(floor.tray("closer", **{"chips-10000": "19"}))


def test_a_closer_of_a_shift_that_is_over_is_not_counted_again(floor: Floor) -> None:
    instant, of = datetime.now(UTC), {"table": "aurora/EOU-02", "day": floor.today.isoformat()}
    hour, past, minute = ((instant - timedelta(minutes=minutes)).isoformat() for minutes in (60, 10, 1))
    tell(
        fact(1, **OPENING | {"shifts": {"day": hour, "swing": minute}}, **of),
        fact(2, "opener-counted", chips={}, amount=500, **TWO, **of),
        fact(3, "closer-counted", chips={}, amount=500, **TWO, **of) | {"at": past},
        fact(4, "table-closed", **of),
    )
    assert "the shift of its closer is over" in floor.refusal(
        floor.tray("closer", "EOU-02", **{"chips-10000": "1"})
    )


def test_a_table_in_play_at_the_end_of_the_day_is_rolled_in_one_action(floor: Floor) -> None:
    yesterday = (floor.today - timedelta(days=1)).isoformat()
    tray = {"chips": {}, "amount": 123400, **TWO}
    tell(
        opened(1, day=yesterday), fact(2, "dealer-seated", day=yesterday, dealer="d-101", supervisor="s-201")
    )
    assert "not counted" in floor.finn.get("/floor/").content.decode().partition("<tbody")[2]
    tell(
        *(
            fact(place, f"{kind}-counted", day=yesterday, **tray)
            for place, kind in ((3, "opener"), (4, "closer"))
        )
    )
    board = floor.finn.get("/floor/").content.decode().partition("<tbody")[2]
    assert ("open since" in board, "1,234.00" in board, "not counted" in board) == (True, True, False)
    assert floor.send("open", dealer="d-101", supervisor="s-201", continues="on").status_code == 302
    assert (floor.now().day, floor.now().opened.continues) == (floor.today, True)
    old = queries.table("aurora", "EOU-01", floor.today - timedelta(days=queries.AHEAD + 1))
    assert old is not None
    assert not old.is_open


def test_a_table_without_a_tray_is_not_asked_for_its_closer(floor: Floor) -> None:
    yesterday = (floor.today - timedelta(days=1)).isoformat()
    pay_tables = dict.fromkeys(("7-up", "7", "7-down", "red", "black", "odd", "even"), "ezugi")
    live = OPENING | {"game": "lucky_7", "edition": "ezugi", "pay_tables": pay_tables, "spots": 0}
    live |= {"decks": 8, "limits": {"*": [100, 100_000]}, "chip": 10}
    tell(opened(1, day=yesterday), fact(2, table="aurora/L7-01", day=yesterday, **live))
    duties = {
        table: " ".join(floor.finn.get(f"/floor/aurora/{table}/").content.decode().split())
        for table in ("EOU-01", "L7-01")
    }
    assert "Between hands, count the closer and roll the table to" in duties["EOU-01"]
    assert "Between hands, roll the table to" in duties["L7-01"]


def test_a_feed_with_a_clock_ahead_is_not_a_table_left_open(floor: Floor) -> None:
    tell(opened(1, day=(floor.today + timedelta(days=1)).isoformat()))
    page = floor.finn.get("/floor/").content.decode()
    assert "badge full good" in page
    assert "open since" not in page
    assert "is already open" in floor.refusal(floor.send("open", dealer="d-101", supervisor="s-201"))


def test_two_tablets_that_open_a_table_at_once_open_it_once(floor: Floor) -> None:
    finn, refusals = floor.cast.person("Finn"), []

    def opens(dealer: str) -> None:
        try:
            acts.open_table(finn, "aurora", "EOU-01", acts.Seat(dealer, "s-201"), str(uuid4()))
        except ActionRejected as refused:
            refusals.append(str(refused))
        finally:
            connection.close()

    tablets = [Thread(target=opens, args=(dealer,)) for dealer in ("d-101", "d-102")]
    for tablet in tablets:
        tablet.start()
    for tablet in tablets:
        tablet.join()
    assert refusals == ["EOU-01 is already open."]
    kinds = [fact.kind for fact in cage_facts.facts("aurora", [floor.now().stream])]
    assert kinds == ["table-opened", "dealer-seated"]


def test_a_form_that_is_sent_twice_opens_one_table_once(floor: Floor) -> None:
    floor.open()
    floor.tray("opener", **{"chips-10000": "20"})
    floor.tray("closer", **{"chips-10000": "20"})
    uid = str(uuid4())
    assert floor.send("close", uid=uid).status_code == 302
    assert "Already recorded" in floor.refusal(floor.send("close", uid=uid)), (
        "also if the table was closed by it and cannot be closed again"
    )
    floor.open()
    floor.tray("closer", **{"chips-10000": "20"})
    assert "Already recorded" in floor.refusal(floor.send("close", uid=uid))
    assert "no longer valid" in floor.refusal(floor.send("close", uid="x"))


def test_the_floor_is_shown_to_its_roles_and_actions_need_more_rights(floor: Floor) -> None:
    floor.open()
    browsers = {name: floor.cast.browser(name) for name in ROLES}
    statuses = {name: browser.get("/floor/").status_code for name, browser in browsers.items()}
    assert {name for name, status in statuses.items() if status == 200} == {
        "Dana",
        "Dora",
        "Boris",
        "Alma",
        "Igor",
        "Rhea",
        "Finn",
    }
    for page in ("open", "close", "seat", "limits", "tray/opener"):
        answers = {
            name: browser.post(f"/floor/aurora/EOU-01/{page}/", {}).status_code
            for name, browser in browsers.items()
        }
        may = {"Boris", "Finn"} | ({"Ada"} if page == "tray/opener" else set())
        assert {name for name, status in answers.items() if status != 403} == may & {"Boris", "Finn"}, page
    page = browsers["Dana"].get("/floor/aurora/EOU-01/").content.decode()
    assert "Facts of" in page
    assert "/floor/aurora/EOU-01/close/" not in page
    assert floor.finn.get("/floor/aurora/nope/").status_code == 404
    assert floor.finn.get("/floor/borealis/EOU-01/").status_code == 403
