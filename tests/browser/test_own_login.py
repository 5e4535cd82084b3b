"""A user's own login without a mouse: one-time passwords are set up and required, a token is created and
revoked, and axe reports nothing.
"""

from __future__ import annotations

from base64 import b32decode

import pytest
from django_otp.oath import totp
from playwright.sync_api import expect

from casino.models import Authenticator
from tests.browser.conftest import Officer
from tests.casino.nights import PASSWORD


@pytest.mark.long
def test_an_officer_sets_up_one_time_passwords_and_makes_a_token_by_keyboard(officer: Officer) -> None:
    page = officer.page
    officer.log_in("v-101")
    assert officer.barriers([("/otp/", ()), ("/tokens/", ())], "light", "dark") == []
    page.goto(f"{officer.address}/otp/")
    page.get_by_label("Your password").focus()
    page.keyboard.type(PASSWORD)
    officer.press("Enter")
    key = b32decode(page.locator("code.secret").inner_text().replace(" ", ""))
    assert officer.found_here("dark") == []
    page.locator("[name=code]").focus()
    page.keyboard.type(f"{totp(key):06d}")
    officer.press("Enter")
    expect(page.locator(".backups li")).to_have_count(10)
    assert officer.found_here("light") == []
    officer.context.clear_cookies()
    Authenticator.objects.update(last_t=-1)  # as if half a minute had passed, after which a new code is valid
    page.goto(f"{officer.address}/login/?next=/tokens/")
    for text in ("v-101", PASSWORD, f"{totp(key):06d}"):
        page.keyboard.type(text)
        officer.press("Tab")
    officer.press("Enter")
    page.get_by_label("Purpose").focus()
    page.keyboard.type("the officer's own list")
    officer.press("Tab", "Space")
    page.get_by_label("Your password").focus()
    page.keyboard.type(PASSWORD)
    officer.press("Tab")
    Authenticator.objects.update(last_t=-1)
    page.keyboard.type(f"{totp(key):06d}")
    officer.press("Enter")
    expect(page.locator("#secret")).to_be_visible()
    page.locator(".sure summary").focus()
    officer.press("Enter", "Tab", "Enter")
    expect(page.get_by_role("status")).to_contain_text("is revoked")
    assert officer.complaints == []
