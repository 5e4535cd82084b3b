"""Error pages. Each explains in Catwalk's own words why it is shown and what the user can do next."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from casino.home import first_page
from tests.casino.conftest import Cast
from tests.casino.pages import text

HTMX = {"HX-Request": "true"}


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/queue/more/?after=x", 400, "does not name a row from which to continue"),
        ("/queue/news/?since=x", 400, "does not say from which moment to poll"),
        ("/views/", 403, "Your roles today do not include"),
        ("/nothing/", 404, "No page, hand or fact has the address /nothing/"),
    ],
)
def test_an_error_page_says_why_and_what_to_do(cast: Cast, path: str, status: int, says: str) -> None:
    answer = cast.browser("Dana").get(path)
    assert answer.status_code == status
    assert says in text(answer)
    assert "What to do" in text(answer)
    assert "Log out" in text(answer)


def test_a_user_without_rights_is_shown_their_staff_id(cast: Cast) -> None:
    answer = cast.browser("Eve").get("/")
    assert (answer.status_code, "e-101" in text(answer), "What to do" in text(answer)) == (403, True, True)


def test_an_unknown_host_name_names_the_setting_to_change(cast: Cast) -> None:
    answer = Client().get("/queue/", headers={"Host": "casino.example"})
    assert answer.status_code == 400
    assert "casino.example" in text(answer)
    assert "CATWALK_HOSTS" in text(answer)


def test_a_server_error_page_has_the_time_and_needs_no_database(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_(*_: Any) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(first_page, "places_of", break_)
    answer = cast.browser("Dana").get("/?again=1")
    assert answer.status_code == 500
    assert re.search(r"could not be created at \d\d:\d\d:\d\d UTC", text(answer))
    assert b'href="/?again=1"' in answer.content
    assert "Dana" not in text(answer)


def test_an_expired_form_is_explained(cast: Cast) -> None:
    answer = Client(enforce_csrf_checks=True).post("/login/", {"username": "v-101", "password": "x"})
    assert answer.status_code == 403
    assert "This form has expired" in text(answer)
    assert "reload the page" in text(answer)


@pytest.mark.parametrize(
    ("method", "path", "says"),
    [
        ("get", "/evidence/", "The address /evidence/ only receives forms."),
        ("get", "/verdict/", "the form was not recorded"),
        ("post", "/certificate/", "The page /certificate/ receives no forms. Nothing was recorded."),
    ],
)
def test_an_address_that_does_not_take_a_method_is_explained(
    cast: Cast, method: str, path: str, says: str
) -> None:
    answer = getattr(cast.browser("Dana"), method)(path)
    assert (answer.status_code, answer["Allow"] != "") == (405, True)
    assert says in text(answer)
    assert "Go to the first page" in text(answer)


def test_a_user_who_logs_in_after_a_form_is_told_that_it_was_not_recorded(cast: Cast) -> None:
    browser = Client()
    assert browser.post("/verdict/", {"verdict": "confirmed"})["Location"] == "/login/?next=/verdict/"
    login = {"username": cast.logins["Dana"].id, "password": cast.logins["Dana"].password}
    answer = browser.post("/login/?next=/verdict/", login | {"next": "/verdict/"}, follow=True)
    assert (answer.status_code, answer.redirect_chain[-1][0]) == (405, "/verdict/")
    assert "This address shows no page" in text(answer)


def test_a_locked_out_user_is_told_how_long_and_whom_to_ask(cast: Cast) -> None:
    browser = cast.browser(None)
    for _ in range(5):
        answer = browser.post("/login/", {"username": cast.logins["Dana"].id, "password": "wrong"})
    assert answer.status_code == 429
    assert "5 wrong passwords in a row for v-101" in text(answer)
    assert "Wait 15 minutes" in text(answer)
    assert "the wait starts again" in text(answer)


def test_a_fragment_request_without_a_session_redirects_the_page_to_sign_in(cast: Cast) -> None:
    headers = HTMX | {"HX-Current-URL": "http://testserver/queue/?grade=money"}
    answer = Client().get("/queue/news/?since=1", headers=headers)
    assert (answer.status_code, answer["HX-Redirect"]) == (200, "/login/?next=%2Fqueue%2F%3Fgrade%3Dmoney")
    assert answer.content == b""
    assert Client().get("/queue/")["Location"] == "/login/?next=/queue/"
