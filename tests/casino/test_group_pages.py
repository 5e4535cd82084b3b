"""In an installation that follows several properties, no page shows a form that records a fact."""

from __future__ import annotations

import re

from django.test import override_settings
from django.urls import Resolver404, resolve

from casino.accounts.permissions import ACTS, GROUP_RIGHTS, can
from tests.casino.conftest import Cast
from tests.casino.pages import text
from tests.casino.test_pages import ANSWERS, HAND, night

assert night  # a fixture
NAMES = ("Dana", "Boris", "Alma", "Igor", "Mia", "Finn", "Chi", "Nia", "Gus")
OWN = frozenset(
    ("logout", "report_keep", "report_preferences", "otp", "tokens", "alerts_mine", "evidence", "exports")
)
"""Names of the addresses to which forms may post, because they change only what belongs to the group."""
FORM = re.compile(r"<(?:form|button|a)\b[^>]*?(?:method=\"post\"|hx-post=|formaction=)[^>]*>")
ADDRESS = re.compile(r"(?:action|hx-post|formaction)=\"([^\"]*)\"")


def posts_to(path: str, html: str) -> set[str]:
    """Return the names of the addresses to which the forms and buttons of a page post."""
    names = set()
    for tag in FORM.findall(html):
        address = (ADDRESS.search(tag) or ["", ""])[1] or path
        try:
            names.add(resolve(address.partition("?")[0]).url_name or address)
        except Resolver404:
            names.add(address)
    return names


def test_no_page_of_a_group_shows_a_form_that_records_a_fact(night: Cast) -> None:
    posted: dict[str, set[str]] = {}
    with override_settings(GROUP=True):
        for name in NAMES:
            browser = night.browser(name)
            for path, _ in ANSWERS.values():
                response = browser.get(path)
                if response.status_code == 200 and "html" in response.get("Content-Type", ""):
                    for address in posts_to(path, response.content.decode()) - OWN:
                        posted.setdefault(address, set()).add(f"{path} {name}")
    assert sorted(posted) == []


def test_a_group_says_that_it_records_nothing_and_refuses_posts(night: Cast) -> None:
    browser = night.browser("Dana")
    assert "nothing is recorded here" not in text(browser.get(HAND).content.decode())
    with override_settings(GROUP=True):
        shown = browser.get(HAND)
        assert shown.status_code == 200
        assert "Group of properties: nothing is recorded here." in text(shown.content.decode())
        refused = browser.get("/log/write/")
        assert refused.status_code == 403
        assert "follows several properties and records nothing" in text(refused.content.decode())
        person = night.person("Dana")
        allowed = {act for act in ACTS if can(person, act, "aurora")}
        assert "see-hand" in allowed
        assert allowed <= GROUP_RIGHTS
        assert "give-verdict" not in allowed
