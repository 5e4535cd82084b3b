"""Sign-in with OpenID Connect in a browser: the button, the pages of a real provider, the return to Catwalk,
the confirmation of an action, and the sign-out at both. The content security policy allows all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from casino.accounts import openid
from casino.models import Person
from tests.browser.conftest import Officer
from tests.casino.openid_provider import Provider, running
from tests.casino.test_openid import configure


@pytest.fixture
def provider(officer: Officer, settings: Any) -> Iterator[Provider]:
    with running({"sub-dana": {}}, f"{officer.address}/openid/callback/") as provider:
        configure(settings, provider)
        person = Person.objects.get(pk="v-101")
        person.set_unusable_password()
        person.openid = openid.account_of("sub-dana")
        person.save()
        yield provider


def sign_in(officer: Officer) -> None:
    """Fill in the pages of the provider: the name, then the consent if it asks for it."""
    page = officer.page
    page.wait_for_selector("[name=login]")
    page.fill("[name=login]", "sub-dana")
    page.fill("[name=password]", "any")
    page.click("button[type=submit]")
    page.wait_for_load_state()
    if not page.url.startswith(officer.address):
        page.click("button[type=submit]")
    page.wait_for_url(f"{officer.address}/**")


def test_the_button_signs_in_and_an_act_is_confirmed(officer: Officer, provider: Provider) -> None:
    page = officer.page
    page.goto(f"{officer.address}/login/?next=/otp/")
    assert officer.barriers([("/login/", "")], "light", "dark") == []
    page.click("#openid")
    sign_in(officer)
    page.wait_for_url(f"{officer.address}/otp/")
    page.click("text=Confirm at Staff login")
    sign_in(officer)
    page.wait_for_url(f"{officer.address}/otp/")
    page.click("button[value=begin]")
    page.wait_for_selector("svg.qr")
    page.click("[title='Log out']")
    page.wait_for_url(f"{provider.issuer}/**")
    page.click("button[name=logout]")
    page.wait_for_url(f"{officer.address}/login/")
    assert [text for text in officer.complaints if "Content Security Policy" in text] == []
