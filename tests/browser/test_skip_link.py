"""The first Tab on a page reaches the link that skips the navigation."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Officer
from tests.casino.conftest import Cast


def test_tab_begins_at_the_skip_link(officer: Officer, night: Cast) -> None:
    officer.log_in(night.logins["Finn"].id, night.logins["Finn"].password)
    for path in ("/floor/", "/cage/"):
        officer.page.goto(f"{officer.address}{path}")
        expect(officer.page.locator("nav [aria-current]").first).to_be_visible()
        officer.press("Tab")
        expect(officer.page.locator(".skip")).to_be_focused()
