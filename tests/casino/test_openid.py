"""Sign-in with OpenID Connect at a real provider that the tests start: linked people are signed in, others
are refused, and so are changed answers. The second factor and the lock after wrong passwords apply too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import pytest
from axes.models import AccessAttempt, AccessLog
from django.core.management import CommandError, call_command
from django.test import Client

from casino.accounts import openid, otp
from casino.accounts import services as accounts
from casino.models import Person
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.casino.conftest import Cast
from tests.casino.openid_provider import CLIENT, SECRET, Provider, running
from tests.casino.test_otp import code, enrol, fresh, wrong

CALLBACK = "http://testserver/openid/callback/"
ACCOUNTS = {
    "sub-dana": {"preferred_username": "v-101", "name": "Dana"},
    "sub-other": {"preferred_username": "v-101"},
    "sub-new": {"preferred_username": "x-900", "name": "Nora"},
    "sub-stranger": {},
}


def configure(settings: Any, provider: Provider, secret: str = SECRET) -> None:
    settings.OPENID_ISSUER, settings.OPENID_CLIENT, settings.OPENID_SECRET = provider.issuer, CLIENT, secret
    settings.OPENID_NAME = "Staff login"


@pytest.fixture(scope="module")
def running_provider() -> Iterator[Provider]:
    with running(ACCOUNTS, CALLBACK) as provider:
        yield provider


@pytest.fixture
def provider(running_provider: Provider, cast: Cast, settings: Any) -> Provider:
    """Return a provider with which Catwalk is configured. The user v-101 is linked with `sub-dana`."""
    configure(settings, running_provider)
    Person.objects.filter(pk="v-101").update(openid=openid.account_of("sub-dana"))
    return running_provider


def changed(url: str, **values: str) -> str:
    """Return the URL with other values of some parameters."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query=urlencode(dict(parse_qsl(parts.query)) | values)))


def to_provider(browser: Client, after: str = "/queue/", **query: str) -> str:
    """Follow the link of the sign-in page. Return the address at the provider."""
    answer = browser.get("/openid/", {"next": after, **query})
    assert answer.status_code == 302
    return str(answer["Location"])


def back(browser: Client, url: str) -> Any:
    """Return the answer of Catwalk to the address to which the provider sends the browser back."""
    parts = urlsplit(url)
    return browser.get(f"{parts.path}?{parts.query}")


def sign_in(provider: Provider, account: str, browser: Client | None = None) -> Any:
    browser = browser or Client()
    return back(browser, provider.sign_in(to_provider(browser), account))


def user_of(browser: Client) -> str | None:
    return browser.session.get("_auth_user_id")


def test_a_linked_person_is_signed_in_and_out(provider: Provider) -> None:
    browser = Client()
    page = browser.get("/login/?next=/queue/").content.decode()
    assert "Staff login" in page
    assert 'href="/openid/?next=%2Fqueue%2F"' in page
    answer = sign_in(provider, "sub-dana", browser)
    assert (answer.status_code, answer["Location"], user_of(browser)) == (302, "/queue/", "v-101")
    assert browser.get("/queue/").status_code == 200
    assert AccessLog.objects.get(username="v-101").logout_time is None
    browser.post("/logout/")
    assert AccessLog.objects.get(username="v-101").logout_time is not None
    assert browser.get("/queue/").status_code == 302


def test_without_configuration_there_is_no_openid(cast: Cast) -> None:
    browser = Client()
    assert "openid" not in browser.get("/login/").content.decode()
    assert [browser.get(path).status_code for path in ("/openid/", "/openid/callback/?state=a")] == [404, 404]
    assert browser.post("/openid/code/").status_code == 404


def test_an_unknown_account_is_refused_with_a_clear_text_and_recorded(provider: Provider) -> None:
    browser = Client()
    answer = sign_in(provider, "sub-stranger", browser)
    assert answer.status_code == 403
    assert "No user of Catwalk is linked with your account at Staff login." in answer.content.decode()
    assert user_of(browser) is None
    attempt = AccessAttempt.objects.get(username="sub-stranger")
    assert (attempt.failures_since_start, attempt.path_info) == (1, "/openid/callback/")


def test_a_deactivated_person_is_refused(provider: Provider) -> None:
    browser = Client()
    sign_in(provider, "sub-dana", browser)
    accounts.deactivate_user("v-101")
    assert browser.get("/queue/").status_code == 302
    answer = sign_in(provider, "sub-dana")
    assert (answer.status_code, "v-101 is deactivated" in answer.content.decode()) == (403, True)
    assert AccessAttempt.objects.get(username="v-101").failures_since_start == 1


def test_a_person_who_left_is_refused(provider: Provider) -> None:
    set_registers("aurora", [Entry("people", "v-101", None)], by="m-101", second="m-102")
    answer = sign_in(provider, "sub-dana")
    assert (answer.status_code, "no role any more" in answer.content.decode()) == (403, True)


