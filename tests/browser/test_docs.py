"""The page with the schema of the REST API: the browser loads only files of this server, and a request that
is tried there is answered.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from casino.accounts import services as accounts
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast


@pytest.mark.long
def test_an_api_address_is_browsed_and_tried_with_a_token(officer: Officer, night: Cast) -> None:
    urls: list[str] = []
    officer.page.on("request", lambda request: urls.append(request.url))
    officer.page.goto(f"{officer.address}/login/")
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/api/v1/docs/")
    page = officer.page
    expect(page.get_by_text("All reports", exact=True)).to_be_visible()
    page.get_by_role("button", name="Authorize").first.click()
    page.get_by_label("auth-bearer-value").fill(
        accounts.issue_token(made_by="m-101", person="v-101", scopes=["read:reports"])
    )
    page.get_by_role("button", name="Apply credentials").click()
    page.locator(".btn-done").click()
    page.get_by_text("All reports", exact=True).click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table tbody .response-col_status").first).to_contain_text("200")
    assert [url for url in urls if not url.startswith((officer.address, "data:", "blob:"))] == []
    assert officer.complaints == []
    hard_to_read = [
        barrier
        for barrier in officer.barriers([("/api/v1/docs/", [])], "light")
        if "color-contrast" in barrier
    ]
    assert hard_to_read == [], "the rest of what axe finds there is in Swagger's own bones"
