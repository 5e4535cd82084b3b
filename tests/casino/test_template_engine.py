"""Rendering a page makes no garbage that only Python's garbage collector could free."""

from __future__ import annotations

import gc
import weakref

import pytest
from django.template import TemplateDoesNotExist, engines
from django.template.loader import render_to_string
from django.test import RequestFactory

from casino.web.template_engine import DjangoTemplates


class Value:
    """A value that a page shows. The test sees when its memory is freed."""


@pytest.mark.parametrize("with_request", [True, False])
def test_values_of_a_page_are_freed_when_it_is_rendered(with_request: bool) -> None:
    value = Value()
    watched = weakref.ref(value)
    request = RequestFactory().get("/") if with_request else None
    gc.disable()
    try:
        page = render_to_string("charts/_note.html", {"value": value, "chart": {}}, request)
        del value
        assert page is not None
        assert watched() is None
    finally:
        gc.enable()


def test_the_context_of_the_caller_is_not_changed() -> None:
    values = {"name": "<Dana>"}
    page = engines["django"].from_string("Hello {{ name }}").render(values)
    assert page == "Hello &lt;Dana&gt;"
    assert values == {"name": "<Dana>"}


def test_a_missing_template_is_reported_with_the_places_that_were_searched() -> None:
    engine = engines["django"]
    assert isinstance(engine, DjangoTemplates)
    with pytest.raises(TemplateDoesNotExist) as missing:
        engine.get_template("no/such.html")
    assert missing.value.backend is engine
    assert missing.value.tried
    with pytest.raises(TemplateDoesNotExist) as included:
        engine.from_string("{% include 'no/such.html' %}").render()
    assert included.value.backend is engine