@pytest.mark.parametrize("change", ["state", "nonce", "code_challenge", "code", "iss"])
def test_a_changed_value_is_refused(provider: Provider, change: str) -> None:
    browser = Client()
    url = to_provider(browser)
    value = "A" * 43
    if change in ("nonce", "code_challenge"):
        url = changed(url, **{change: value})
    url = provider.sign_in(url, "sub-dana")
    if change in ("state", "code", "iss"):
        url = changed(url, **{change: value})
    answer = back(browser, url)
    assert answer.status_code == 400
    assert "Sign in again." in answer.content.decode()
    assert user_of(browser) is None


def test_an_answer_works_once_and_only_in_the_browser_that_asked(provider: Provider) -> None:
    browser = Client()
    url = provider.sign_in(to_provider(browser), "sub-dana")
    cookies = browser.cookies.output()
    assert back(Client(), url).status_code == 400
    stolen = Client()
    stolen.cookies.load(cookies.replace("Set-Cookie: ", ""))
    assert back(browser, url).status_code == 302
    assert back(browser, url).status_code == 400
    assert back(stolen, url).status_code == 400
    assert user_of(stolen) is None


def test_an_expired_code_is_refused(cast: Cast, settings: Any) -> None:
    with running(ACCOUNTS, CALLBACK, seconds=1) as provider:
        configure(settings, provider)
        call_command("let_in", "v-101", openid="sub-dana")
        browser = Client()
        url = provider.sign_in(to_provider(browser), "sub-dana")
        time.sleep(2.1)
        answer = back(browser, url)
    assert (answer.status_code, user_of(browser)) == (400, None)


@pytest.mark.parametrize("secret", [SECRET, ""])
def test_elliptic_keys_and_new_keys_of_the_provider_are_read(cast: Cast, settings: Any, secret: str) -> None:
    with running(ACCOUNTS, CALLBACK, alg="ES256", secret=secret) as provider:
        configure(settings, provider, secret)
        call_command("let_in", "v-101", openid="sub-dana")
        assert sign_in(provider, "sub-dana").status_code == 302
    with running(ACCOUNTS, CALLBACK, provider.port, alg="ES256", secret=secret):
        assert sign_in(provider, "sub-dana").status_code == 302


def test_a_symmetric_signature_is_refused(provider: Provider, settings: Any) -> None:
    with running(ACCOUNTS, CALLBACK, alg="HS256") as symmetric:
        configure(settings, symmetric)
        call_command("let_in", "v-101", openid="sub-dana")
        answer = sign_in(symmetric, "sub-dana")
    assert answer.status_code == 400


def test_a_provider_that_is_away_leaves_the_passwords(cast: Cast, settings: Any) -> None:
    configure(settings, Provider(9))
    browser = Client()
    answer = browser.get("/openid/")
    assert (answer.status_code, "does not answer" in answer.content.decode()) == (503, True)
    sent = {"username": "v-101", "password": cast.logins["Dana"].password}
    assert browser.post("/login/", sent).status_code == 302


def test_the_one_time_password_is_not_left_out(provider: Provider, cast: Cast) -> None:
    enrol(cast, "Dana")
    browser = Client()
    answer = sign_in(provider, "sub-dana", browser)
    assert (answer.status_code, user_of(browser)) == (200, None)
    assert "You are v-101." in answer.content.decode()
    assert browser.post("/openid/code/", {"code": wrong("v-101")}).status_code == 400
    assert AccessAttempt.objects.get(username="v-101").failures_since_start == 1
    answer = browser.post("/openid/code/", {"code": fresh("v-101")})
    assert (answer.status_code, answer["Location"], user_of(browser)) == (302, "/queue/", "v-101")
    assert Client().post("/openid/code/", {"code": fresh("v-101")})["Location"] == "/login/"


def test_a_locked_id_cannot_sign_in_either_way(provider: Provider) -> None:
    for _ in range(5):
        Client().post("/login/", {"username": "v-101", "password": "a wrong one"})
    browser = Client()
    assert sign_in(provider, "sub-dana", browser).status_code == 429
    assert user_of(browser) is None


def test_a_claim_links_once_and_never_another_account(provider: Provider, settings: Any) -> None:
    call_command("let_in", "v-101", openid="")
    settings.OPENID_CLAIM = "preferred_username"
    assert sign_in(provider, "sub-dana").status_code == 302
    assert Person.objects.get(pk="v-101").openid == f"{provider.issuer} sub-dana"
    answer = sign_in(provider, "sub-other")
    assert (answer.status_code, "another account" in answer.content.decode()) == (403, True)
    settings.OPENID_CLAIM = ""
    assert sign_in(provider, "sub-dana").status_code == 302


def test_a_claim_may_be_in_the_userinfo_only(cast: Cast, settings: Any) -> None:
    with running(ACCOUNTS, CALLBACK, conform=False) as provider:
        configure(settings, provider)
        settings.OPENID_CLAIM = "preferred_username"
        assert sign_in(provider, "sub-dana").status_code == 302


