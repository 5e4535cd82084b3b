"""The search over all hands by keyboard, on a phone, and read by a screen reader."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Officer

WIDTHS = (390, 820, 1280, 1920)


@pytest.mark.long
def test_a_search_is_made_by_keys_alone_and_saved_as_a_view(officer: Officer) -> None:
    page = officer.page
    officer.log_in("v-101")
    page.goto(f"{officer.address}/hands/")
    officer.press("j", "k")
    expect(page.locator("#hands-found th a").first).to_be_focused()
    officer.press("/")
    page.keyboard.type("wager: ov")
    expect(page.locator("#choices [role=option][aria-selected=true]")).to_contain_text("over")
    officer.press("Enter")
    expect(page.locator(".ask-box .filter-chip")).to_have_text(["wager over ×Remove wager"])
    expect(page.locator("#typed")).to_be_focused()
    expect(page.locator("#choices")).to_be_hidden()
    page.keyboard.type("difference: 10")
    expect(page.locator("#choices [role=option][aria-selected=true]")).to_contain_text("10.00 USD or more")
    officer.press("Tab")
    expect(page.locator(".ask-box .filter-chip")).to_have_count(2)
    expect(page.locator("#typed")).to_be_focused()
    officer.press("Escape", "j")
    expect(page.locator("#hands-found .selected")).to_be_focused()
    hands = page.locator("#hands-found tr")
    assert 0 < hands.count() < 24
    page.click("thead a >> text=Difference")
    expect(page.locator("thead th[aria-sort=descending]")).to_contain_text("Difference")
    page.fill("[name=name]", "Over, from 10")
    officer.press("Enter")
    expect(page.locator(".views a[aria-current=page]")).to_have_text("Over, from 10")
    page.focus("#typed")
    officer.press("Backspace")
    expect(page.locator(".ask-box .filter-chip")).to_have_count(1)
    expect(page.locator("#typed")).to_be_focused()
    page.click(".views li a >> text=Over, from 10")
    expect(page.locator(".ask-box .filter-chip")).to_have_count(2)
    hands.first.locator("a").click()
    expect(page.locator("#hand h1")).to_be_visible()
    assert officer.complaints == []


@pytest.mark.long
def test_hands_that_were_found_are_opened_replayed_and_judged_by_keys_as_in_the_queue(
    officer: Officer,
) -> None:
    page = officer.page
    officer.log_in("v-101")
    page.goto(f"{officer.address}/hands/?code=wrong-settlement&state=open&sort=difference")
    hand, back = page.locator("#hand > .hand"), page.locator("#rows [aria-current]")
    officer.press("p")
    expect(page.locator("#hand > .replay")).to_be_visible()
    officer.press("p")
    expect(page.locator("#hand > .hand:not(.replay)")).to_be_visible()
    expect(back).to_have_count(1)
    officer.press("Escape")
    expect(hand).to_have_count(0)
    officer.press("Enter")
    expect(page.locator("#verdict-form")).to_be_visible()
    title = hand.get_attribute("data-title") or ""
    officer.press("d", "Shift+Digit2")
    expect(page.locator("#done")).to_contain_text(f"Dismissed: {title}, gaming day 27 Nov 2026.")
    expect(page.locator(f'#hand .hand:not([data-title="{title}"])')).to_be_visible()
    expect(page.locator("#rows .verdict-state", has_text="judged now")).to_have_count(1)
    officer.press("x", "j", "x")
    expect(page.locator("#chosen-count")).to_have_text("2")
    officer.press("d")
    expect(page.locator("#verdict-form[data-many].open")).to_be_visible()
    officer.press("Shift+Digit2")
    expect(page.locator("#hand h1")).to_contain_text("2 of 2 hands")
    expect(page.locator("#rows .verdict-state", has_text="judged now")).to_have_count(3)
    officer.press("u")
    expect(page.locator("#hand h1")).to_contain_text("2 hands need a verdict again")
    expect(page.locator("#rows .verdict-state", has_text="judged now")).to_have_count(1)
    assert officer.complaints == []


@pytest.mark.long
def test_r_shows_what_is_to_be_corrected_and_escape_closes_it(officer: Officer) -> None:
    page = officer.page
    officer.log_in("v-101")
    page.goto(f"{officer.address}/queue/?code=wrong-settlement")
    officer.press("Enter")
    expect(page.locator("#verdict-form")).to_be_visible()
    officer.press("r")
    expect(page.locator("#correct[open]")).to_contain_text("A verdict moves no money.")
    officer.press("Escape")
    expect(page.locator("#correct[open]")).to_have_count(0)
    officer.press("c")
    expect(page.locator("#verdict-form.open")).to_be_visible()
    page_alone = "/correct/?stream=aurora/EOU-07/2026-11-27&hand=r-0002"
    assert officer.barriers([(page_alone, ()), ("/log/large-wins/", ())], "light", "dark") == []
    assert officer.complaints == []


@pytest.mark.long
def test_the_search_fits_every_screen_and_has_no_barrier(officer: Officer) -> None:
    page = officer.page
    officer.log_in("v-101")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{officer.address}/hands/?grade=money,procedure&sort=-difference")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        overflow = "box => box.scrollWidth - box.clientWidth"
        assert page.locator(".found .scroll").evaluate(overflow) <= 0, width
        if width > 700:
            left = page.locator("#hands-found tr >> nth=0 >> .second").first.bounding_box()
            right = page.locator("#hands-found tr >> nth=0 >> .opened").bounding_box()
            assert left is not None
            assert right is not None
            assert left["x"] + left["width"] + 12 <= right["x"], "Hand does not run into Opened"
        page.focus("#typed")
        page.keyboard.type("card: 7")
        expect(page.locator("#choices [role=option]").first).to_be_visible()
        box = page.locator("#choices").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width, width
    for scheme in ("light", "dark"):
        assert officer.found_here(scheme) == []
    assert officer.complaints == []
