"""The map of the floor: places of tables, what a tile shows, breaks of dealers, and who sees it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from audit import facts as f
from audit.facts.registers import read
from audit.queries.floor import PAGES
from audit.queries.seats import WALK, current_work, stints
from audit.replay.register_values import check
from casino.floor.pit_map import USUAL_COLUMNS, PitMap, pit_maps
from casino.floor.tables import pits_of, rows_of
from casino.floor.tiles import SILENT
from casino.reference.entries import Entry
from casino.reference.forms.places import PitForm
from casino.reference.recording import set_registers
from tests.audit.floor import OPENING, fact
from tests.casino.conftest import Cast
from tests.casino.pages import markup, text
from tests.casino.test_floor import GAME, Floor, tell

NOW = datetime(2026, 11, 28, 14, tzinfo=UTC)
MAP = "/floor/?view=map"


@pytest.fixture
def floor(cast: Cast) -> Floor:
    return Floor(cast)


def enter(*entries: Entry) -> None:
    set_registers("aurora", list(entries), by="m-101", second="m-102")


def place(*rows: list[str | None]) -> None:
    """Enter the pit's map in the register, each row with its tables from left to right."""
    enter(Entry("pits", "pit-1", {"title": "Main pit", "map": list(rows)}))


def maps(floor: Floor, at: datetime | None = None) -> list[PitMap]:
    pits = list(pits_of("aurora", floor.today, rows_of("aurora", floor.today)))
    return pit_maps("aurora", floor.today, pits, at or timezone.now(), with_money=True)


def codes(pit: PitMap) -> list[str | None]:
    return [None if place is None else place.tile.row.code for place in pit.places]


def seated(minutes: int, table: str, dealer: str, supervisor: str = "s-201") -> Any:
    """Return an event that seats a dealer this many minutes before NOW."""
    return event("dealer-seated", minutes, table, dealer=dealer, supervisor=supervisor)


def event(kind: str, minutes: int, table: str, **fields: Any) -> Any:
    at = (NOW - timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")
    sent = fact(1, kind, table=f"aurora/{table}", at=at, **fields)
    return f.decode(f.check(f.canonical(sent)).body)


def test_tables_are_placed_as_the_register_says_and_no_table_is_left_out(floor: Floor) -> None:
    (pit,) = maps(floor)
    assert (pit.columns, codes(pit)) == (USUAL_COLUMNS, ["EOU-01", "EOU-02"])
    place(["EOU-02", None, None, "EOU-09"], [None, "EOU-01"])
    (pit,) = maps(floor)
    assert (pit.columns, codes(pit)) == (4, ["EOU-02", None, None, None, None, "EOU-01", None, None])
    enter(Entry("tables", "EOU-03", GAME | {"pit": "pit-1"}))
    (pit,) = maps(floor)
    assert codes(pit)[-1] == "EOU-03"
    place(["EOU-09"], ["EOU-03", "EOU-02"])
    (pit,) = maps(floor)
    assert codes(pit) == ["EOU-03", "EOU-02", "EOU-01"], "a row without a table of the pit takes no place"


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([["EOU-01"], ["EOU-01"]], "map: table EOU-01 is on the map twice"),
        ([["A"] * 9], "map: "),
        ([[""]], "map: "),
        ("EOU-01", "map: "),
        ([5], "map: "),
    ],
)
def test_a_map_names_each_table_once_in_rows_of_at_most_eight(rows: Any, says: str) -> None:
    with pytest.raises(ValueError, match=f"^{says}"):
        check("pits", {"title": "Main pit", "map": rows})
    read("pits", {"map": [["EOU-01", None], []]})


def test_the_form_of_a_pit_reads_and_shows_its_map(floor: Floor) -> None:
    typed = {"key": "pit-1", "title_of": "Main pit", "map_of": "EOU-02, -,\r\n\r\n EOU-01 "}
    form = PitForm("aurora", typed)
    assert form.is_valid(), form.errors
    value = form.entry().value
    assert value == {"title": "Main pit", "map": [["EOU-02", None, None], ["EOU-01"]]}
    double_form = PitForm("aurora", typed | {"map_of": "EOU-01, EOU-01"})
    assert "EOU-01 is on the map twice" in str(double_form.errors["map_of"])
    place(["EOU-02", None], ["EOU-01"])
    answer = floor.cast.browser("Mia").get("/admin/casino/entry/set/pits/?property=aurora&key=pit-1")
    assert re.search(r'<textarea name="map_of"[^>]*>\s*EOU-02, -\nEOU-01</textarea>', answer.content.decode())


