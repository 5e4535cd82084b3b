"""Pages of surveillance on narrow screens: nothing covers anything else, and nothing is cut without need."""

from __future__ import annotations

from itertools import pairwise
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from casino.accounts import view_log
from casino.alerts import services
from casino.exports.schedules import order_due
from casino.models import Person
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast
from tests.casino.nights import PASSWORD
from tests.casino.test_alerts import EMPTY
from tests.casino.test_schedules import HOLD, MORNING, scheduled

PHONE, TABLET = {"width": 390, "height": 844}, {"width": 820, "height": 1180}


def test_the_list_of_the_queue_reaches_the_foot_of_a_phone_and_of_a_tablet(officer: Officer) -> None:
    officer.log_in("v-101")
    page = officer.page
    page.goto(f"{officer.address}/queue/")
    expect(page.locator("#rows .hand-row .money", has_text="to player").first).to_be_visible()
    for size, foot in ((PHONE, 58), (TABLET, 0)):
        page.set_viewport_size(size)
        box = page.locator(".list").bounding_box()
        assert box is not None
        assert round(box["y"] + box["height"]) == size["height"] - foot
    assert officer.complaints == []


def test_the_tables_of_a_hand_are_short_rows_on_a_phone(officer: Officer) -> None:
    officer.log_in("v-101")
    page = officer.page
    page.set_viewport_size(PHONE)
    page.goto(f"{officer.address}/queue/")
    page.locator("#rows .hand-row", has_text="to player").first.click()
    expect(page.locator("#hand .lines")).to_be_visible()
    for table, height in (("lines", 140), ("facts", 90)):
        for row in page.locator(f"#hand .{table} tbody tr").all():
            box = row.bounding_box()
            assert box is not None
            assert box["height"] < height, row.inner_text()
    difference = page.locator("#hand .lines thead th", has_text="Difference").bounding_box()
    assert difference is not None
    assert difference["x"] + difference["width"] <= PHONE["width"], "nobody scrolls to see the difference"


def test_the_buttons_of_an_alert_rule_cover_no_words_on_a_phone(officer: Officer) -> None:
    services.set_rule(Person.objects.get(pk="v-101"), "aurora", str(uuid4()), "Flags and integrity", **EMPTY)
    officer.log_in("v-101")
    officer.page.set_viewport_size(PHONE)
    officer.page.goto(f"{officer.address}/alerts/rules/")
    words, buttons = (officer.page.locator(f".alert-scroll tbody {cell}") for cell in ("td >> nth=0", ".act"))
    left, right = words.bounding_box(), buttons.bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] <= right["x"]


def test_a_table_code_in_the_list_of_cameras_is_on_one_line(officer: Officer) -> None:
    set_registers("aurora", [Entry("cameras", "cam-12", {"tables": ["EOU-07"]})], by="m-101", second="m-102")
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/log/cameras/")
    for size in (PHONE, TABLET):
        officer.page.set_viewport_size(size)
        box = officer.page.locator(".camera-table td", has_text="EOU-07").locator("span").bounding_box()
        assert box is not None
        assert box["height"] < 30


