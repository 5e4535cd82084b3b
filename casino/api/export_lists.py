"""The lists of archived exports: GET /api/v1/exports and /api/v1/reports/kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework.response import Response

from audit.facts.input_parsing import whole
from casino.api import shapes as s
from casino.api.older_pages import OlderStyle, deprecated
from casino.api.paging import link_to_next, page_by_number
from casino.exports.archive import orders as kept

OLDER = OlderStyle("before")
"""The older style of the two lists."""
BEFORE = OLDER.documented(s.integer(0, 2**53), "Only exports with a lower number.")


def list_of_exports(
    request: Any,
    name: str,
    property: str,
    without: list[tuple[str, str]],
    as_json: Callable[[Any], Any],
) -> Response:
    """Return a page of the archived exports of a property, the latest first, or the array that requests in
    the older style get.

    Args:
        name: the address of the list.
        without: what was exported that the user may not see, as pairs of a property and a name.
        as_json: returns an export as the list shows it.
    """
    query = request.query_params
    if OLDER.is_requested(query):
        orders = kept.orders([property], whole(query.get("before", "")), without, kept.PAGE)
        return deprecated(request, Response(list(map(as_json, orders))))
    orders, following = page_by_number(
        request,
        name,
        property,
        lambda before, limit: kept.orders([property], before, without, limit),
        lambda order: order.id,
    )
    response = Response({"items": list(map(as_json, orders)), "next": following})
    link_to_next(request, response, following)
    return response
