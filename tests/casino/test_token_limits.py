"""A token may be limited to some networks. Users are warned before a token expires. Both are tested at the
REST API, on pages, as events and by mail.
"""

from __future__ import annotations

import re
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from audit.database import rows
from casino.accounts import networks, tokens
from casino.accounts import services as accounts
from casino.alerts import alert_log, publish, services
from casino.models import Token
from casino.proofs import seals
from casino.sealing import journal
from tests.casino.conftest import ROLES, Cast
from tests.casino.feeding import run
from tests.casino.pages import text
from tests.casino.receiver import work
from tests.casino.test_alerts import MailBox, findings, mailbox, rule
from tests.casino.test_api import problem
from tests.casino.test_tokens import make, secret_of

__all__ = ["mailbox"]
OFFICE = ("192.0.2.0/24", "2001:db8::/32")


def ask(secret: str, address: str, **headers: str) -> Any:
    """Send a request to the REST API with this token, from this network address."""
    client = Client(raise_request_exception=False)
    return client.get(
        "/api/v1/", headers={"Authorization": f"Bearer {secret}", **headers}, REMOTE_ADDR=address
    )


def token_of(secret: str) -> Token:
    return Token.objects.get(prefix=secret[:9])


def change(cast: Cast, name: str, token: Token, **fields: str) -> Any:
    form = {"networks": "", "warn_days": "14", "password": cast.logins[name].password, "back": "", **fields}
    return cast.browser(name).post(f"/tokens/{token.pk}/", form)


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("", []),
        ("192.0.2.0/24", ["192.0.2.0/24"]),
        (" 192.0.2.7 ,\n2001:DB8::/32;10.0.0.0/8 192.0.2.7", ["192.0.2.7/32", "2001:db8::/32", "10.0.0.0/8"]),
        ("::ffff:192.0.2.0/120", ["192.0.2.0/24"]),
        ("::/0 0.0.0.0/0", ["::/0", "0.0.0.0/0"]),
    ],
)
def test_networks_are_stored_in_one_form(text: str, parsed: list[str]) -> None:
    assert networks.parse(text) == parsed


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("office", "is not a network"),
        ("192.0.2.0/33", "is not a network"),
        ("192.0.2.0/255.255.255.0", "is not a network"),
        ("192.0.2.0/٢٤", "is not a network"),
        ("192.0.2.0/", "is not a network"),
        ("fe80::1%eth0", "is not a network"),
        ("192.0.2.9/24", "Write 192.0.2.0/24 for the network"),
        (" ".join(f"10.0.0.{number}" for number in range(51)), "at most 50 networks"),
    ],
)
def test_an_invalid_network_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        networks.parse(text)


@pytest.mark.parametrize(
    ("address", "is_allowed"),
    [
        ("192.0.2.1", True),
        ("192.0.2.255", True),
        ("::ffff:192.0.2.1", True),
        ("192.0.3.0", False),
        ("2001:db8:ffff::1", True),
        ("2001:db9::1", False),
        ("::1", False),
    ],
)
def test_a_token_works_only_in_its_networks(cast: Cast, address: str, is_allowed: bool) -> None:
    secret = accounts.issue_token(made_by="m-101", person="a-101", networks=OFFICE)
    answer = ask(secret, address)
    if is_allowed:
        assert answer.json()["networks"] == list(OFFICE)
        assert token_of(secret).refused_at is None
        return
    problem(answer, 403, "address-not-allowed")
    assert "Catwalk-Token-Expires" not in answer, "a thief learns nothing of it"
    token = token_of(secret)
    assert (token.refused_from, token.last_used_at) == (address, None)


def test_the_address_behind_a_proxy_is_the_one_that_rate_limits_count(cast: Cast, settings: Any) -> None:
    secret = accounts.issue_token(made_by="m-101", person="a-101", networks=["192.0.2.0/24"])
    forged = {"X-Forwarded-For": "192.0.2.1"}
    problem(ask(secret, "10.0.0.1", **forged), 403, "address-not-allowed")
    settings.PROXIES = 1
    assert ask(secret, "10.0.0.1", **forged).status_code == 200
    for chain in ("192.0.2.1, 203.0.113.9", "not an address"):
        problem(ask(secret, "10.0.0.1", **{"X-Forwarded-For": chain}), 403, "address-not-allowed")
    settings.PROXIES = 2
    problem(ask(secret, "192.0.2.1", **forged), 403, "address-not-allowed")
    assert token_of(secret).refused_from == "", "a request that went around a proxy has no address"