def test_a_user_is_created_only_if_set_and_has_no_role(provider: Provider, settings: Any) -> None:
    settings.OPENID_CLAIM = "preferred_username"
    assert sign_in(provider, "sub-new").status_code == 403
    assert not Person.objects.filter(pk="x-900").exists()
    settings.OPENID_CREATE = True
    browser = Client()
    assert sign_in(provider, "sub-new", browser).status_code == 302
    person = Person.objects.get(pk="x-900")
    assert (person.name, person.roles, person.has_usable_password()) == ("Nora", {}, False)
    assert browser.get("/queue/").status_code == 403


def test_a_person_of_the_register_exists_and_is_linked(provider: Provider, settings: Any) -> None:
    settings.OPENID_CLAIM = "preferred_username"
    entries = [Entry("people", "x-900", {"role": "internal-audit"})]
    set_registers("aurora", entries, by="m-101", second="m-102")
    assert sign_in(provider, "sub-new").status_code == 302
    assert Person.objects.get(pk="x-900").openid == openid.account_of("sub-new")


def without_password(provider: Provider) -> Client:
    """Return a browser in which v-101 is signed in, who has no password."""
    person = Person.objects.get(pk="v-101")
    person.set_unusable_password()
    person.save()
    browser = Client()
    assert sign_in(provider, "sub-dana", browser).status_code == 302
    return browser


def confirm(provider: Provider, browser: Client, account: str = "sub-dana") -> Any:
    return back(browser, provider.sign_in(to_provider(browser, "/otp/", confirm=""), account))


def test_without_a_password_each_act_needs_a_new_sign_in(provider: Provider) -> None:
    browser = without_password(provider)
    assert "Confirm at Staff login" in browser.get("/otp/").content.decode()
    answer = browser.post("/otp/", {"act": "begin", "password": ""})
    assert (answer.status_code, "Confirm at Staff login" in answer.content.decode()) == (400, True)
    assert confirm(provider, browser)["Location"] == "/otp/"
    assert browser.post("/otp/", {"act": "begin"}).status_code == 302
    device = otp.pending_device(Person.objects.get(pk="v-101"))
    assert device is not None
    assert browser.post("/otp/", {"act": "confirm", "code": code(device)}).status_code == 200
    answer = browser.post("/otp/", {"act": "renew", "code": fresh("v-101")})
    assert answer.status_code == 400  # the confirmation was used up
    confirm(provider, browser)
    answer = browser.post("/otp/", {"act": "renew", "code": wrong("v-101")})
    assert answer.status_code == 400
    assert browser.post("/otp/", {"act": "renew", "code": fresh("v-101")}).status_code == 200


def test_a_confirmation_is_of_the_same_person_and_ends(provider: Provider, monkeypatch: Any) -> None:
    browser = without_password(provider)
    Person.objects.filter(pk="v-102").update(openid=openid.account_of("sub-other"))
    answer = confirm(provider, browser, "sub-other")
    assert (answer.status_code, user_of(browser)) == (403, "v-101")
    assert browser.post("/otp/", {"act": "begin"}).status_code == 400
    confirm(provider, browser)
    confirmed_at = time.time()
    monkeypatch.setattr(
        "casino.accounts.signatures.time.time", lambda: confirmed_at + openid.CONFIRMED_SECONDS + 1
    )
    assert browser.post("/otp/", {"act": "begin"}).status_code == 400


def test_a_person_without_a_password_sets_one_to_sign_elsewhere(provider: Provider) -> None:
    browser = without_password(provider)
    new = {"new_password1": "a good long phrase 7", "new_password2": "a good long phrase 7"}
    page = browser.get("/password/").content.decode()
    assert "old_password" not in page
    assert browser.post("/password/", new).status_code == 200
    assert not Person.objects.get(pk="v-101").has_usable_password()
    confirm(provider, browser)
    assert browser.post("/password/", new).status_code == 302
    assert Person.objects.get(pk="v-101").check_password("a good long phrase 7")
    assert browser.get("/queue/").status_code == 200


def test_the_page_after_sign_in_is_one_of_this_site(provider: Provider) -> None:
    for address in ("https://evil.example/", "//evil.example", "javascript:alert(1)", "queue/"):
        browser = Client()
        url = provider.sign_in(to_provider(browser, address), "sub-dana")
        assert back(browser, url)["Location"] == "/"


def test_let_in_links_creates_and_removes(provider: Provider) -> None:
    call_command("let_in", "x-901", name="Xenia", openid="sub-stranger")
    assert not Person.objects.get(pk="x-901").has_usable_password()
    with pytest.raises(CommandError, match="x-901 is linked with this account"):
        call_command("let_in", "v-102", openid="sub-stranger")
    browser = Client()
    sign_in(provider, "sub-dana", browser)
    call_command("let_in", "v-101", openid="")
    assert browser.get("/queue/").status_code == 302
    assert sign_in(provider, "sub-dana").status_code == 403
    accounts.erase_personal_data("x-901")
    assert Person.objects.get(pk="x-901").openid == ""