def test_time_on_table_and_at_work_follow_the_seatings() -> None:
    walk = int(WALK.total_seconds()) // 60
    events = [
        seated(200, "EOU-01", "d-101"),
        seated(130, "EOU-01", "d-102"),
        seated(125, "EOU-01", "d-102", "s-202"),
        event("table-closed", 60, "EOU-01"),
        seated(90, "EOU-02", "d-103"),
        seated(130 - walk, "EOU-03", "d-101"),
        seated(59 - walk, "EOU-04", "d-102"),
    ]
    work = current_work(stints(events))
    ago = {
        table.partition("/")[2]: (
            own.dealer,
            (NOW - own.at_table) // timedelta(minutes=1),
            (NOW - own.at_work) // timedelta(minutes=1),
        )
        for table, own in work.items()
    }
    assert ago == {
        "EOU-02": ("d-103", 90, 90),
        "EOU-03": ("d-101", 130 - walk, 200),
        "EOU-04": ("d-102", 59 - walk, 59 - walk),
    }, "a walk to the next table is no break, a longer pause is one, and a closed table has no dealer"


def test_a_break_is_due_after_the_registered_minutes(floor: Floor) -> None:
    floor.open()
    seat = floor.now().seated
    assert seat is not None
    (pit,) = maps(floor, seat.at + timedelta(minutes=75))
    first = pit.places[0]
    assert first is not None
    assert first.dealer_time is not None
    assert (first.dealer_time.at_table, first.dealer_time.until_break) == (timedelta(minutes=75), None)
    assert not first.dealer_time.is_due
    assert "Breaks due no time set" in text(floor.finn.get(MAP))
    enter(Entry("thresholds", "dealer-break", {"minutes": 80}))
    assert "Breaks due 0" in text(floor.finn.get(MAP))
    for minutes, is_due in ((79, False), (80, True)):
        (pit,) = maps(floor, seat.at + timedelta(minutes=minutes))
        first = pit.places[0]
        assert first is not None
        assert first.dealer_time is not None
        assert first.dealer_time == (timedelta(minutes=minutes), timedelta(minutes=80 - minutes))
        assert first.dealer_time.is_due == is_due


def test_a_tile_offers_fill_credit_and_dealer_in_one_step(floor: Floor) -> None:
    enter(Entry("tables", "EOU-01", GAME | {"pit": "pit-1", "par": {"500": 100}}))
    floor.open()
    page = markup(floor.finn.get(MAP))
    assert "Opener not counted" in text(page)
    assert floor.tray("opener", **{"chips-500": "40"}).status_code == 302
    page = markup(floor.finn.get(MAP))
    tile = page.partition('id="map-EOU-01"')[2].partition("</section>")[0].partition('id="map-EOU-02"')[0]
    assert 'href="/cage/ask/aurora/EOU-01/fill/?proposed=1"' in tile
    assert 'href="/cage/ask/aurora/EOU-01/credit/"' in tile
    assert 'href="/floor/aurora/EOU-01/seat/"' in tile
    assert "40 of 100 pieces, very low" in text(tile)
    assert "fill of 300.00" in text(tile)
    assert "10.00 to 500.00" in text(tile)
    assert "at the table" in text(tile)
    assert 'height="8"' in tile
    assert "style=" not in page
    assert 'href="/floor/aurora/EOU-02/open/"' in page
    news = markup(floor.finn.get("/floor/news/?view=map"))
    assert 'id="map-EOU-01"' in news
    assert "<html" not in news
    assert 'id="map-EOU-01"' not in markup(floor.finn.get("/floor/"))


def test_a_tile_shows_pace_and_boxes_that_are_not_counted(floor: Floor) -> None:
    floor.open()
    day = floor.today.isoformat()
    begins = timezone.now() - timedelta(minutes=10)
    hands = [
        fact(90 + place, "round-opened", day=day, round=f"r{place}", at=moment(begins, minutes=2 * place))
        for place in range(4)
    ]
    tell(*hands, fact(99, "box-pulled", day=day, box="B-7", shift="day", by="d-101", second="s-201"))
    page = text(floor.finn.get(MAP))
    assert "30 hands an hour" in page
    assert "1 box not counted" in page


