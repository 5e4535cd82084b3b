"""Addresses of the details and of the hands of a row in a report."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

DETAILS = ("table", "game", "pit", "day", "month", "shift", "dealer", "hour")
"""Columns by whose values the page "Where the hold went" can be filtered."""
OF_HANDS = ("table", "game", "pit", "shift", "dealer", "wager")
"""Columns by whose values hands can be searched, in addition to the gaming day."""


class Scope(NamedTuple):
    """The property and the gaming days of a report. The links of its rows contain them."""

    property: str
    begins: date
    last: date


def details_address(scope: Scope, named: Mapping[str, Any]) -> str:
    """Return the address of the details of a row: the page of one table's day, or "Where the hold went".
    Return empty text if the row has no details.

    Args:
        named: {column: value} of the values by which the report is grouped.
    """
    days = {
        "property": scope.property,
        "from": scope.begins.isoformat(),
        "to": scope.last.isoformat(),
    }
    within = {key: str(value) for key, value in named.items() if key in DETAILS and value}
    if "day" in within:
        days |= {"from": within["day"], "to": within["day"]}
    if {"table", "day"} <= within.keys():
        table = within["table"].partition("/")[2] or within["table"]
        return reverse("where_day", args=[scope.property, table, within["day"]])
    within.pop("day", None)
    return f"{reverse('where')}?{urlencode({**days, **within})}" if within or "day" in named else ""


def hands_address(scope: Scope, named: Mapping[str, Any]) -> str:
    """Return the address of the search for the hands of a row. Return empty text if the search has no filter
    for any value in the row.
    """
    within = {key: str(value) for key, value in named.items() if key in OF_HANDS and value}
    day = str(named.get("day") or "")
    if not within and not day:
        return ""
    days = {"day_from": day or scope.begins.isoformat(), "day_last": day or scope.last.isoformat()}
    return f"{reverse('hands')}?{urlencode({'property': scope.property, **within, **days})}"
