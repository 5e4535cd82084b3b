"""The home page of each role in a real browser: no barrier, never wider than its screen, and figures that are
links.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PASSWORD, Officer
from tests.casino.conftest import ROLES, Cast
from tests.casino.nights import DAY, officers, record, troubled_day
from tests.furnished import furnishing

WITH_HOME = ("Dana", "Boris", "Finn", "Chi", "Nia", "Alma", "Rhea", "Mia")


@furnishing
def night() -> Cast:
    """Record a table's day with faults."""
    cast = Cast()
    officers()
    record(troubled_day("EOU-07", times=2))
    return cast


def test_an_officer_goes_from_home_to_the_gravest_hand_and_back_by_keyboard(
    officer: Officer, night: Cast
) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/help/")
    officer.press("g", "m")
    expect(officer.page.locator("h1")).to_contain_text("Home")
    officer.page.locator(".home-cards tbody th a").first.click()
    expect(officer.page.locator("#hand h1, main h1").first).to_contain_text("EOU-07")


@pytest.mark.long
@pytest.mark.parametrize("name", WITH_HOME)
def test_no_home_page_has_a_barrier_or_is_larger_than_its_screen(
    officer: Officer, night: Cast, name: str
) -> None:
    officer.log_in(ROLES[name], PASSWORD if name == "Dana" else night.logins[name].password)
    path = f"/home/?day={DAY}"
    assert officer.barriers([(path, "")], "light", "dark") == []
    officer.page.goto(officer.address + path)
    for width in (390, 820, 1280, 1920):
        officer.page.set_viewport_size({"width": width, "height": 900})
        assert officer.page.evaluate("document.documentElement.scrollWidth") == width
    for width, height in ((1440, 900), (1280, 800)):
        officer.page.set_viewport_size({"width": width, "height": height})
        shown = officer.page.evaluate("document.documentElement.scrollHeight")
        assert shown == height, "one screen, no scrolling"


def test_a_home_page_has_all_its_figures_on_a_phone(officer: Officer, night: Cast) -> None:
    login = night.logins["Boris"]
    officer.log_in(login.id, login.password)
    officer.page.set_viewport_size({"width": 390, "height": 844})
    officer.page.goto(f"{officer.address}/home/?day={DAY}")
    lines = officer.page.locator(".home .below li")
    assert lines.count() > 0
    for line in lines.all():
        expect(line).to_be_visible()


def test_the_first_hands_on_a_phone_show_their_table_and_their_money(officer: Officer, night: Cast) -> None:
    officer.log_in("v-101")
    officer.page.set_viewport_size({"width": 390, "height": 844})
    officer.page.goto(f"{officer.address}/home/")
    row = officer.page.locator(".home-cards tbody tr").first
    table, money = row.locator("th a").bounding_box(), row.locator("td").first.bounding_box()
    assert table is not None
    assert money is not None
    assert table["height"] < 30, "the table is on one line"
    assert money["x"] + money["width"] < 390


def test_the_home_page_of_a_manager_fits_a_small_screen(officer: Officer, night: Cast) -> None:
    login = night.logins["Boris"]
    officer.log_in(login.id, login.password)
    officer.page.goto(f"{officer.address}/home/?day={DAY}")
    officer.page.set_viewport_size({"width": 1280, "height": 800})
    assert officer.page.evaluate("document.documentElement.scrollHeight") == 800
