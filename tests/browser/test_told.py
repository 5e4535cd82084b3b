"""Errors while an officer works are shown where the officer is looking, and each of them lets the
work go on.
"""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Officer


def test_a_missing_hand_is_reported_next_to_the_queue(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.page.evaluate("htmx.ajax('GET', '/hand/aurora/EOU-07/2026-11-27/none/', '#hand')")
    expect(officer.page.locator("#hand h1")).to_have_text("Page not found")
    expect(officer.page.locator("#rows .hand-row")).to_have_count(24)
    officer.press("j", "Enter")
    expect(officer.page.locator("#hand .hand")).to_be_visible()


def test_a_console_whose_login_has_ended_goes_to_the_login_and_comes_back(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/queue/?grade=money")
    officer.context.clear_cookies()
    officer.page.wait_for_url("**/login/?next=*")  # by the queue's next request for news
    officer.page.fill("[name=username]", "v-101")
    officer.page.fill("[name=password]", "seven shakes of the cup")
    officer.press("Enter")
    officer.page.wait_for_url("**/queue/?grade=money")
    assert officer.complaints == []


def test_the_page_of_a_locked_out_user_has_no_barrier_light_or_dark(officer: Officer) -> None:
    for _ in range(5):
        officer.page.goto(f"{officer.address}/login/")
        officer.page.fill("[name=username]", "v-102")
        officer.page.fill("[name=password]", "wrong")
        with officer.page.expect_navigation():
            officer.press("Enter")
    expect(officer.page.locator("h1")).to_have_text("Locked out")
    assert [barrier for scheme in ("light", "dark") for barrier in officer.found_here(scheme)] == []
