"""Catwalk's log has one JSON object per line. Each has the ID of its request, and none has personal data."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.test import Client
from django.urls import clear_url_caches, path

from casino import urls
from casino.runtime.operations import logs
from tests.casino.conftest import Api, Cast
from tests.conftest import House

SECRET = "Zyxwvut"
"""A text that must not appear in the log. Tests put it into names, passwords, tokens, queries, bodies and
errors.
"""


class CapturedLog:
    """A log that a test captures. `lines` are its lines, read as JSON."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]

    def events(self, event: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["event"] == event]


@pytest.fixture
def captured_log() -> Iterator[CapturedLog]:
    """Capture the log as a web process writes it."""
    caught = CapturedLog()
    handler = logging.StreamHandler(caught.stream)
    handler.setFormatter(logs.Line())
    root, loggers = (
        logging.getLogger(),
        [logging.getLogger(name) for name in ("django", "django.request", "axes", "casino.request")],
    )
    before = [(logger, logger.level, logger.handlers[:], logger.propagate) for logger in (root, *loggers)]
    for logger in loggers:
        logger.handlers, logger.propagate = [], True
    root.handlers, level = [handler], root.level
    root.setLevel("DEBUG")
    yield caught
    root.setLevel(level)
    for logger, was, handlers, propagate in before:
        logger.setLevel(was)
        logger.handlers, logger.propagate = handlers, propagate


def breaks(request: Any, user: str) -> Any:
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        raise RuntimeError(f"duplicate key: (name)=({SECRET})") from error


