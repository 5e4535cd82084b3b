"""Par levels say how many chips of each denomination a table's tray should have. The pages show the
difference to the tray, propose fills and credits, and can copy an opener from the last closer.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from audit.facts.registers import read
from audit.queries import floor as queries
from casino.cage.par_levels import TrayAtPar, read_tray_at_par
from casino.reference.entries import Entry
from casino.reference.par_levels import par_of
from casino.reference.recording import set_registers
from tests.audit.floor import OPENING, fact
from tests.casino.conftest import Cast
from tests.casino.pages import markup, text
from tests.casino.test_floor import GAME, TODAY, TWO, FactRecorder, Floor, slip, tell
from tests.conftest import House

PAR = {"10000": 20, "2500": 40, "500": 100}
ASK = "/cage/ask/aurora/EOU-01/"


@pytest.fixture
def floor(cast: Cast) -> Floor:
    floor = Floor(cast)
    set_par(GAME)
    return floor


def set_par(settings: dict[str, Any], par: dict[str, int] | None = None) -> None:
    """Enter the par levels of the table EOU-01 in the register."""
    value = settings | {"pit": "pit-1", "par": PAR if par is None else par}
    set_registers("aurora", [Entry("tables", "EOU-01", value)], by="m-101", second="m-102")


def counted(floor: Floor, **chips: int) -> None:
    """Open EOU-01 and count its opener: `c500=10` is 10 pieces of 500."""
    floor.open()
    fields = {f"chips-{name[1:]}": str(number) for name, number in chips.items()}
    assert floor.tray("opener", **fields).status_code == 302


def tray() -> TrayAtPar:
    state = read_tray_at_par("aurora", "EOU-01")
    assert state is not None
    return state


def values(page: str) -> dict[str, str]:
    """Return the number of chips that a form shows for each denomination. Empty fields are not included."""
    return dict(re.findall(r'name="chips-(\d+)" value="(\d+)"', page))


def test_the_pieces_of_a_tray_are_its_last_count_and_later_slips(house: House) -> None:
    record_fact = FactRecorder()
    record_fact("table-opened")
    assert queries.board("aurora", TODAY)[0].pieces == {}
    record_fact("fill-sent", **slip("F-EOU01-000001", 500))
    record_fact("opener-counted", chips={"10000": 5, "500": 3}, amount=51_500, **TWO)
    record_fact("fill-sent", **slip("F-EOU01-000002", 500))
    record_fact("fill-sent", **slip("F-EOU01-000003", 2_500))
    record_fact("slip-voided", slip="F-EOU01-000003", reason="wrong amount", by="c-101", second="s-201")
    record_fact("credit-sent", **slip("C-EOU01-000001", 10_000))
    (table,) = queries.board("aurora", TODAY)
    assert table.pieces == {10_000: 4, 500: 4}
    assert table.counted == table.opener
    record_fact("closer-counted", chips={"500": 9}, amount=4_500, **TWO)
    (table,) = queries.board("aurora", TODAY)
    assert (table.pieces, table.counted) == ({500: 9}, table.closer)
    record_fact("credit-sent", **slip("C-EOU01-000002", 500))
    (table,) = queries.board("aurora", TODAY)
    assert (table.pieces, table.fills, table.credits) == ({500: 8}, 500, 10_500)


def test_a_fill_is_proposed_as_par_less_tray_and_nothing_is_recorded_by_itself(floor: Floor) -> None:
    counted(floor, c10000=25, c2500=29, c500=49)
    state = tray()
    assert [(line.denomination, line.short, line.over, line.level) for line in state.lines] == [
        (10_000, 0, 5, ""),
        (2_500, 11, 0, "low"),
        (500, 51, 0, "very-low"),
    ]
    assert (state.fill, state.credit) == (11 * 2_500 + 51 * 500, 50_000)
    plain = markup(floor.finn.get(f"{ASK}fill/"))
    assert values(plain) == {}
    assert "Proposed fill" in text(plain)
    assert f'href="{ASK}fill/?proposed=1"' in plain
    page = markup(floor.finn.get(f"{ASK}fill/?proposed=1"))
    assert values(page) == {"2500": "11", "500": "51"}
    assert "530.00" in text(page)
    assert values(markup(floor.finn.get(f"{ASK}credit/?proposed=1"))) == {"10000": "5"}
    assert floor.now().fills == 0


def test_a_pending_fill_is_not_proposed_again(floor: Floor) -> None:
    counted(floor, c10000=20, c2500=40, c500=10)
    finn = floor.cast.logins["Finn"]
    typed = {"uid": str(uuid4()), "chips-500": "80", "requested_by": finn.id}
    assert floor.finn.post(f"{ASK}fill/", typed).status_code == 302
    assert tray().proposal("fill") == {500: 10}
    assert tray().proposal("credit") == {}
    assert values(markup(floor.finn.get(f"{ASK}fill/?proposed=1"))) == {"500": "10"}


def test_a_proposed_credit_leaves_out_a_pending_one(floor: Floor) -> None:
    set_par(GAME, {"500": 0})
    counted(floor, c500=30)
    finn = floor.cast.logins["Finn"]
    typed = {"uid": str(uuid4()), "chips-500": "30", "requested_by": finn.id}
    assert floor.finn.post(f"{ASK}credit/", typed).status_code == 302
    assert (tray().proposal("credit"), tray().proposal("fill")) == ({}, {})
    assert tray().is_low is False


def test_without_par_levels_or_in_another_currency_nothing_is_proposed(floor: Floor) -> None:
    counted(floor, c500=10)
    set_par(GAME | {"currency": "EUR"})
    assert read_tray_at_par("aurora", "EOU-01") is None
    set_par(GAME, {})
    assert read_tray_at_par("aurora", "EOU-01") is None
    page = markup(floor.finn.get(f"{ASK}fill/?proposed=1"))
    assert values(page) == {}
    assert "against par" not in text(page)
    assert read_tray_at_par("aurora", "EOU-09") is None


def test_a_denomination_that_is_not_in_use_is_not_proposed(floor: Floor) -> None:
    set_par(GAME, {"777": 10, "500": 10})
    counted(floor, c10000=1)
    assert tray().proposal("fill") == {500: 10}


def test_who_may_not_see_the_cage_sees_no_proposal(floor: Floor) -> None:
    counted(floor, c500=10)
    for name in ("Nia", "Eve"):
        answer = floor.cast.browser(name).get(f"{ASK}fill/?proposed=1")
        assert answer.status_code == 403
        assert "against par" not in answer.content.decode()


def test_the_page_of_a_table_compares_its_tray_with_par_and_offers_the_proposed_fill(floor: Floor) -> None:
    counted(floor, c10000=20, c2500=40, c500=30)
    link = f'href="{ASK}fill/?proposed=1"'
    page = markup(floor.finn.get("/floor/aurora/EOU-01/"))
    assert "Proposed fill 350.00" in text(page)
    assert "very low" in text(page)
    assert link in page
    of_surveillance = markup(floor.cast.browser("Dana").get("/floor/aurora/EOU-01/"))
    assert "Proposed fill 350.00" in text(of_surveillance)
    assert link not in of_surveillance, "only people who request slips get the link"
    assert floor.cast.browser("Eve").get("/floor/aurora/EOU-01/").status_code == 403
    set_par(GAME, {})
    assert "against par" not in text(markup(floor.finn.get("/floor/aurora/EOU-01/")))


def test_the_page_says_what_is_above_par_and_which_chips_have_no_par_level(floor: Floor) -> None:
    set_par(GAME, {"2500": 30})
    counted(floor, c10000=20, c2500=40)
    page = markup(floor.finn.get("/floor/aurora/EOU-01/"))
    assert "In the tray 1,000.00 USD Chips without a par level 2,000.00 USD" in text(page)
    assert "Above par: 250.00 USD." in text(page)
    assert f'href="{ASK}credit/?proposed=1"' in page


def test_an_opener_starts_with_the_pieces_of_the_closer_and_must_be_confirmed(floor: Floor) -> None:
    yesterday = floor.today - timedelta(days=1)
    of_day = {"table": "aurora/EOU-01", "day": yesterday.isoformat()}
    closer = {"chips": {"10000": 5, "500": 8}, "amount": 54_000, **TWO}
    tell(
        fact(1, **of_day, **OPENING),
        fact(2, **of_day, kind="closer-counted", **closer),
        fact(3, **of_day, kind="table-closed"),
    )
    floor.open()
    page = markup(floor.finn.get("/floor/aurora/EOU-01/tray/opener/"))
    assert values(page) == {"10000": "5", "500": "8"}
    copied = re.search(r'name="copied" value="([^"]*)"', page)
    assert copied is not None
    assert 'name="stands"' not in page, "there is no difference to confirm yet"
    typed = {"copied": copied[1], "chips-10000": "5", "chips-500": "8"}
    answer = floor.tray("opener", **typed)
    assert "confirm the count" in floor.refusal(answer)
    assert values(markup(answer)) == {"10000": "5", "500": "8"}
    assert floor.now().opener is None
    assert "Another person must sign here" in floor.refusal(
        floor.tray("opener", supervisor="d-101", confirmed="on", **typed)
    )
    changed = floor.tray("opener", confirmed="on", **(typed | {"chips-500": "7"}))
    assert "5.00 USD less than the last closer" in floor.refusal(changed)
    assert 'name="stands"' in markup(changed)
    assert floor.tray("opener", confirmed="on", **typed).status_code == 302
    opener = floor.now().opener
    assert opener is not None
    assert (opener.chips, opener.by, opener.second) == ({"10000": 5, "500": 8}, "d-101", "s-201")
    second = markup(floor.finn.get("/floor/aurora/EOU-01/tray/opener/"))
    assert (values(second), 'name="copied"' in second) == ({}, False), "a second count has no answer to copy"
    assert values(markup(floor.finn.get("/floor/aurora/EOU-01/tray/closer/"))) == {}


def test_par_levels_are_pieces_of_denominations(cast: Cast) -> None:
    assert par_of({"par": {"500": 3, "x": 4, "2500": True, "²": 1}}) == {500: 3}
    assert (par_of(None), par_of({"par": 5})) == ({}, {})
    read("tables", {"par": {"500": 0}})
    for wrong in (5, {"0": 1}, {"5.00": 1}, {"500": -1}, {"500": "3"}):
        with pytest.raises(ValueError, match=r"^par: .* is needed"):
            read("tables", {"par": wrong})
