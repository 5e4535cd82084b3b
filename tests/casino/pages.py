"""Helpers that read pages as a browser shows them, so that white space in a template changes no
test result.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from django.urls import URLPattern, URLResolver

from casino.urls import urlpatterns

PAGES: list[URLPattern] = [
    page
    for capability in urlpatterns
    if isinstance(capability, URLResolver) and str(capability.pattern) == ""
    for page in capability.url_patterns
    if isinstance(page, URLPattern)
]
"""The URL patterns of all capabilities, without the REST API and the admin."""

_ATTRIBUTES = r"(?:\"[^\"]*\"|'[^']*'|[^>\"'])*"
_TAG = rf"</?[a-zA-Z]{_ATTRIBUTES}>"
_INLINE = r"(?:a|abbr|b|cite|code|em|i|kbd|q|span|strong|sub|sup|time)\b"


def source(answer: Any) -> str:
    """Return the HTML of a response, of bytes or of a string."""
    content = getattr(answer, "content", answer)
    return content.decode() if isinstance(content, bytes) else str(content)


def markup(answer: Any) -> str:
    """Return the HTML of a page with the white space that a browser shows: one space between words.

    Spaces at the ends of a tag, next to block elements, and at the ends of an element's text are removed.
    """
    tags = re.sub(_TAG, lambda tag: re.sub(r"\s+", " ", tag[0]).replace(" >", ">"), source(answer))
    words = re.sub(r"\s+", " ", tags)
    outside = re.sub(rf" ?(</?(?!{_INLINE}){_TAG.removeprefix('</?')}) ?", r"\1", words)
    return re.sub(rf"(<{_INLINE}{_ATTRIBUTES}>) ", r"\1", re.sub(rf" (</{_INLINE}>)", r"\1", outside))


def text(answer: Any) -> str:
    """Return the words of a page as a reader sees them: no tags, white space collapsed, entities decoded."""
    inline = re.sub(rf"</?{_INLINE}{_ATTRIBUTES}>", "", source(answer))
    return " ".join(unescape(re.sub(_TAG, " ", inline)).split())