@pytest.mark.parametrize(
    ("user", "path"),
    [
        ("Chi", "/cage/?day=2026-11-27"),
        ("Dana", "/log/cameras/"),
        ("Dana", "/boards/codes/?from=2026-11-27&to=2026-11-27"),
        ("Dana", "/boards/games/?from=2026-11-27&to=2026-11-27"),
        ("Igor", "/views/"),
        ("Finn", "/floor/"),
        ("Alma", "/journal/accounts/"),
        ("Alma", "/exports/"),
        ("Mia", "/admin/casino/schedule/"),
        ("Mia", "/admin/casino/entry/"),
    ],
)
def test_a_list_shows_what_one_decides_from_on_a_phone(
    officer: Officer, night: Cast, user: str, path: str
) -> None:
    set_registers("aurora", [Entry("cameras", "cam-12", {"tables": ["EOU-07"]})], by="m-101", second="m-102")
    view_log.record_report(night.person("Dana"), "aurora", "Hold by table and gaming day", "/hold/")
    scheduled()
    order_due(HOLD, MORNING)
    login = night.logins[user]
    officer.log_in(login.id, PASSWORD if user == "Dana" else login.password)
    officer.page.set_viewport_size(PHONE)
    officer.page.goto(officer.address + path)
    table = officer.page.locator("main table").first
    expect(table).to_be_visible()
    box = table.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= PHONE["width"]
    assert officer.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_charts_of_the_certificate_have_the_whole_width_of_a_phone(officer: Officer, night: Cast) -> None:
    login = night.logins["Rhea"]
    officer.log_in(login.id, login.password)
    officer.page.set_viewport_size(PHONE)
    officer.page.goto(f"{officer.address}/certificate/")
    box = officer.page.locator(".drawn figure").first.bounding_box()
    assert box is not None
    assert box["width"] > 300
    assert officer.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_long_heading_of_a_report_is_broken_into_lines(officer: Officer, night: Cast) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/reports/statistics/?from=2026-11-27&to=2026-11-27")
    heading = officer.page.locator("thead th", has_text="wagers of a round depend").bounding_box()
    assert heading is not None
    assert heading["width"] < 160, (
        "figures that are left of the edge of the screen matter more than a heading"
    )


def test_the_axis_of_bars_has_labels_on_a_phone(officer: Officer, night: Cast) -> None:
    login = night.logins["Boris"]
    officer.log_in(login.id, login.password)
    officer.page.set_viewport_size(PHONE)
    officer.page.goto(f"{officer.address}/hold/where/?from=2026-11-27&to=2026-11-27")
    axis = officer.page.locator(".wf .ax").first
    labels = [
        text.bounding_box()
        for text in axis.locator("text").all()
        if text.is_visible() and text.inner_html().strip()
    ]
    assert len(labels) >= 2
    places = sorted((box["x"], box["x"] + box["width"]) for box in labels if box is not None)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(places))


def test_the_fields_of_a_form_of_the_admin_keep_away_from_the_edge_of_a_phone(
    officer: Officer, night: Cast
) -> None:
    login = night.logins["Alma"]
    officer.log_in(login.id, login.password)
    officer.page.set_viewport_size(PHONE)
    officer.page.goto(f"{officer.address}/admin/casino/schedule/add/")
    card = officer.page.locator("fieldset.module").first.bounding_box()
    assert card is not None
    fields = [
        field.bounding_box()
        for field in officer.page.locator("fieldset.module :is(select, input)").all()
        if field.is_visible()
    ]
    assert len(fields) > 5
    for box in fields:
        assert box is not None
        assert card["x"] + 8 <= box["x"]
        assert box["x"] + box["width"] <= card["x"] + card["width"] - 8


def test_a_tick_of_a_report_is_next_to_its_name_on_a_phone(officer: Officer, night: Cast) -> None:
    login = night.logins["Alma"]
    officer.log_in(login.id, login.password)
    officer.page.set_viewport_size(PHONE)
    officer.page.goto(f"{officer.address}/reports/hold/")
    ticks = officer.page.locator("#filters .choice input").all()
    assert len(ticks) > 5
    for tick in ticks:
        box = tick.bounding_box()
        assert box is not None
        assert box["width"] <= 20, "a wide field moves the tick away from its name"


@pytest.mark.parametrize("width", [390, 1280])
def test_the_amounts_of_the_home_of_accounting_are_inside_their_cards(
    officer: Officer, night: Cast, width: int
) -> None:
    login = night.logins["Alma"]
    officer.log_in(login.id, login.password)
    officer.page.set_viewport_size({"width": width, "height": 900})
    officer.page.goto(f"{officer.address}/home/")
    expect(officer.page.locator(".figure .below li").first).to_be_visible()
    over = officer.page.locator(".figure").evaluate_all(
        "cards => cards.filter(card => card.scrollWidth > card.clientWidth).map(card => card.innerText)"
    )
    assert over == []