def test_a_silent_table_is_an_alarm_on_the_list_and_on_the_map(floor: Floor) -> None:
    day = floor.today.isoformat()
    tell(fact(90, day=day, at=moment(timezone.now(), minutes=-50), **OPENING))
    for address in ("/floor/", MAP):
        page = markup(floor.finn.get(address))
        figures = re.findall(r"<dt>(Late|Silent)</dt>\s*<dd([^>]*)>(.*?)</dd>", page)
        shown = {name: (kind, re.sub("<[^>]*>", "", number)) for name, kind, number in figures}
        assert shown == {"Late": ("", "0"), "Silent": (' class="alarm"', "1")}, address


def test_the_breaks_of_a_silent_table_are_not_known(floor: Floor) -> None:
    enter(Entry("thresholds", "dealer-break", {"minutes": 20}))
    day, begins = floor.today.isoformat(), timezone.now()
    seat = {"dealer": "d-101", "supervisor": "s-201"}
    tell(
        fact(90, day=day, at=moment(begins, minutes=-50), **OPENING),
        fact(91, "dealer-seated", day=day, at=moment(begins, minutes=-49), **seat),
    )
    home = text(floor.finn.get("/home/"))
    assert "Breaks due not known no dealer is at a table that reports facts" in home
    assert "not known at silent tables 1" in home
    assert "not known last fact" in home
    page = text(floor.finn.get(MAP))
    assert "Breaks due not known" in page
    assert "break not known" in page
    assert "break due" not in home + page


def test_a_fact_that_a_person_records_does_not_end_the_silence_of_a_table(floor: Floor) -> None:
    day, begins = floor.today.isoformat(), timezone.now()
    seat = {"dealer": "d-101", "supervisor": "s-201"}
    tell(
        fact(90, day=day, at=moment(begins, minutes=-50), **OPENING),
        fact(91, "round-opened", day=day, round="r1", at=moment(begins, minutes=-45)),
        fact(92, "dealer-seated", day=day, at=moment(begins, minutes=-1), source=PAGES, **seat),
    )
    (row,) = (row for row in rows_of("aurora", floor.today) if row.code == "EOU-01")
    assert (row.lateness, row.last_kind) == (SILENT, "round-opened")
    assert timedelta(minutes=45) <= row.age < timedelta(minutes=46)
    assert row.now is not None
    assert row.now.seated is not None, "the person is shown, and the table is silent"
    tell(fact(93, "round-closed", day=day, round="r1", at=moment(begins, minutes=-1)))
    (row,) = (row for row in rows_of("aurora", floor.today) if row.code == "EOU-01")
    assert row.lateness == ""


def moment(begins: datetime, *, minutes: int) -> str:
    return (begins + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")


def test_the_map_hides_money_slips_and_floor_without_the_right(floor: Floor) -> None:
    floor.open()
    tell(fact(90, "round-opened", day=floor.today.isoformat(), round="r1"))
    pages = {name: text(floor.cast.browser(name).get(MAP)) for name in ("Finn", "Dana", "Boris")}
    assert {name: "Win, estimated" in page for name, page in pages.items()} == {
        "Finn": False,
        "Dana": True,
        "Boris": True,
    }
    assert "Fill" not in pages["Dana"].partition("EOU-01")[2].partition("EOU-02")[0]
    assert all("Arrange" not in page for page in pages.values())
    for name in ("Mia", "Nia", "Eve"):
        for page in (MAP, "/floor/news/?view=map"):
            answer = floor.cast.browser(name).get(page)
            assert answer.status_code == 403
            assert b'id="map-' not in answer.content
    assert floor.finn.get(f"{MAP}&property=borealis").status_code == 403


def test_the_map_links_to_the_register_of_the_pit_for_administrators(floor: Floor) -> None:
    enter(Entry("people", "s-201", {"roles": ["supervisor", "administrator"]}))
    page = markup(floor.finn.get(MAP))
    assert 'href="/admin/casino/entry/set/pits/?property=aurora&amp;key=pit-1"' in page
