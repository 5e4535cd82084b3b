"""Checks for monitoring: Catwalk says if it is alive and ready, and gives metrics. Metrics need a token or an
allowed network address.
"""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory
from prometheus_client.parser import text_string_to_metric_families

from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.accounts import client_ip
from casino.runtime.operations import heartbeats, readiness
from casino.runtime.operations.request_log import RequestLogMiddleware
from casino.tasks import give_sign
from tests.audit import floor
from tests.casino.conftest import Cast
from tests.conftest import House


@pytest.fixture(autouse=True)
def asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off the cache of the readiness check, so that each test gets its own result."""
    monkeypatch.setattr(readiness, "KEPT", 0.0)


@pytest.fixture
def at_work(house: House) -> House:
    """Record that a worker and beat, the scheduler, are running."""
    give_sign()
    heartbeats.beat(heartbeats.BEAT)
    return house


def ready(query: str = "") -> tuple[int, dict[str, Any]]:
    answer = Client().get(f"/readyz{query}")
    return answer.status_code, answer.json()


def wants(query: str = "") -> dict[str, str]:
    """Return what the readiness check misses and why. The broker is not included, because tests do not start
    it.
    """
    return {part: message for part, message in ready(query)[1]["wants"].items() if part != "broker"}


def figures() -> dict[tuple[str, frozenset[str]], float]:
    """Return {(name of a metric, values of its labels): value of the metric}."""
    answer = Client().get("/metrics")
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {
        (sample.name, frozenset(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


def test_healthz_answers_under_any_host_name_without_the_database(house: House, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    with connection.execute_wrapper(lambda *arguments: pytest.fail("the database was asked")):
        answer = Client().get("/healthz", headers={"host": "10.1.2.3:8000"})
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert answer["Cache-Control"] == "no-store"
    assert not answer.cookies
    assert Client().post("/healthz").status_code == 405
    assert Client().get("/healthz/").status_code in (301, 302, 404), "that is no address of it"


def test_an_installation_whose_parts_all_work_is_ready(at_work: House, settings: Any) -> None:
    settings.EMBEDDED_BROKER, settings.CELERY_BROKER_URL = False, "memory://"
    from casino.celery import app

    before, app.conf.broker_url = app.conf.broker_url, "memory://"
    try:
        assert ready() == (200, {"ready": True, "wants": {}})
    finally:
        app.conf.broker_url = before


def test_a_broker_that_is_away_is_named(at_work: House, settings: Any) -> None:
    from casino.celery import app

    settings.EMBEDDED_BROKER = False
    before, app.conf.broker_url = app.conf.broker_url, "redis+socket:///nowhere/broker.sock"
    try:
        code, body = ready()
    finally:
        app.conf.broker_url = before
    assert (code, body) == (503, {"ready": False, "wants": {"broker": "does not answer"}})
    assert ready("?of=database,migrations,worker,beat") == (200, {"ready": True, "wants": {}})


def test_a_worker_without_a_recent_heartbeat_is_named(house: House) -> None:
    assert wants() == {"worker": "no heartbeat yet", "beat": "no heartbeat yet"}
    give_sign()
    heartbeats.beat(heartbeats.BEAT)
    assert wants() == {}
    house.owner.execute("UPDATE sign SET at = now() - interval '95 seconds' WHERE process = 'worker'")
    assert wants() == {"worker": "last heartbeat 95 s ago"}
    house.owner.execute("UPDATE sign SET at = now() - interval '61 seconds'")
    assert wants("?of=beat") == {"beat": "last heartbeat 61 s ago"}


def test_a_worker_that_is_busy_with_one_job_is_not_missing(at_work: House) -> None:
    at_work.owner.execute("UPDATE sign SET at = now() - interval '1 hour' WHERE process = 'worker'")
    at_work.owner.execute(
        "INSERT INTO job (kind, key, property, state, renewed_at) VALUES ('keep-report', 'k', 'aurora',"
        " 'taken', now())"
    )
    assert wants() == {}


def test_migrations_that_are_missing_are_named_and_nothing_is_known_beyond_them(at_work: House) -> None:
    at_work.owner.execute("DELETE FROM django_migrations WHERE app = 'audit'")
    missing_parts = wants()
    assert missing_parts["migrations"].endswith("not applied")
    assert missing_parts["worker"] == missing_parts["beat"] == "not known without the database"
    at_work.owner.execute("DROP TABLE django_migrations")
    assert wants()["migrations"] == "none applied"


def test_an_unreachable_database_is_named_and_metrics_are_still_answered(
    at_work: House, settings: Any
) -> None:
    connection.close()
    before = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = "a_database_that_nobody_made"
    try:
        code, body = ready()
        shown = figures()
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before
    assert (code, body["wants"]["database"]) == (503, "does not answer")
    assert shown["catwalk_ready", frozenset({"database"})] == 0
    assert ("catwalk_facts_total", frozenset({"aurora"})) not in shown


def test_readiness_is_checked_at_most_once_a_second(at_work: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "KEPT", 60.0)
    monkeypatch.setattr(readiness, "_last", (float("-inf"), {}))
    first = ready()
    with connection.execute_wrapper(lambda *arguments: pytest.fail("the database was asked")):
        assert ready() == first


def test_a_readiness_check_does_not_wait_for_one_that_hangs(
    at_work: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "PATIENCE", 0.05)
    with readiness._looking:
        code, body = ready()
    assert (code, body["wants"]["database"]) == (503, "does not answer in time")
    assert wants() == {}


def test_an_unknown_part_is_not_repeated_in_the_answer(house: House) -> None:
    code, body = ready("?of=database,<b>")
    assert (code, body["ready"]) == (400, False)
    parts = "database, migrations, broker, worker, beat, files"
    assert body["detail"] == f"1 of the requested parts do not exist. Parts: {parts}."


def test_metrics_count_answers_facts_jobs_and_heartbeats_and_name_nobody(at_work: House, cast: Cast) -> None:
    give_sign()
    before = figures()
    browser = cast.browser("Dana")
    assert browser.get("/hand/aurora/EOU-07/2026-11-27/R1/").status_code == 404
    assert Client().get("/nowhere/at/all/").status_code in (302, 404)
    intake.post([floor.line(floor.fact(1, table="aurora/EOU-01", **floor.OPENING))], Sender("gateway"))
    shown = figures()

    def more(name: str, *labels: str) -> float:
        return shown.get((name, frozenset(labels)), 0) - before.get((name, frozenset(labels)), 0)

    hand = "hand/<str:property>/<str:table>/<str:day>/<path:round>/"
    assert more("catwalk_answers_total", "GET", hand, "404") == 1
    assert more("catwalk_answer_seconds_count", hand) == 1
    assert more("catwalk_facts_total", "aurora") == 1
    assert shown["catwalk_jobs", frozenset({"due"})] >= 1
    assert shown["catwalk_jobs", frozenset({"set-aside"})] == 0
    assert shown["catwalk_last_sign_seconds", frozenset({"worker"})] < 60
    assert shown["catwalk_ready", frozenset({"database"})] == 1
    page = Client().get("/metrics").content.decode()
    assert not [
        text
        for login in cast.logins.values()
        for text in (login.id, login.name)
        if text and f'"{text}"' in page
    ]
    assert "EOU-07" not in page


@pytest.mark.parametrize(
    ("allowed", "token", "headers", "code"),
    [
        ("127.0.0.1", "", {}, 200),
        ("10.0.0.0/8", "", {}, 401),
        ("", "", {}, 401),
        ("", "", {"Authorization": "Bearer "}, 401),
        ("", "a secret of Prometheus", {"Authorization": "Bearer a secret of Prometheus"}, 200),
        ("", "a secret of Prometheus", {"Authorization": "Bearer a guess"}, 401),
        ("127.0.0.1", "a secret of Prometheus", {"Authorization": "Bearer a guess"}, 401),
        ("127.0.0.1", "a secret of Prometheus", {}, 200),
        ("127.0.0.1", "", {"X-Forwarded-For": "203.0.113.9"}, 401),
    ],
)
def test_metrics_need_the_token_or_an_allowed_address(
    at_work: House, settings: Any, allowed: str, token: str, headers: dict[str, str], code: int
) -> None:
    settings.METRICS_FROM, settings.METRICS_TOKEN = (
        [ip_network(part) for part in filter(None, [allowed])],
        token,
    )
    answer = Client().get("/metrics", headers=headers)
    assert answer.status_code == code
    assert ("catwalk" in answer.content.decode()) == (code == 200)


def test_behind_a_trusted_proxy_metrics_use_the_forwarded_address(at_work: House, settings: Any) -> None:
    settings.PROXIES = 1
    settings.METRICS_FROM = [ip_network("198.51.100.7")]
    for header, code in (
        ("198.51.100.7", 200),
        ("203.0.113.9", 401),
        ("198.51.100.7, 203.0.113.9", 401),
        ("", 401),
    ):
        assert Client().get("/metrics", headers={"X-Forwarded-For": header}).status_code == code, header
    assert Client().get("/metrics").status_code == 401
    settings.METRICS_FROM = [ip_network("127.0.0.1")]
    assert Client().get("/metrics").status_code == 200, "who asks from this machine comes through no proxy"


@pytest.mark.parametrize(
    ("proxies", "header", "address"),
    [
        (0, None, "10.0.0.1"),
        (0, "203.0.113.9", "10.0.0.1"),
        (1, None, "10.0.0.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "127.0.0.1, 203.0.113.9", "203.0.113.9"),
        (1, "6.6.6.6,127.0.0.1 , 203.0.113.9 ", "203.0.113.9"),
        (2, "127.0.0.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        (2, "203.0.113.9", None),
        (1, "203.0.113.9:5555", "203.0.113.9"),
        (1, "2001:DB8:0::1", "2001:db8::1"),
        (1, "[2001:db8::1]:443", "2001:db8::1"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
        (1, "127.0.0.1, unknown", None),
        (1, "127.0.0.1,", None),
        (1, "", None),
    ],
)
def test_a_client_cannot_choose_its_counted_address(
    settings: Any, proxies: int, header: str | None, address: str | None
) -> None:
    settings.PROXIES = proxies
    headers = {} if header is None else {"X-Forwarded-For": header}
    assert client_ip.client_ip(RequestFactory(REMOTE_ADDR="10.0.0.1").get("/", headers=headers)) == address


def test_a_name_is_locked_for_the_client_behind_the_proxy_and_open_to_others(
    cast: Cast, settings: Any
) -> None:
    settings.PROXIES = 1
    right = {"username": "v-101", "password": cast.logins["Dana"].password}

    def login(header: str, **fields: str) -> int:
        return Client().post("/login/", right | fields, headers={"X-Forwarded-For": header}).status_code

    wrong = [login(f"198.51.100.{n}, 203.0.113.9", password="a guess") for n in range(5)]
    assert wrong == [200, 200, 200, 200, 429]
    assert login("198.51.100.7, 203.0.113.9") == 429
    assert login("203.0.113.10") == 302


@pytest.mark.parametrize("streamed", [False, True])
def test_a_head_request_gets_the_length_and_no_body(streamed: bool) -> None:
    def answer(request: HttpRequest) -> Any:
        return (
            StreamingHttpResponse([b"12", b"345"], headers={"Content-Length": "5"})
            if streamed
            else HttpResponse(b"12345")
        )

    for method, body in (("HEAD", b""), ("GET", b"12345")):
        response: Any = RequestLogMiddleware(answer)(RequestFactory().generic(method, "/healthz"))
        assert b"".join(response) == body
        assert response.headers.get("Content-Length", "5") == "5"
    assert response.status_code == 200
