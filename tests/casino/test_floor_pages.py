"""What the pages of the floor say before somebody decides: which tables are silent, what a form needs, and
what is still missing.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django.utils import timezone

from audit.queries import floor as queries
from casino.floor.form_views import FREE_DEALERS, people
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.audit.floor import OPENING, fact
from tests.casino.pages import markup, text
from tests.casino.test_floor import TODAY, TWO, FactRecorder, Floor, floor, record_fact, tell

__all__ = ["floor", "record_fact"]


def silent_table(floor: Floor, code: str) -> None:
    """Open a table whose equipment has reported nothing for 50 minutes."""
    at = (timezone.now() - timedelta(minutes=50)).isoformat().replace("+00:00", "Z")
    tell(fact(90, day=floor.today.isoformat(), table=f"aurora/{code}", at=at, **OPENING))


def links_of(page: str) -> dict[str, Any]:
    """Return {label: (address, number)} of the figures of the list that are links."""
    figures = re.findall(r"<dt>(\w+)</dt>\s*<dd[^>]*>\s*<a href=\"([^\"]*)\">(\d+)</a>", page)
    return {label: (address.replace("&amp;", "&"), number) for label, address, number in figures}


def page_of_silent(floor: Floor, page: str) -> str:
    """Return the page to which the number of silent tables leads, if one of two open tables is silent."""
    links = links_of(page)
    numbers = {label: number for label, (_, number) in links.items()}
    assert numbers == {"Open": "2", "Late": "0", "Silent": "1"}
    return markup(floor.finn.get(links["Silent"][0]))


def test_silent_tables_come_first_and_their_number_leads_to_them(floor: Floor) -> None:
    floor.open()
    silent_table(floor, "EOU-02")
    page = markup(floor.finn.get("/floor/"))
    assert re.findall(r'id="at-(EOU-\d+)"', page) == ["EOU-02", "EOU-01"]
    silent = page_of_silent(floor, page)
    assert re.findall(r'id="at-(EOU-\d+)"', silent) == ["EOU-02"]


def test_hands_and_breaks_at_silent_tables_are_not_counted_as_none(floor: Floor) -> None:
    silent_table(floor, "EOU-02")
    page, map_page = floor.finn.get("/floor/"), floor.finn.get("/floor/?view=map")
    assert "Hands in play not known" in text(page)
    assert "was between hands" in text(page)
    assert "was between hands" in text(floor.finn.get("/floor/aurora/EOU-02/"))
    assert "Breaks due not known" in text(map_page)
    floor.open()
    assert "Hands in play 0 not known at 1 silent" in text(floor.finn.get("/floor/"))
    assert text(floor.finn.get("/floor/aurora/EOU-01/")).count("was between hands") == 0


def test_the_figures_of_the_map_lead_to_the_map_of_their_tables(floor: Floor) -> None:
    floor.open()
    silent_table(floor, "EOU-02")
    silent = page_of_silent(floor, markup(floor.finn.get("/floor/?view=map")))
    assert re.findall(r'id="map-(EOU-\d+)"', silent) == ["EOU-02"]


def test_the_list_names_amounts_and_the_last_fact_for_a_phone(floor: Floor) -> None:
    floor.open()
    floor.tray("opener", **{"chips-10000": "20"})
    page = markup(floor.finn.get("/floor/"))
    assert "Opener, USD 2,000.00" in text(page)
    labels = re.findall(r'<span class="narrow-only">\s*([^<]*?)\s*</span>', page)
    assert labels == ["Opener, USD", "Last fact"], "a cell without a fill has no label"


def test_the_form_of_a_counted_opener_says_who_counted_it(floor: Floor) -> None:
    floor.open()
    address = "/floor/aurora/EOU-01/tray/opener/"
    assert "opener of this gaming day was counted" not in text(floor.finn.get(address))
    floor.tray("opener", **{"chips-10000": "20"})
    says = text(floor.finn.get(address))
    assert re.search(r"was counted at .* by d-101 and s-201: 2,000.00 USD", says)


def test_the_form_that_closes_a_table_leads_to_what_is_missing(floor: Floor) -> None:
    floor.open()
    floor.tray("opener", **{"chips-10000": "20"})
    tell(
        fact(
            91, "box-pulled", day=floor.today.isoformat(), box="B-7", shift="day", by="d-101", second="s-201"
        )
    )
    address = "/floor/aurora/EOU-01/close/"
    page = floor.finn.get(address)
    assert "1 box of this gaming day is not counted" in text(page)
    assert 'class="first" href="/floor/aurora/EOU-01/tray/closer/"' in markup(page)
    assert "<button>Close EOU-01" in markup(page)
    floor.tray("closer", **{"chips-10000": "18"})
    page = floor.finn.get(address)
    assert '<button class="primary">Close EOU-01' in markup(page)
    assert "has reported nothing since" not in text(page)
    silent_table(floor, "EOU-02")
    assert "has reported nothing since" in text(floor.finn.get("/floor/aurora/EOU-02/close/"))


def test_the_form_for_a_seat_names_dealers_at_no_open_table(floor: Floor) -> None:
    floor.open()
    says = text(floor.finn.get("/floor/aurora/EOU-02/seat/"))
    free = re.search(r"Dealers at no open table: ([^.]*)\.", says)
    assert free is not None
    assert "d-102" in free[1]
    assert "d-101" not in free[1]
    assert "more" not in free[1]


def test_the_form_for_a_seat_says_how_many_free_dealers_it_does_not_name(floor: Floor) -> None:
    floor.open()
    for number in range(300, 300 + FREE_DEALERS):
        set_registers(
            "aurora", [Entry("people", f"d-{number}", {"role": "dealer"})], by="m-101", second="m-102"
        )
    total = len(people("aurora")["dealers"]) - 1  # one dealer is at the open table
    says = text(floor.finn.get("/floor/aurora/EOU-02/seat/"))
    assert f"and {total - FREE_DEALERS} more." in says


def test_the_last_report_is_a_fact_of_the_equipment_since_the_last_opening(record_fact: FactRecorder) -> None:
    def last() -> tuple[str, str]:
        (state,) = queries.board("aurora", TODAY)
        return state.last.uid[-2:], state.last_report.uid[-2:]

    record_fact("table-opened", source=queries.PAGES)
    opening = last()
    assert opening[0] == opening[1], "a person opened it"
    record_fact("round-opened", round="r1")
    report = last()
    assert opening[0] < report[0] == report[1]
    record_fact("dealer-seated", dealer="d-101", supervisor="s-201", source=queries.PAGES)
    assert last() == (f"{int(report[0]) + 1:02}", report[1])
    record_fact("table-closed", source=queries.PAGES)
    record_fact("table-opened", source=queries.PAGES)
    reopening = last()
    assert reopening[0] == reopening[1], "the report is from before the opening"
    record_fact("dealer-seated", dealer="d-101", supervisor="s-201", source=queries.PAGES)
    assert last() == (f"{int(reopening[0]) + 1:02}", reopening[1])


def test_a_box_is_uncounted_until_it_is_counted_for_its_shift(record_fact: FactRecorder) -> None:
    count = {"notes": {}, "amount": 0, "team": ["n-101", "n-102"]}
    record_fact("table-opened")
    record_fact("box-pulled", box="B-7", shift="day", **TWO)
    record_fact("box-pulled", box="B-7", shift="swing", **TWO)
    record_fact("box-pulled", box="B-8", shift="day", **TWO)
    record_fact("drop-counted", box="B-7", shift="swing", **count)
    record_fact("drop-counted", box="B-9", shift="day", **count)
    (state,) = queries.board("aurora", TODAY)
    assert state.boxes == 2, "a count of a box that was never pulled does not stand for another box"
