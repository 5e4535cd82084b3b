"""A page answers GET, and its form POST. Any other method is refused and shows nothing."""

from __future__ import annotations

import pytest
from django.test import RequestFactory
from django.urls import URLPattern

from tests.casino.pages import PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_answers_only_its_own_methods(page: URLPattern) -> None:
    """Test that a wrong method is refused even if the address names an object that does not exist. The method
    is checked before the database is read.
    """
    parts = dict.fromkeys(page.pattern.regex.groupindex, "x")
    answers = [
        page.callback(getattr(RequestFactory(), method)("/"), **parts)
        for method in ("put", "patch", "delete")
    ]
    assert [answer.status_code for answer in answers] == [405, 405, 405]
    assert not {"PUT", "PATCH", "DELETE"} & {*answers[0]["Allow"].split(", ")}
