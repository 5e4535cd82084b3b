"""Pages of a list: the parameters that choose a page, the rows of the page, and the link to the next page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
LINK = {"Link": "The next page, if there is one."}
SIZE = query_parameter("page_size", s.integer(1, MOST), "The number of rows of a page.", default=USUAL)


def cursor_parameter(parameters: str) -> OpenApiParameter:
    """Return the parameter `cursor`.

    Args:
        parameters: the parameters that must not change between pages, as words of a sentence.
    """
    says = f"`next` of the previous page; empty: the first page. Send it with the same {parameters}."
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
    cursor = query.get("cursor")
    return cursors.decode(cursor, listed) if cursor else None


def page_by_number(
    request: Any,
    listed: str,
    property: str,
    rows_from: Callable[[Any, int], Sequence[Any]],
    number_of: Callable[[Any], int | str],
) -> tuple[list[Any], str | None]:
    """Return the rows of the requested page, and the cursor of the next page.

    Args:
        request: The request, whose parameters choose the page.
        listed: The name of the list, for its cursors.
        property: The property whose rows are listed.
        rows_from: A function that returns the rows that come after the row with a number or name, up to a
            limit. The number is None for the first page.
        number_of: A function that returns the number or name of a row.
    """
    query = request.query_params.dict()
    name = cursors.list_name(listed, property, query)
    key = key_before(query, name)
    size = size_of(query)
    rows = list(rows_from(key[0] if key is not None else None, size + 1))
    has_more, rows = len(rows) > size, rows[:size]
    return rows, cursors.encode(name, [number_of(rows[-1])]) if has_more else None


def link_to_next(request: Any, response: HttpResponse, cursor: str | None) -> None:
    """Add the header `Link` with the address of the next page, if there is one. A 304 answer gets no such
    header.
    """
    if cursor is not None and response.status_code == 200:
        query = request.query_params.copy()
        query["cursor"] = cursor
        address = request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
        response["Link"] = f'<{address}>; rel="next"'
