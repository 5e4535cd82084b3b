"""The page of tokens. A person may have several tokens, each with its own scopes and last day. Users manage
their own tokens, and administrators those of everybody.
"""

from __future__ import annotations

import re
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from casino.accounts import scopes
from casino.accounts import services as accounts
from casino.accounts.permissions import ACTS, OF_A_PERSON
from casino.models import Token
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.casino.conftest import ROLES, Api, Cast
from tests.casino.feeding import run
from tests.casino.logins import logged_in
from tests.casino.test_api import problem

CLOSE = {"label": "the month's close", "scope": ["read:reports", "export"], "days": "30"}


def make(cast: Cast, name: str, page: str = "/tokens/", browser: Client | None = None, **other: Any) -> Any:
    """Send the form for a new token as this person, and return the response."""
    form = {"uid": str(uuid4()), "password": cast.logins[name].password, **CLOSE, **other}
    return (browser or cast.browser(name)).post(page, form)


def secret_of(answer: Any) -> str:
    secrets = re.findall(r"cw_[\w-]{43}", answer.content.decode())
    assert (answer.status_code, len(set(secrets))) == (200, 1), answer.content.decode()[-2000:]
    return str(secrets[0])


def door(cast: Cast, name: str, **other: Any) -> Api:
    return Api(secret_of(make(cast, name, **other)))


def test_a_user_creates_tokens_with_scopes_and_expiry(cast: Cast) -> None:
    alma = cast.browser("Alma")
    first = make(cast, "Alma", browser=alma)
    second = make(cast, "Alma", browser=alma, label="a spreadsheet", scope=["read:tables"], days="1")
    assert first["Cache-Control"] == "no-store"
    close, sheet = Api(secret_of(first)), Api(secret_of(second))
    assert (close.get("/api/v1/reports").status_code, close.get("/api/v1/").json()["scopes"]) == (
        200,
        ["read:reports", "export"],
    )
    problem(sheet.get("/api/v1/reports"), 403, "permission-denied")
    tokens = Token.objects.filter(person="a-101").order_by("pk")
    assert [
        (token.label, token.scopes, token.expires_at - token.made_at, token.made_by) for token in tokens
    ] == [
        ("the month's close", ["read:reports", "export"], timedelta(days=30), "a-101"),
        ("a spreadsheet", ["read:tables"], timedelta(days=1), "a-101"),
    ]


def test_a_secret_is_shown_once_and_only_its_hash_is_kept(cast: Cast) -> None:
    alma, uid = cast.browser("Alma"), str(uuid4())
    secret = secret_of(make(cast, "Alma", browser=alma, uid=uid))
    page = alma.get("/tokens/").content.decode()
    assert (secret in page, secret[:9] in page, "month&#x27;s close" in page) == (False, True, True)
    token = Token.objects.get(person="a-101")
    assert (bytes(token.sha256), secret in str(Token.objects.values())) == (
        sha256(secret.encode()).digest(),
        False,
    )
    second = make(cast, "Alma", browser=alma, uid=uid)
    assert (second.status_code, "cannot be shown again" in second.content.decode()) == (400, True)
    assert Token.objects.filter(person="a-101").count() == 1


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("label", " ", "Purpose"),
        ("scope", [], "Scopes"),
        ("scope", ["read:everything"], "Scopes"),
        ("scope", ["read:reports", "post:facts"], "Scopes"),
        ("days", "0", "from 1 to 365"),
        ("days", "366", "from 1 to 365"),
        ("days", "٣", "from 1 to 365"),
        ("days", "ninety", "from 1 to 365"),
        ("password", "wrong", "own password is wrong"),
        ("uid", "x", "no longer valid"),
    ],
)
def test_invalid_fields_are_named_and_the_form_keeps_the_others(
    cast: Cast, field: str, value: Any, says: str
) -> None:
    answer = make(cast, "Alma", **{"label": "the till", field: value})
    page = answer.content.decode()
    assert (answer.status_code, says in page) == (400, True)
    assert ('value="the till"' in page) == (field != "label")
    assert cast.logins["Alma"].password not in page
    assert not Token.objects.filter(person="a-101").exists()


def test_creating_a_token_needs_the_password_and_wrong_ones_lock_the_user(cast: Cast) -> None:
    alma = cast.browser("Alma")
    answers = [make(cast, "Alma", browser=alma, password="wrong").status_code for _ in range(5)]
    assert answers == [400, 400, 400, 400, 429]
    assert make(cast, "Alma", browser=alma).status_code != 200
    assert not Token.objects.filter(person="a-101").exists()


