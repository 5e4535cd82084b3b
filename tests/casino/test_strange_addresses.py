"""Every address, filter and form of the admin answers strange values without a server error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver

from casino.accounts import tokens
from casino.reference.forms.kinds import FORMS
from tests.casino.conftest import Cast
from tests.casino.test_admin import SET
from tests.counts import LONG

STRANGE = ("%00", "_00", "%ED%A0%80", "9" * 30, "1e9999999999999999999")
TYPED = (
    "%00",
    "%ED%A0%80",
    "1e9999999999999999999",
    "-1e9999999999999999999",
    "9" * 5000,
    "%F0%9F%98%80",
    "%E2%80%AE",
    "NaN",
    "%5B%5D",
)


def typed_into(number: int) -> tuple[str, ...]:
    """Return the values to try in a form field: all of them in `make long`, and otherwise one that depends on
    the field's number.
    """
    return TYPED if LONG else (TYPED[number % len(TYPED)],)


def values_for(number: int) -> tuple[str, ...]:
    """Return the values to try in an address: all of them in `make long`, and otherwise one that depends on
    the address's number.
    """
    return STRANGE if LONG else (STRANGE[number % len(STRANGE)],)


def routes(patterns: Any, before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        yield from routes(pattern.url_patterns, route) if isinstance(pattern, URLResolver) else [route]


def filled(route: str, value: str) -> str:
    route = re.sub(r"\(\?P<\w+>[^)]*\)", value, route.replace("^", "").replace("$", "").replace("\\Z", ""))
    return "/" + re.sub(r"<(?:\w+:)?\w+>", value, route)


@pytest.mark.parametrize("name", ["Mia", "Dana"])
def test_no_address_causes_a_server_error(cast: Cast, name: str) -> None:
    browser = cast.browser(name)
    with_a_part = [route for route in sorted(set(routes(get_resolver().url_patterns))) if "<" in route]
    assert len(with_a_part) > 50
    addresses = [
        filled(route, value) for number, route in enumerate(with_a_part) for value in values_for(number)
    ]
    assert [address for address in addresses if browser.get(address).status_code >= 500] == []


def test_no_search_or_filter_of_the_admin_causes_a_server_error(cast: Cast) -> None:
    browser = cast.browser("Mia")
    lists = [
        f"/{route}"
        for route in sorted(set(routes(get_resolver().url_patterns)))
        if re.fullmatch(r"admin/\w+/\w+/", route)
    ]
    paths = [
        f"{path}?{name}={value}"
        for path in lists
        for name in ("q", "property", "o")
        for value in STRANGE[1:4][:: 1 if LONG else 3]
    ]
    paths += [f"{path}?{name}=%00" for path in lists for name in ("q", "property")]
    assert [address for address in paths if browser.get(address).status_code >= 500] == []
    assert browser.get(f"{lists[0]}?q=%00").status_code in (400, 403)


BAD = ("%00", "a%00b", "%ED%A0%80", "%FF", "%zz", "50%")


def test_pages_refuse_characters_that_cannot_be_stored(cast: Cast) -> None:
    """Test characters that the database cannot store. They are sent in every parameter of the admin's lists
    and as the key of every page.
    """
    browser = cast.browser("Mia")
    every = sorted(set(routes(get_resolver().url_patterns)))
    lists = [f"/{route}" for route in every if re.fullmatch(r"admin/\w+/\w+/", route)]
    names = ("q", "property", "o", "p", "all", "e", "key__exact", "at__gte", "_changelist_filters", "%00")
    paths = [
        f"{path}?{name}={BAD[(place + number) % len(BAD)]}"
        for place, path in enumerate(lists)
        for number, name in enumerate(names)
    ]
    paths += [filled(route, "%00") for route in every if "<" in route and not route.startswith("api/")]
    assert len(paths) > 100
    answers = {address: browser.get(address) for address in paths}
    assert {
        address: answer.status_code for address, answer in answers.items() if answer.status_code != 400
    } == {}
    assert b"contains a character that cannot be stored" in answers[paths[0]].content


@pytest.mark.parametrize("field", ["username", "password", "next", "%00", "otp_token"])
@pytest.mark.parametrize("value", BAD)
def test_forms_refuse_characters_that_cannot_be_stored(cast: Cast, field: str, value: str) -> None:
    answer = Client().post("/login/", f"{field}={value}", content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400


def test_uploads_headers_and_cookies_refuse_characters_that_cannot_be_stored(cast: Cast) -> None:
    for sent in ({"username": "m\0"}, {"m\0": "x"}):
        assert Client().post("/login/", sent).status_code == 400
    assert Client().post("/login/", {"username": "m-101", "password": "%"}).status_code == 200
    assert Client().get("/login/", headers={"HX-Current-URL": "a\0b"}).status_code == 400
    browser = Client()
    browser.cookies.load('sessionid="\\000"')
    assert browser.get("/queue/").status_code == 400
    answer = browser.get("/api/v1/facts")
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (
        400,
        "bad-character",
        "sessionid",
    )


def test_the_api_names_what_cannot_be_stored(cast: Cast) -> None:
    secret = tokens.issue_token(made_by="x", person="a-101")
    for query in ("by=%00", "property=%ED%A0%80", "%00=1", "from=%FF"):
        answer = Client().get(f"/api/v1/reports/hold?{query}", headers={"Authorization": f"Bearer {secret}"})
        assert answer.status_code == (403 if query.startswith("property") else 400), query
        assert answer["Content-Type"] == "application/problem+json"
    for token in ("\0", "\ud800", "%00"):
        answer = Client().get("/api/v1/facts", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code in (400, 401), token


EVERY_FORM = [
    name if place % 3 == 0 else pytest.param(name, marks=pytest.mark.long)
    for place, name in enumerate(sorted(FORMS))
]


@pytest.mark.parametrize("name", EVERY_FORM)
def test_no_value_in_a_register_form_causes_a_server_error(cast: Cast, name: str) -> None:
    """Test forms with one strange value at a time. Each field gets some of the values, and each value is sent
    in many fields.
    """
    browser = cast.browser("Mia")
    fields = dict.fromkeys(re.findall(r'name="([^"]+)"', browser.get(f"{SET}{name}/").content.decode()))
    assert len(fields) > 3
    wrong = []
    for number, field in enumerate(fields):
        for value in typed_into(number):
            typed = "&".join(
                f"{other_field}=1"
                for other_field in fields
                if other_field not in (field, "act", "csrfmiddlewaretoken", "property", "strike")
            )
            sent = f"property=aurora&act=look&{typed}&{field}={value}"
            answer = browser.post(f"{SET}{name}/", sent, content_type="application/x-www-form-urlencoded")
            if answer.status_code >= 500:
                wrong.append((field, value[:30], answer.status_code))
    assert wrong == []
