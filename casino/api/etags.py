"""Conditional requests. An answer has an `ETag`. If the client sends that tag as `If-None-Match` and the
answer has not changed, it gets 304.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from django.http import HttpResponse
from django.utils.http import parse_etags

from casino.api import shapes as s
from casino.api.openapi import JSON, Answer, header

IF_NONE_MATCH = header(
    "If-None-Match", s.TEXT, "ETags of answers that the client has.", example='"5e5e5e5e5e5e5e5e"'
)
NOT_MODIFIED = Answer(None, "Not modified: the client has this answer.")
HEADERS = {"ETag": "Identifies this version of the answer."}


def etag(*of: Any) -> str:
    """Return the tag of an answer: a hash of `of`, which must be everything that determines the bytes of the
    answer.
    """
    return f'"{sha256(repr(of).encode()).hexdigest()[:32]}"'


def matches(request: Any, tag: str) -> bool:
    """Return True if the client already has the answer with this tag."""
    known = [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]
    return tag in known or "*" in known


def not_modified(tag: str) -> HttpResponse:
    """Return a 304 response without a body."""
    response = HttpResponse(status=304, headers=headers(tag))
    del response["Content-Type"]
    return response


def headers(tag: str) -> dict[str, str]:
    """Return headers that allow the client to store the answer, but require it to revalidate the answer
    before each use.
    """
    return {"ETag": tag, "Cache-Control": "private, no-cache"}


def conditional_response(
    request: Any,
    body: bytes,
    on_read: Callable[[], None] = lambda: None,
    *,
    tag: str = "",
    content_type: str = JSON,
    extra_headers: Mapping[str, str] = {},
) -> HttpResponse:
    """Return an answer, or 304 if the client already has it.

    Args:
        request: The request.
        body: The bytes of the answer.
        on_read: Called only if a body is sent, to record that it was read.
        tag: The ETag; default: the hash of the bytes.
        content_type: The content type.
        extra_headers: Further headers of an answer with a body.
    """
    tag = tag or etag(body)
    if matches(request, tag):
        return not_modified(tag)
    on_read()
    return HttpResponse(body, content_type=content_type, headers={**extra_headers, **headers(tag)})
