"""The map of a pit is arranged with a mouse, a finger and the keyboard. Each of these only writes the text
lines of the form, and two people sign the entry. Without the script, users type the lines.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from casino.accounts.services import activate_user
from casino.floor.services import SETTINGS
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reference.registers import values_on
from casino.sample.tables.day import Day
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast
from tests.casino.nights import PASSWORD

FORM = "/admin/casino/entry/set/pits/?property=aurora&key=pit-1"
MAP: list[list[str | None]] = [["EOU-01", None, "EOU-02"]]


def prepare() -> None:
    """Enter three tables and a pit in the registers. The map of the pit shows two of the tables."""
    for id, name in (("m-101", "Mia"), ("m-102", "Max")):
        activate_user(id, name, PASSWORD)
    opened = Day("easy_over_under", "arranging").open()
    settings: dict[str, Any] = {name: opened[name] for name in SETTINGS if name != "currency"}
    tables = [Entry("tables", f"EOU-0{place}", settings | {"pit": "pit-1"}) for place in (1, 2, 3)]
    pit = Entry("pits", "pit-1", {"title": "Main pit", "map": MAP})
    set_registers("aurora", [*tables, pit], by="m-101", second="m-102")


def lines(page: Page) -> str:
    return page.locator("#id_map_of").input_value()


def center(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, code: str, target: str) -> None:
    """Move a table of the map with the mouse to the element that the selector `target` finds."""
    page.mouse.move(*center(page, f'[data-code="{code}"]'))
    page.mouse.down()
    page.mouse.move(*center(page, target), steps=5)
    page.mouse.up()


def place(row: int, column: int) -> str:
    return f'.arrange-place[data-row="{row}"][data-column="{column}"]'


def test_a_pit_is_arranged_with_mouse_and_keyboard_and_signed_by_two(officer: Officer, night: Cast) -> None:
    prepare()
    officer.log_in("m-101")
    page = officer.page
    page.goto(f"{officer.address}{FORM}")
    assert lines(page) == "EOU-01, -, EOU-02"
    drag(page, "EOU-03", place(1, 1))
    assert lines(page) == "EOU-01, -, EOU-02\n-, EOU-03"
    drag(page, "EOU-03", place(0, 0))
    assert lines(page) == "EOU-03, -, EOU-02\n-, EOU-01", "two tables change places"
    expect(page.locator('[data-code="EOU-03"]')).to_be_focused()
    officer.press("ArrowRight")
    assert lines(page) == "-, EOU-03, EOU-02\n-, EOU-01"
    officer.press("ArrowDown")
    assert lines(page) == "-, EOU-01, EOU-02\n-, EOU-03"
    officer.press("ArrowUp", "ArrowUp")
    expect(page.get_by_text("EOU-03: the map ends here.")).to_be_visible()
    assert lines(page) == "-, EOU-03, EOU-02\n-, EOU-01"
    page.focus('[data-code="EOU-02"]')
    officer.press("Delete")
    assert lines(page) == "-, EOU-03\n-, EOU-01"
    expect(page.locator(".arrange-off .arrange-table")).to_have_text(["EOU-02"])
    drag(page, "EOU-01", ".arrange-off")
    assert lines(page) == "-, EOU-03"
    assert values_on("aurora", "pits")["pit-1"]["map"] == MAP, "nothing is recorded before it is signed"
    page.get_by_role("button", name="Preview change").click()
    page.get_by_role("heading", name="Before and after").wait_for()
    assert lines(page) == "-, EOU-03"
    page.fill("#id_begins", "")
    page.get_by_role("button", name="Preview change").click()
    page.get_by_role("heading", name="Before and after").wait_for()
    page.fill("#id_second", "m-102")
    page.fill("#id_second_password", PASSWORD)
    page.get_by_role("button", name="Sign and record").click()
    page.get_by_text("The entry is recorded.").wait_for()
    assert values_on("aurora", "pits")["pit-1"] == {"title": "Main pit", "map": [[None, "EOU-03"]]}
    assert officer.complaints == []
    assert officer.barriers([(FORM, "")], "light", "dark") == []


def test_a_pit_is_arranged_with_a_finger(officer: Officer, night: Cast) -> None:
    prepare()
    officer.log_in("m-101")
    state = officer.context.storage_state()
    context = officer.browser.new_context(
        storage_state=state, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(f"{officer.address}{FORM}")
    page.locator(place(1, 0)).scroll_into_view_if_needed()
    (x, y), (to_x, to_y) = center(page, '[data-code="EOU-01"]'), center(page, place(1, 0))
    touch = context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in (1, 2, 3, 4):
        at = {"x": x + (to_x - x) * part / 4, "y": y + (to_y - y) * part / 4}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert lines(page) == "-, -, EOU-02\nEOU-01"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_lines_that_are_typed_are_shown_as_places(officer: Officer, night: Cast) -> None:
    prepare()
    officer.log_in("m-101")
    page = officer.page
    page.goto(f"{officer.address}{FORM}")
    page.fill("#id_map_of", "EOU-02\n-, EOU-03")
    codes = page.locator(".arrange-map .arrange-table")
    expect(codes).to_have_text(["EOU-02", "EOU-03"])
    expect(page.locator(f"{place(1, 1)} .arrange-table")).to_have_text("EOU-03")
    expect(page.locator(".arrange-off .arrange-table")).to_have_text(["EOU-01"])
