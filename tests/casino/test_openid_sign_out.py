"""Sign-out of users who have signed in with OpenID Connect: the session at the real provider ends too, if the
provider can end it. Users with a password are signed out of Catwalk only.
"""

from __future__ import annotations

import time
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests
from django.core.management import call_command
from django.test import Client

from casino.account_pages.sign_out_views import SESSION_KEY
from casino.accounts import openid
from tests.casino.conftest import ROLES, Cast
from tests.casino.openid_provider import Provider, running
from tests.casino.test_openid import (
    ACCOUNTS,
    CALLBACK,
    back,
    changed,
    configure,
    provider,
    running_provider,
    to_provider,
    user_of,
)
from tests.casino.test_otp import enrol, fresh

__all__ = ["provider", "running_provider"]
SIGN_IN_PAGE = "http://testserver/login/"


def signed_in(provider: Provider) -> tuple[Client, requests.Session]:
    """Return a browser in which v-101 is signed in, and its cookies at the provider."""
    browser, session = Client(), requests.Session()
    back(browser, provider.sign_in(to_provider(browser), "sub-dana", session))
    return browser, session


def has_session(provider: Provider, session: requests.Session) -> bool:
    """Return True if the provider signs its user in without asking for a password."""
    url = changed(to_provider(Client()), prompt="none", max_age="600")
    answer = parse_qs(urlsplit(provider.sign_in(url, "", session)).query)
    assert answer.get("error", ["login_required"]) == ["login_required"]
    return "code" in answer


def sign_out(browser: Client, address: str = "/logout/") -> str:
    """Sign out of Catwalk. Return the address at the provider to which the page leads."""
    answer = browser.post(address)
    page = answer.content.decode()
    assert (answer.status_code, user_of(browser)) == (200, None)
    assert "Logged out of Catwalk" in page
    leads_to = page.partition('content="0; url=')[2].partition('"')[0]
    assert f'href="{leads_to}"' in page
    return unescape(leads_to)


def test_the_session_at_the_provider_ends_too(provider: Provider) -> None:
    browser, session = signed_in(provider)
    assert has_session(provider, session)
    address = sign_out(browser)
    assert browser.get("/queue/").status_code == 302
    assert provider.sign_in(address, "", session) == SIGN_IN_PAGE
    assert not has_session(provider, session)


def test_the_address_of_the_admin_signs_out_in_the_same_way(provider: Provider) -> None:
    browser, session = signed_in(provider)
    assert provider.sign_in(sign_out(browser, "/admin/logout/"), "", session) == SIGN_IN_PAGE
    assert not has_session(provider, session)
    assert browser.get("/admin/").status_code == 302


def test_the_id_token_is_in_no_cookie_and_is_deleted_at_sign_out(provider: Provider) -> None:
    browser, _ = signed_in(provider)
    issuer, person, id_token = browser.session[SESSION_KEY]
    assert (issuer, person, id_token.count(".")) == (provider.issuer, "v-101", 2)
    assert id_token not in browser.cookies.output()
    hint = parse_qs(urlsplit(sign_out(browser)).query)
    assert hint == {
        "client_id": ["catwalk"],
        "post_logout_redirect_uri": [SIGN_IN_PAGE],
        "id_token_hint": [id_token],
    }
    assert SESSION_KEY not in browser.session


def test_an_expired_id_token_still_ends_the_session(cast: Cast, settings: Any) -> None:
    with running(ACCOUNTS, CALLBACK, id_token_seconds=1) as provider:
        configure(settings, provider)
        call_command("let_in", "v-101", openid="sub-dana")
        browser, session = signed_in(provider)
        time.sleep(2.1)
        assert provider.sign_in(sign_out(browser), "", session) == SIGN_IN_PAGE
        assert not has_session(provider, session)


def test_a_one_time_password_between_keeps_the_sign_in(provider: Provider, cast: Cast) -> None:
    enrol(cast, "Dana")
    browser, session = signed_in(provider)
    assert user_of(browser) is None
    browser.post("/openid/code/", {"code": fresh("v-101")})
    assert user_of(browser) == "v-101"
    assert provider.sign_in(sign_out(browser), "", session) == SIGN_IN_PAGE
    assert not has_session(provider, session)


def test_users_with_a_password_are_signed_out_here_only(provider: Provider, cast: Cast) -> None:
    browser = Client()
    password = cast.logins["Dana"].password
    browser.post("/login/", {"username": "v-101", "password": password})
    answer = browser.post("/logout/")
    assert (answer.status_code, answer["Location"]) == (302, "/login/")


def test_another_user_of_the_same_browser_does_not_get_the_token(provider: Provider, cast: Cast) -> None:
    enrol(cast, "Dana")
    browser, _ = signed_in(provider)
    browser.post("/login/", {"username": ROLES["Boris"], "password": cast.logins["Boris"].password})
    assert user_of(browser) == ROLES["Boris"]
    assert browser.post("/logout/").status_code == 302


def test_a_provider_that_ends_no_sessions_or_is_away_leaves_the_sign_out(cast: Cast, settings: Any) -> None:
    with running(ACCOUNTS, CALLBACK, ends_sessions=False) as provider:
        configure(settings, provider)
        call_command("let_in", "v-101", openid="sub-dana")
        browser, _ = signed_in(provider)
        answer = browser.post("/logout/")
        assert (answer.status_code, answer["Location"], user_of(browser)) == (302, "/login/", None)
    with running(ACCOUNTS, CALLBACK, provider.port) as provider:
        browser, _ = signed_in(provider)
    openid._new_client.cache_clear()
    answer = browser.post("/logout/")
    assert (answer.status_code, answer["Location"], user_of(browser)) == (302, "/login/", None)