@pytest.mark.usefixtures("one_minute")
def test_refused_addresses_are_throttled_and_the_others_are_not(cast: Cast) -> None:
    cache.clear()
    secret = accounts.issue_token(made_by="m-101", person="a-101", networks=["192.0.2.0/24"])
    answers = [ask(secret, "203.0.113.9").status_code for _ in range(31)]
    assert answers == [403] * 30 + [429]
    assert ask(secret, "192.0.2.1").status_code == 200


def test_networks_and_warning_are_set_on_pages_and_by_command(cast: Cast) -> None:
    answer = make(cast, "Alma", networks="192.0.2.0/24\n2001:db8::/32", warn_days="30")
    token = token_of(secret_of(answer))
    assert (token.networks, token.warn_days) == (list(OFFICE), 30)
    wrong = make(cast, "Alma", networks="the office")
    assert (wrong.status_code, "is not a network" in wrong.content.decode()) == (400, True)
    for days in ("91", "-1", "two"):
        assert "from 0 to 90" in make(cast, "Alma", warn_days=days).content.decode()
    assert "only from 192.0.2.0/24" in cast.browser("Alma").get("/tokens/").content.decode()
    by_command = run("token", "--device", "aurora/gateway-1", "--network", "10.0.0.0/8", "--warn-days", "3")
    assert (token_of(by_command.out).networks, token_of(by_command.out).warn_days) == (["10.0.0.0/8"], 3)
    for option in (("--network", "10.0.0.1/8"), ("--warn-days", "91")):
        assert run("token", "--device", "aurora/gateway-1", *option).code == 2


def test_only_owner_and_administrators_change_a_token(cast: Cast) -> None:
    token = token_of(accounts.issue_token(made_by="x", person="a-101"))
    assert change(cast, "Alma", token, networks="192.0.2.7")["Location"] == "/tokens/"
    token.refresh_from_db()
    assert (token.networks, token.changed_by) == (["192.0.2.7/32"], "a-101")
    assert "192.0.2.7/32" in cast.browser("Alma").get(f"/tokens/{token.pk}/").content.decode()
    answer = change(cast, "Mia", token, networks="", warn_days="0", back="aurora")
    assert answer["Location"] == "/tokens/all/?property=aurora"
    token.refresh_from_db()
    assert (token.networks, token.warn_days, token.changed_by) == ([], 0, "m-101")
    for name in set(ROLES) - {"Alma", "Mia"}:
        assert cast.browser(name).get(f"/tokens/{token.pk}/").status_code == 403, name
        assert change(cast, name, token, networks="10.0.0.1").status_code == 403, name
    for number in (10**9, 2**63):
        assert cast.browser("Alma").get(f"/tokens/{number}/").status_code == 403
    assert not list(seals.prover("casino_token")(seals.RowCount()))


def test_a_change_without_the_field_of_networks_is_refused(cast: Cast) -> None:
    token = token_of(accounts.issue_token(made_by="x", person="a-101", networks=OFFICE))
    form = {"warn_days": "14", "password": cast.logins["Alma"].password}
    answer = cast.browser("Alma").post(f"/tokens/{token.pk}/", form)
    assert (answer.status_code, "the field is missing" in answer.content.decode()) == (400, True)
    token.refresh_from_db()
    assert token.networks == [*OFFICE]


def test_a_change_needs_the_users_password_and_a_valid_token(cast: Cast) -> None:
    token = token_of(accounts.issue_token(made_by="x", person="a-101", networks=OFFICE))
    for fields, says in (
        ({"password": "wrong"}, "Your own password is wrong"),
        ({"networks": "x"}, "is not a network"),
    ):
        answer = change(cast, "Alma", token, **fields)
        assert (answer.status_code, says in answer.content.decode()) == (400, True)
    token.refresh_from_db()
    assert (token.networks, token.changed_at) == (list(OFFICE), None)
    tokens.revoke_one(token, "a-101")
    assert change(cast, "Alma", token).status_code == 403


def ending(days: float, **fields: Any) -> Token:
    token = token_of(accounts.issue_token(made_by="x", person="a-101", label="the close", **fields))
    Token.objects.filter(pk=token.pk).update(expires_at=timezone.now() + timedelta(days=days))
    return token


