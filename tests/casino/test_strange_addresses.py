"""Every address, filter and form of the admin answers without an error, also with strange values."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import URLResolver, get_resolver

from casino.reference.forms.kinds import FORMS
from tests.casino.conftest import Cast
from tests.casino.test_admin import SET

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

LONG = os.environ.get("CATWALK_COUNTS") == "long"


def typed_into(number: int) -> tuple[str, ...]:
    """Return the values to try in the form field of this number: two that vary with the number, or in `make
    long` all.
    """
    return TYPED if LONG else (TYPED[number % 3], TYPED[3 + number % (len(TYPED) - 3)])


def values_for(number: int) -> tuple[str, ...]:
    """Return the values to try in the address of this number: four that vary with the number, or in `make
    long` all.
    """
    return STRANGE if LONG else tuple(STRANGE[(4 * number + step) % len(STRANGE)] for step in range(4))


def routes(patterns: Any, before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        yield from routes(pattern.url_patterns, route) if isinstance(pattern, URLResolver) else [route]


def filled(route: str, value: str) -> str:
    route = re.sub(r"\(\?P<\w+>[^)]*\)", value, route.replace("^", "").replace("$", "").replace("\\Z", ""))
    return "/" + re.sub(r"<(?:\w+:)?\w+>", value, route)


@pytest.mark.parametrize("who", ["Mia", "Dana"])
def test_no_address_breaks_by_its_content(cast: Cast, who: str) -> None:
    browser = cast.browser(who)
    with_a_part = [route for route in sorted(set(routes(get_resolver().url_patterns))) if "<" in route]
    assert len(with_a_part) > 50
    addresses = [
        filled(route, value) for number, route in enumerate(with_a_part) for value in values_for(number)
    ]
    assert [address for address in addresses if browser.get(address).status_code >= 500] == []


def test_no_list_of_the_records_breaks_by_what_it_is_searched_or_filtered_by(cast: Cast) -> None:
    browser = cast.browser("Mia")
    lists = [
        f"/{route}"
        for route in sorted(set(routes(get_resolver().url_patterns)))
        if re.fullmatch(r"admin/\w+/\w+/", route)
    ]
    asked = [
        f"{each}?{name}={value}"
        for each in lists
        for name in ("q", "property", "o")
        for value in STRANGE[1:4][:: 1 if LONG else 3]
    ]
    asked += [f"{each}?{name}=%00" for each in lists for name in ("q", "property")]
    assert [address for address in asked if browser.get(address).status_code >= 500] == []
    assert browser.get(f"{lists[0]}?q=%00").status_code in (400, 403)


EVERY_FORM = [
    name if place % 3 == 0 else pytest.param(name, marks=pytest.mark.long)
    for place, name in enumerate(sorted(FORMS))
]


@pytest.mark.parametrize("name", EVERY_FORM)
def test_no_form_of_a_register_breaks_by_what_is_typed_into_it(cast: Cast, name: str) -> None:
    """Send one strange value at a time, so that each field gets some of them and each value is sent in many
    fields.
    """
    browser = cast.browser("Mia")
    fields = dict.fromkeys(re.findall(r'name="([^"]+)"', browser.get(f"{SET}{name}/").content.decode()))
    assert len(fields) > 3
    wrong = []
    for number, field in enumerate(fields):
        for value in typed_into(number):
            typed = "&".join(
                f"{each}=1"
                for each in fields
                if each not in (field, "act", "csrfmiddlewaretoken", "property", "strike")
            )
            sent = f"property=aurora&act=look&{typed}&{field}={value}"
            answer = browser.post(f"{SET}{name}/", sent, content_type="application/x-www-form-urlencoded")
            if answer.status_code >= 500:
                wrong.append((field, value[:30], answer.status_code))
    assert wrong == []