@pytest.fixture
def broken_page(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add a page that raises an exception, and remove it afterwards, so that tests of all addresses do not
    find it.
    """
    with monkeypatch.context() as patch:
        patch.setattr(
            urls, "urlpatterns", [path("broken/<str:user>/", login_not_required(breaks)), *urls.urlpatterns]
        )
        clear_url_caches()
        yield
    clear_url_caches()


def test_every_answer_has_a_request_id_that_is_in_its_log_line(captured_log: CapturedLog, cast: Cast) -> None:
    answer = cast.browser("Dana").get("/queue/")
    (line,) = captured_log.events("answered")
    assert line["request_id"] == answer["X-Request-ID"]
    assert re.fullmatch("[0-9a-f]{32}", line["request_id"])
    assert {name: line[name] for name in ("level", "from", "method", "route", "code")} == {
        "level": "info",
        "from": "casino.request",
        "method": "GET",
        "route": "queue/",
        "code": 200,
    }
    assert line["ms"] > 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["at"])


@pytest.mark.parametrize(
    ("sent_id", "is_kept"),
    [
        ("0af7651916cd43dd8448eb211c80319c", True),
        ("7d444840-9dc0-11d1-b245-5ffdce74fad2", True),
        (SECRET, False),
        ("0af7651916cd43dd; DROP TABLE", False),
        ("a" * 65, False),
        ("", False),
    ],
)
def test_a_valid_request_id_of_a_proxy_is_kept(
    captured_log: CapturedLog, cast: Cast, sent_id: str, is_kept: bool
) -> None:
    answer = Client().get("/login/", headers={"X-Request-ID": sent_id})
    assert (answer["X-Request-ID"] == sent_id) == is_kept
    assert captured_log.events("answered")[0]["request_id"] == answer["X-Request-ID"]


def test_no_name_password_token_query_address_or_body_is_in_any_line(
    captured_log: CapturedLog, cast: Cast, gateway: Api
) -> None:
    dana = cast.logins["Dana"]
    browser = Client(
        headers={"user-agent": SECRET, "referer": f"http://{SECRET}/"}, REMOTE_ADDR="203.0.113.77"
    )
    for password in (SECRET, dana.password):
        browser.post("/login/", {"username": dana.id, "password": password})
    browser.post("/login/", {"username": f"{SECRET}@example.org", "password": SECRET})
    browser.get(f"/jump/?player={SECRET}&table=EOU-01")
    browser.get(f"/hand/aurora/{SECRET}/2026-11-27/{SECRET}/")
    browser.get(f"/{SECRET}/")
    browser.get("/queue/", headers={"host": f"{SECRET}.example"})
    browser.generic(SECRET.upper(), "/queue/")
    gateway.send(f'{{"uid": "{SECRET}"}}'.encode())
    Client().get("/api/v1/reports", headers={"Authorization": f"Bearer cw_{SECRET}"})
    output = captured_log.stream.getvalue()
    assert len(captured_log.events("answered")) >= 10
    hidden = [SECRET, dana.password, str(gateway.headers["Authorization"]), "203.0.113.77", "Dana", dana.id]
    assert [secret for secret in hidden if secret.lower() in output.lower()] == []


def test_an_error_is_logged_with_type_and_place_and_without_its_message(
    captured_log: CapturedLog, cast: Cast, broken_page: None
) -> None:
    answer = Client(raise_request_exception=False).get(f"/broken/{SECRET}/?who={SECRET}")
    assert answer.status_code == 500
    failed = next(line for line in captured_log.lines if "error" in line)
    assert failed["error"] == "RuntimeError from KeyError"
    assert re.fullmatch(r"tests/casino/test_operations_logs\.py:\d+ breaks", failed["where"][-1])
    assert {line["request_id"] for line in captured_log.lines} == {answer["X-Request-ID"]}
    (line,) = captured_log.events("answered")
    assert (line["level"], line["code"], line["route"]) == ("error", 500, "broken/<str:user>/")
    assert SECRET not in captured_log.stream.getvalue()
    assert answer["X-Request-ID"] in answer.content.decode(), "who reports it can name it"


def test_messages_of_libraries_are_logged_without_their_text_arguments(captured_log: CapturedLog) -> None:
    foreign = logging.getLogger("gunicorn.error")
    before, foreign.propagate, foreign.disabled = foreign.propagate, True, False
    foreign.setLevel("DEBUG")
    foreign.info("Booting worker with pid: %s", 4711)
    foreign.warning("Error handling request %s", f"/hand/{SECRET}")
    foreign.warning(f"Invalid request from ip={SECRET}: {SECRET}")
    foreign.error(
        "Task %(name)s[%(id)s] raised unexpected: %(exc)s",
        {"name": SECRET, "id": SECRET, "exc": ValueError(SECRET)},
    )
    foreign.propagate = before
    logging.getLogger("py.warnings").warning(f"{SECRET}.py:893: SecurityWarning: You are {SECRET}")
    assert [line["event"] for line in captured_log.lines] == [
        "Booting worker with pid: 4711",
        "Error handling request …",
        "Invalid request from ip",
        "Task …[…] raised unexpected: ValueError",
        "SecurityWarning",
    ]
    logging.getLogger("casino.runtime.notify_workers").warning(
        "Workers were not notified of %d jobs (%s): %s", 3, ConnectionError(SECRET), "soon"
    )
    assert captured_log.lines[-1]["event"] == "Workers were not notified of 3 jobs (ConnectionError): soon"
    assert (
        logs.event(logging.LogRecord("redis", logging.ERROR, "", 1, "%d of them", (SECRET,), None))
        == "%d of them"
    )


def test_health_checks_are_not_logged(captured_log: CapturedLog, cast: Cast) -> None:
    for address in ("/healthz", "/readyz", "/metrics", "/static/catwalk/catwalk.css"):
        answer = Client().get(address)
        assert answer["X-Request-ID"]
        assert b"".join(answer)
        answer.close()
    assert captured_log.events("answered") == []


def test_the_settings_choose_format_and_level_of_the_log() -> None:
    assert logs.settings_of("text", "info") == {}
    assert logs.settings_of("json", "warning")["root"]["level"] == "WARNING"


@pytest.mark.skipif(not settings.EMBEDDED, reason="the log of a server of your own is yours")
def test_the_embedded_postgres_writes_no_row_and_no_statement_into_its_log(house: House) -> None:
    for _ in range(2):
        with contextlib.suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO free_words (property, sha256, words, by) VALUES ('{SECRET}', '{SECRET}',"
                f" '{SECRET}', NULL)"
            )
    with contextlib.suppress(DatabaseError), connection.cursor() as cursor:
        cursor.execute(f"SELECT {SECRET} FROM nowhere")
    log = (Path(settings.CATWALK_DATA) / "postgres.log").read_text()
    assert "violates not-null constraint" in log
    assert SECRET not in log