def test_only_useful_scopes_are_offered_and_each_names_existing_acts(cast: Cast) -> None:
    assert scopes.SCOPES.keys() == scopes.ACTS.keys()
    assert {act for acts in scopes.ACTS.values() for act in acts} <= ACTS
    assert set(scopes.ACTS["post:facts"]) == set(OF_A_PERSON.values())
    with pytest.raises(ValueError, match="no scope read:all"):
        scopes.needs("read:all")
    every = list(scopes.SCOPES)
    reads = [scope for scope in every if scope not in ("post:facts", "manage:webhooks", "work:cases")]
    assert {name: scopes.usable_scopes(cast.person(name)) for name in ROLES} == {
        "Dana": [scope for scope in every if scope != "manage:webhooks"],
        "Dora": [scope for scope in every if scope != "manage:webhooks"],
        "Boris": ["read:reports", "read:tables", "post:facts", "export"],
        "Alma": [
            scope
            for scope in reads
            if scope not in ("read:findings", "read:alerts", "read:log", "read:cases")
        ],
        "Igor": reads,
        "Rhea": reads,
        "Mia": ["read:alerts", "manage:webhooks"],
        "Ada": [],
        "Finn": [],
        "Chi": [],
        "Gus": [],
        "Nia": [],
        "Eve": [],
    }


@pytest.mark.parametrize("name", ["Eve", "Ada", "Finn", "Chi", "Gus", "Nia"])
def test_a_user_without_usable_scopes_has_no_token_page(cast: Cast, name: str) -> None:
    browser = cast.browser(name)
    assert browser.get("/tokens/").status_code == 403
    assert make(cast, name, browser=browser).status_code == 403
    assert Token.objects.count() == 1, "the gateway's"


def test_a_revoked_token_is_refused_at_the_next_request(cast: Cast) -> None:
    alma, alan = cast.browser("Alma"), logged_in("a-102")
    own_door, other = door(cast, "Alma", browser=alma), door(cast, "Alma", browser=alma)
    first = Token.objects.filter(person="a-101").order_by("pk")[0]
    assert alan.post(f"/tokens/{first.pk}/revoke/").status_code == 403
    assert (alma.get(f"/tokens/{first.pk}/revoke/").status_code, own_door.get("/api/v1/").status_code) == (
        405,
        200,
    )
    assert alma.post(f"/tokens/{first.pk}/revoke/", follow=True).redirect_chain == [("/tokens/", 302)]
    problem(own_door.get("/api/v1/"), 401, "authentication-failed")
    assert other.get("/api/v1/").status_code == 200
    first.refresh_from_db()
    assert (first.state(), first.revoked_by) == ("revoked", "a-101")
    assert "revoked" in alma.get("/tokens/").content.decode()
    for number in (10**9, 2**63, 10**30):
        assert alma.post(f"/tokens/{number}/revoke/").status_code == 403


def test_an_administrator_revokes_any_token_and_sees_no_secret(
    cast: Cast,
) -> None:
    mia, alma = cast.browser("Mia"), door(cast, "Alma")
    other_token = accounts.issue_token(made_by="x", property="borealis", device="gateway-9")
    token = Token.objects.get(person="a-101")
    page = mia.get("/tokens/all/").content.decode()
    assert ("a-101" in page, "gateway-1" in page, "gateway-9" in page) == (True, True, False)
    assert mia.get("/tokens/all/?holder=a-102").content.decode().count("a-101") == 0
    assert mia.get("/tokens/all/?property=borealis").status_code == 403
    assert mia.get("/tokens/all/?before=x&holder=nobody").status_code == 200
    assert mia.get("/tokens/all/?before=x&holder=%00").status_code == 400
    other = Token.objects.get(device="gateway-9")
    assert mia.post(f"/tokens/{other.pk}/revoke/").status_code == 403
    assert (
        mia.post(f"/tokens/{token.pk}/revoke/", {"back": "aurora"})["Location"]
        == "/tokens/all/?property=aurora"
    )
    problem(alma.get("/api/v1/"), 401, "authentication-failed")
    token.refresh_from_db()
    assert token.revoked_by == "m-101"
    assert Api(other_token).get("/api/v1/").status_code == 401, "no register has that device"
    for name in set(ROLES) - {"Mia"}:
        assert cast.browser(name).get("/tokens/all/").status_code == 403, name


