"""Helpers that read pages as a browser shows them, so that white space in a template changes no
test result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any

import pytest
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import PermissionDenied
from django.template.base import Template
from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, resolve
from django.utils.safestring import SafeString
from django_htmx.middleware import HtmxDetails

from casino.models import Person
from casino.urls import urlpatterns

PAGES: list[URLPattern] = [
    page
    for capability in urlpatterns
    if isinstance(capability, URLResolver) and str(capability.pattern) == ""
    for page in capability.url_patterns
    if isinstance(page, URLPattern)
]
"""The URL patterns of all capabilities, without the REST API and the admin."""

OPENID = frozenset({"openid", "openid_callback", "openid_code"})
"""Names of the addresses of sign-in with OpenID Connect, which is off in most tests."""
STREAMS = frozenset({"queue_stream", "floor_stream"})
"""Names of the streams of events, which are tested over real HTTP."""

_ATTRIBUTES = r"(?:\"[^\"]*\"|'[^']*'|[^>\"']++)*+"
_TAG = rf"</?[a-zA-Z]{_ATTRIBUTES}>"
_INLINE = r"(?:a|abbr|b|cite|code|em|i|kbd|q|span|strong|sub|sup|time)\b"
_TAGS = re.compile(f"({_TAG})")
_OPENS, _CLOSES = re.compile(f"<{_INLINE}"), re.compile(f"</{_INLINE}")
_OF_TEXT = re.compile(rf"</?{_INLINE}{_ATTRIBUTES}>")


@contextmanager
def unrendered() -> Iterator[None]:
    """Answer requests without rendering templates, for tests that compare only the status of many answers.
    The views run, with all that they check and read.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "render", lambda *_: SafeString(""))
        yield


def status_for(person: Person, address: str) -> int:
    """Return the status of a page for this person from its view alone, without sessions and templates. This
    takes much less time than a request.
    """
    request: Any = RequestFactory().get(address)
    request.user, request.session, request.htmx = person, SessionStore(), HtmxDetails(request)
    request._messages = FallbackStorage(request)
    request.resolver_match = view, args, kwargs = resolve(request.path_info)
    try:
        with unrendered():
            return int(view(request, *args, **kwargs).status_code)
    except PermissionDenied:
        return 403


def source(answer: Any) -> str:
    """Return the HTML of a response, of bytes or of a string."""
    content = getattr(answer, "content", answer)
    return content.decode() if isinstance(content, bytes) else str(content)


def markup(answer: Any) -> str:
    """Return the HTML of a page with the white space that a browser shows: one space between words.

    Spaces at the ends of a tag, next to block elements, and at the ends of an element's text are removed.
    """
    pieces = _TAGS.split(source(answer))  # text and tags in turns
    shown = [" ".join(f"|{piece}|".split())[1:-1] for piece in pieces]
    for place in range(1, len(shown), 2):
        shown[place] = tag = shown[place].replace(" >", ">")
        if not _CLOSES.match(tag):
            shown[place + 1] = shown[place + 1].removeprefix(" ")
        if not _OPENS.match(tag):
            shown[place - 1] = shown[place - 1].removesuffix(" ")
    return "".join(shown)


def text(answer: Any) -> str:
    """Return the words of a page as a reader sees them: no tags, white space collapsed, entities decoded."""
    inline = _OF_TEXT.sub("", source(answer))
    return " ".join(unescape(_TAGS.sub(" ", inline)).split())
