"""Pages of a list: the parameters that choose a page, and the link to the next page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter

from audit.facts.input_parsing import whole
from casino.api import cursors
from casino.api import shapes as s
from casino.api.openapi import query_parameter

USUAL, MOST = 100, 1000
"""Number of rows on a page: the default and the maximum."""
NEXT = s.described(s.nullable(s.TEXT), "The cursor of the next page; null at the end.")
SIZE = query_parameter("page_size", s.integer(1, MOST), "The number of rows of a page.", default=USUAL)


def cursor_parameter(parameters: str) -> OpenApiParameter:
    """Return the parameter `cursor`.

    Args:
        parameters: the parameters that must not change between pages, as words of a sentence.
    """
    says = f"The value of `next` of the previous page. Send it with the same {parameters}."
    return query_parameter("cursor", s.TEXT | {"maxLength": cursors.LETTERS}, says)


def page_of(row: s.Body) -> s.Body:
    """Return the body of a page, with rows of this shape and the cursor of the next page."""
    return s.body(items=s.items(row), next=(NEXT, None))


def size_of(query: Mapping[str, str]) -> int:
    """Return the requested number of rows of a page."""
    return whole(query.get("page_size", "")) or USUAL


def key_before(query: Mapping[str, str], listed: str) -> tuple[Any, ...] | None:
    """Return the key of the last row of the previous page, or None for the first page. Raise Problem if the
    cursor was issued for a list other than `listed`.
    """
    return cursors.decode(query["cursor"], listed) if "cursor" in query else None


def link_to_next(request: Any, response: HttpResponse, cursor: str | None) -> None:
    """Add the header `Link` with the address of the next page, if there is one. A 304 answer gets no such
    header.
    """
    if cursor is not None and response.status_code == 200:
        query = request.query_params.copy()
        query["cursor"] = cursor
        address = request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
        response["Link"] = f'<{address}>; rel="next"'