def test_answers_say_when_the_token_ends_and_how_many_days_are_left(cast: Cast) -> None:
    secret = accounts.issue_token(made_by="m-101", person="a-101", days=15)
    answer = ask(secret, "127.0.0.1")
    ends = f"{token_of(secret).expires_at:%Y-%m-%dT%H:%M:%SZ}"
    assert (answer["Catwalk-Token-Expires"], "Catwalk-Token-Days-Left" in answer) == (ends, False)
    Token.objects.update(expires_at=timezone.now() + timedelta(days=13, hours=1))
    assert ask(secret, "127.0.0.1")["Catwalk-Token-Days-Left"] == "13"
    Token.objects.update(warn_days=13)
    assert "Catwalk-Token-Days-Left" not in ask(secret, "127.0.0.1")
    assert "Catwalk-Token-Expires" not in ask("cw_guess", "127.0.0.1")


def test_pages_warn_owner_and_administrators_of_the_end(cast: Cast) -> None:
    ended, late = ending(-1), ending(15)
    revoked, ending_soon, quiet = ending(3), ending(3.5), ending(3, warn_days=0)
    tokens.revoke_one(revoked, "a-101")
    of_alma = tokens.ending_soon(tokens.tokens_of("a-101"))
    assert of_alma == [ending_soon], (ended, late, quiet)
    home = cast.browser("Alma").get("/home/").content.decode()
    assert (ending_soon.prefix in home, late.prefix in home) == (True, False)
    assert "3 days left" in cast.browser("Alma").get("/tokens/").content.decode()
    page = cast.browser("Mia").get("/home/").content.decode()
    assert "Tokens that end soon" in page
    assert ending_soon.prefix in page
    assert ending_soon.prefix not in cast.browser("Boris").get("/home/").content.decode()


def test_the_end_and_a_refusal_are_events_once_and_reach_people_by_mail(cast: Cast, mailbox: MailBox) -> None:
    findings(count=1)
    services.set_contact(cast.person("Mia"), "mia@casino.example", True, "", "")
    rule(cast, "ends", by="Mia", on="token-ending", people=["m-101"])
    rule(cast, "stolen", by="Mia", on="token-refused", people=["m-101"])
    ending_soon, other_token = (
        ending(3.5),
        accounts.issue_token(made_by="x", property="borealis", device="gateway-9"),
    )
    Token.objects.filter(prefix=other_token[:9]).update(expires_at=timezone.now() + timedelta(days=1))
    secret = accounts.issue_token(made_by="x", person="a-102", networks=OFFICE)
    ask(secret, "203.0.113.9")
    for _ in range(2):
        publish.publish("aurora")
    events = rows("SELECT type, subject FROM event WHERE type LIKE 'token%%' ORDER BY 1")
    assert events == [("token.ending", ending_soon.prefix), ("token.refused", secret[:9])]
    says = {alert.rule: alert.says for alert in alert_log.page("aurora", ())}
    assert says["ends"].startswith(f"The token {ending_soon.prefix}… of a-101 ends on 20")
    assert says["stolen"] == f"The token {secret[:9]}… of a-102 was refused at 203.0.113.9"
    work()
    text = "".join(message.get_payload(decode=True).decode() for _, message in mailbox.messages)
    assert says["ends"] in text
    assert says["stolen"] in text
    ask(secret, "203.0.113.10")
    publish.publish("aurora")
    assert rows("SELECT count(*) FROM event WHERE type = 'token.refused'") == [(2,)], "another address"


def test_tokens_that_were_sealed_before_there_were_networks_keep_their_seals(cast: Cast) -> None:
    earlier = import_module("casino.migrations.0027_seals").SEALED
    ((_, before),) = journal.contents("casino_token", sealed=earlier)
    assert list(journal.contents("casino_token")) == [(str(Token.objects.get().pk), before)]
    tokens.change(Token.objects.get(), ["192.0.2.0/24"], 14, "m-101")
    ((_, after),) = journal.contents("casino_token")
    assert "192.0.2.0/24" in after


def test_the_admin_says_whether_a_token_is_valid_now(cast: Cast) -> None:
    shown = {}
    for name, days in (("long", 90), ("soon", 3), ("ended", 90), ("revoked", 90)):
        secret = accounts.issue_token(made_by="m-101", person="a-101", days=days, label=name)
        shown[name] = Token.objects.get(prefix=secret[:9])
    Token.objects.filter(pk=shown["ended"].pk).update(expires_at=timezone.now() - timedelta(days=1))
    tokens.revoke_one(shown["revoked"], "m-101")
    states = {"long": "valid", "soon": "valid, 2 days left", "ended": "expired", "revoked": "revoked"}
    mia = cast.browser("Mia")
    listed = text(mia.get("/admin/casino/token/"))
    for name, state in states.items():
        assert f"{shown[name].prefix} {state} Alma (a-101)" in listed
        assert f"Now: {state}" in text(mia.get(f"/admin/casino/token/{shown[name].pk}/change/"))