def test_an_administrator_makes_the_token_of_a_registered_device(cast: Cast) -> None:
    answer = make(cast, "Mia", "/tokens/all/", property="aurora", device="gateway-1", scope=["post:facts"])
    assert Api(secret_of(answer)).get("/api/v1/").json()["bearer"] == "gateway-1"
    wrong = make(cast, "Mia", "/tokens/all/", property="aurora", device="gateway-9", scope=["post:facts"])
    assert (wrong.status_code, "Device: choose a registered device" in wrong.content.decode()) == (400, True)
    for other in ({"scope": ["read:reports"]}, {"property": "borealis"}):
        assert make(
            cast, "Mia", "/tokens/all/", **{"property": "aurora", "device": "gateway-1", **other}
        ).status_code in (400, 403)
    assert make(cast, "Alma", "/tokens/all/", property="aurora", device="gateway-1").status_code == 403


def test_the_list_shows_last_use_and_expired_tokens(cast: Cast) -> None:
    alma = cast.browser("Alma")
    used = door(cast, "Alma", browser=alma)
    assert "never" in alma.get("/tokens/").content.decode()
    used.get("/api/v1/")
    assert "never" not in alma.get("/tokens/").content.decode()
    Token.objects.filter(person="a-101").update(expires_at=timezone.now())
    page = alma.get("/tokens/").content.decode()
    assert ("expired" in page, "/revoke/" in page) == (True, False)


def test_many_tokens_are_paged(cast: Cast) -> None:
    for number in range(60):
        accounts.issue_token(made_by="m-101", person="a-101", label=f"no-{number:02}")
    mia = cast.browser("Mia")
    first = mia.get("/tokens/all/?holder=a-101").content.decode()
    match = re.search(r'href="(\?property=aurora&amp;holder=a-101&amp;before=\d+)"', first)
    assert match is not None
    second = mia.get("/tokens/all/" + match[1].replace("&amp;", "&")).content.decode()
    labels = re.findall(r"no-\d\d", first + second)
    assert sorted(labels) == [f"no-{number:02}" for number in range(60)]


def test_a_token_by_command_has_the_scopes_that_its_holder_can_use(cast: Cast) -> None:
    secret = run("token", "--person", cast.logins["Dana"].id).out.strip()
    listed_scopes = Api(secret).get("/api/v1/").json()["scopes"]
    assert sorted(listed_scopes) == sorted(scopes.usable_scopes(cast.person("Dana")))
    assert Token.objects.get(prefix=secret[:9]).scopes == listed_scopes
    device = run("token", "--device", "aurora/gateway-1").out.strip()
    assert Api(device).get("/api/v1/").json()["scopes"] == ["post:facts", "read:tables"]
    refused = run("token", "--device", "aurora/gateway-1", "--scope", "export")
    assert (refused.code, refused.out) == (1, "")
    assert "gateway-1 cannot use export. Choose from: post:facts, read:tables." in refused.err


def test_a_scope_without_its_right_is_not_promised(cast: Cast) -> None:
    secret = accounts.issue_token(made_by="m-101", person="a-101", scopes=["export", "manage:webhooks"])
    assert Api(secret).get("/api/v1/").json()["scopes"] == ["export"]


def test_a_token_stops_working_when_the_role_ends(cast: Cast) -> None:
    alma = door(cast, "Alma")
    assert alma.get("/api/v1/reports/hold?property=aurora").status_code == 200
    set_registers("aurora", [Entry("people", "a-101", {"role": "cage"})], by="m-101", second="m-102")
    problem(alma.get("/api/v1/reports/hold?property=aurora"), 403, "no-right")
    assert cast.browser("Alma").get("/tokens/").status_code == 200, "there is one to revoke"


@pytest.mark.usefixtures("one_minute")
def test_requests_without_a_valid_token_are_counted_for_their_address(
    cast: Cast, gateway: Api, settings: Any
) -> None:
    settings.API_ADDRESS_RATE = 3
    cache.clear()
    statuses = [Api(token).get("/api/v1/").status_code for token in (None, "cw_guess", None)]
    assert statuses == [401, 401, 401]
    answer = Api(None).get("/api/v1/")
    problem(answer, 429, "throttled")
    assert 1 <= int(answer["Retry-After"]) <= 61
    assert Api(None).client.get("/api/v1/", REMOTE_ADDR="10.0.0.9").status_code == 401
    assert gateway.get("/api/v1/").status_code == 200


@pytest.mark.usefixtures("one_minute")
def test_a_throttled_token_does_not_affect_others_at_its_address(cast: Cast, settings: Any) -> None:
    first, second = door(cast, "Alma"), door(cast, "Dana")
    settings.API_RATE = 2
    cache.clear()
    answers = [first.get("/api/v1/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 1 <= int(answers[2]["Retry-After"]) <= 61
    assert second.get("/api/v1/").status_code == 200
