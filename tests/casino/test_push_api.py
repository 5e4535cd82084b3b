"""The REST API of events, alerts, deliveries and webhooks, and the pages of webhooks: what each user may do,
and how invalid input is answered.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from audit.database import rows
from casino.accounts import services as accounts
from casino.alerts import publish, rules, services
from tests.casino.conftest import ROLES, Api, Cast
from tests.casino.nights import PASSWORD, officers
from tests.casino.receiver import receiving, work
from tests.casino.test_alerts import findings, rule
from tests.furnished import furnishing

READS = ("/api/v1/events", "/api/v1/alerts", "/api/v1/deliveries", "/api/v1/webhooks")
MAY_READ = {
    "/api/v1/events": {"Dana", "Dora", "Igor", "Rhea"},
    "/api/v1/alerts": {"Dana", "Dora", "Mia", "Igor", "Rhea"},
    "/api/v1/deliveries": {"Dana", "Dora", "Mia", "Igor", "Rhea"},
    "/api/v1/webhooks": {"Dana", "Dora", "Mia", "Igor", "Rhea"},
}


@furnishing
def alerted() -> Cast:
    """Record a rule of alerts, findings to which it applies, and a webhook at an address that does not
    answer.
    """
    cast = Cast()
    officers()
    rule(cast)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.conf.settings.WEBHOOK_HTTP", True)
        services.set_webhook(
            cast.person("Mia"), "aurora", str(uuid4()), "soc", "http://127.0.0.1:9/", ["finding.gained"]
        )
    findings()
    publish.publish("aurora")
    return cast


def door(cast: Cast, name: str) -> Api:
    return Api(accounts.issue_token(made_by="m-101", person=cast.logins[name].id))


def send(door: Api, path: str, body: str = "{}") -> Any:
    return door.client.post(path, body, content_type="application/json", headers=door.headers)


@pytest.mark.parametrize("name", ROLES)
def test_each_list_is_for_those_who_may_see_it(alerted: Cast, name: str) -> None:
    bearer = door(alerted, name)
    for path in READS:
        assert bearer.get(f"{path}?property=aurora").status_code == (
            200 if name in MAY_READ[path] else 403
        ), path
        assert bearer.get(f"{path}?property=borealis").status_code == 403, path
    for act, body in (("tests", "{}"), ("replays", '{"number": 1}')):
        answer = send(bearer, f"/api/v1/webhooks/aurora/soc/{act}", body)
        assert answer.status_code == (202 if name == "Mia" else 403), act


def test_events_are_read_from_a_given_number(alerted: Cast) -> None:
    dana = door(alerted, "Dana")
    all_events = dana.get("/api/v1/events").json()
    assert [event["number"] for event in all_events["items"]] == list(range(1, all_events["last"] + 1))
    assert all_events["next"] == all_events["last"]
    read, after = [], 0
    while page := dana.get(f"/api/v1/events?after={after}&page_size=2").json()["items"]:
        read += page
        after = page[-1]["number"]
    assert read == all_events["items"]
    assert dana.get(f"/api/v1/events?after={after}").json()["items"] == []
    ids = {event["data"]["id"] for event in dana.get("/api/v1/events?type=finding.gained").json()["items"]}
    assert ids == {id for (id,) in rows("SELECT id FROM finding")}


def test_alerts_are_paged_and_an_administrator_sees_none_about_findings(alerted: Cast) -> None:
    dana = door(alerted, "Dana")
    every = dana.get("/api/v1/alerts").json()["items"]
    assert len(every) == len(rows("SELECT 1 FROM finding"))
    first = dana.get("/api/v1/alerts?page_size=1").json()
    second = dana.get(f"/api/v1/alerts?page_size=1&cursor={first['next']}").json()
    assert first["items"] + second["items"] == every[:2]
    assert door(alerted, "Mia").get("/api/v1/alerts").json()["items"] == []


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/api/v1/events?after=-1", "after"),
        ("/api/v1/events?type=nothing", "type"),
        ("/api/v1/events?page_size=0", "page_size"),
        ("/api/v1/alerts?cursor=x", "cursor"),
        ("/api/v1/deliveries?state=lost", "state"),
        ("/api/v1/deliveries?channel=pigeon", "channel"),
        ("/api/v1/webhooks?name=soc", "name"),
    ],
)
def test_an_invalid_parameter_is_named(alerted: Cast, path: str, field: str) -> None:
    answer = door(alerted, "Dana").get(path)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


@pytest.mark.parametrize(
    ("name", "body", "status"),
    [
        ("soc", "", 400),
        ("soc", '{"number": "1"}', 400),
        ("soc", '{"number": 1, "more": 2}', 400),
        ("soc", '{"number": 0}', 422),
        ("soc", '{"number": 99999999999999999999}', 422),
        ("nowhere", '{"number": 1}', 422),
    ],
)
def test_an_invalid_replay_is_refused(alerted: Cast, name: str, body: str, status: int) -> None:
    answer = send(door(alerted, "Mia"), f"/api/v1/webhooks/aurora/{name}/replays", body)
    assert (answer.status_code, answer.json()["field"]) == (
        status,
        "webhook" if name == "nowhere" else "number",
    )


def test_a_webhook_is_set_tested_and_ended_on_its_page(cast: Cast, settings: Any) -> None:
    settings.WEBHOOK_HTTP = True
    person = cast.person("Mia")
    person.set_password(PASSWORD)
    person.save()
    mia = cast.browser("Mia")
    page = "/alerts/webhooks/"
    with receiving() as receiver:
        form = {"property": "aurora", "uid": str(uuid4()), "webhook": "soc", "url": receiver.url}
        wrong = mia.post(page, form | {"password": "a guess"})
        assert (wrong.status_code, rules.in_force("aurora").webhooks) == (400, {})
        answer = mia.post(page, form | {"password": PASSWORD}).content.decode()
        assert "whsec_" in answer
        assert "whsec_" not in mia.get(page).content.decode(), "shown once"
        for act in ("test", "revive", "end"):
            sent = {"property": "aurora", "uid": str(uuid4()), "name": "soc", "act": act}
            assert mia.post(page, sent).status_code == 302, act
        assert rules.in_force("aurora").webhooks == {}
    for bad in ({"act": "dance"}, {"act": "replay", "number": "x"}, {"webhook": "Not A Name"}, {"url": "x"}):
        sent = form | {"uid": str(uuid4()), "name": "soc", "password": PASSWORD} | bad
        assert mia.post(page, sent).status_code == 400, bad
    for name in set(ROLES) - {"Mia"}:
        sent = {"property": "aurora", "uid": str(uuid4()), "name": "soc", "act": "test"}
        assert cast.browser(name).post(page, sent).status_code == 403, name


def test_a_rule_is_set_changed_and_ended_on_its_page(cast: Cast) -> None:
    dana = cast.browser("Dana")
    page = "/alerts/rules/"
    form = {"property": "aurora", "rule": "money-now", "on": "finding", "page": "on", "over": "5.00"}
    form |= {"grades": ["money", "integrity"], "quiet_from": "22:00", "quiet_to": "06:00"}
    assert dana.post(page, form | {"uid": str(uuid4())}).status_code == 302
    rule = rules.in_force("aurora").rules["money-now"]
    assert (rule.over, rule.grades, rule.breaks, rule.by) == (500, ["money", "integrity"], False, "v-101")
    assert 'value="5.00"' in dana.get(f"{page}?rule=money-now").content.decode()
    for bad in ({"over": "x"}, {"minutes": "ten"}, {"on": "boredom"}, {"rule": "a" * 41}, {"quiet_to": ""}):
        answer = dana.post(page, form | {"uid": str(uuid4())} | bad)
        assert answer.status_code == 400, bad
        assert 'aria-invalid="true"' in answer.content.decode(), bad
    ended = {"property": "aurora", "uid": str(uuid4()), "name": "money-now", "act": "end"}
    assert cast.browser("Rhea").post(page, ended).status_code == 403
    assert dana.post(page, ended).status_code == 302
    assert rules.in_force("aurora").rules == {}
    assert dana.post(page, form | {"property": "borealis", "uid": str(uuid4())}).status_code == 403


def test_a_person_sets_how_to_be_alerted(cast: Cast) -> None:
    dana = cast.browser("Dana")
    good = {"mail": "dana@casino.example", "sound": "on", "quiet_from": "22:00", "quiet_to": "06:00"}
    assert dana.post("/alerts/mine/", good).status_code == 302
    for bad in ({"mail": "no address"}, {"quiet_from": "99:99"}, {"quiet_to": ""}):
        assert dana.post("/alerts/mine/", good | bad).status_code == 400, bad
    assert "Sound off" in dana.post("/alerts/mine/", {"act": "sound"}).content.decode()
    assert cast.browser("Ada").post("/alerts/mine/", good).status_code == 403


def test_news_are_counted_until_they_are_seen(alerted: Cast) -> None:
    dana = alerted.browser("Dana")
    count = len(rows("SELECT 1 FROM alert"))
    news = dana.get("/alerts/news/").content.decode()
    assert f'data-alerts="{count}"' in news
    last = rows("SELECT max(number) FROM alert")[0][0]
    assert dana.get(f"/alerts/news/?count={count}&last={last}").status_code == 204
    assert dana.post("/alerts/", {"property": "aurora", "number": str(last + 5)}).status_code == 302
    assert 'data-alerts="0"' in dana.get("/alerts/news/").content.decode()
    assert rows("SELECT number FROM alert_seen") == [(last,)]
    assert 'data-alerts="0"' in alerted.browser("Mia").get("/alerts/news/").content.decode()
    page = dana.get("/alerts/").content.decode()
    assert page.count('class="alert-grade') == count
    work()
