"""Addresses of pages with the same figures in more detail: a report, "Where the hold went", or the search for
hands. An address keeps the property, the days and all limits. If a page cannot be limited to the same values,
there is no address.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from audit.facts.input_parsing import day_of
from casino.reports import catalog, limits
from casino.reports.limits import NO_LIMITS, Limits

DETAILS = ("table", "game", "pit", "day", "month", "shift", "dealer", "hour")
"""Columns by whose values the page "Where the hold went" can be filtered."""
OF_TABLE_DAY = frozenset({"table", "day", "pit", "month"})
"""Values that are the same for the whole gaming day of a table. A row with other values is only a part of the
page of that day.
"""
OF_HANDS = ("table", "game", "pit", "shift", "dealer", "wager")
"""Columns by whose values hands can be searched, in addition to the gaming days."""


class Scope(NamedTuple):
    """The property, the gaming days and the limits of a report. The links of its rows contain them."""

    property: str
    begins: date
    last: date
    limits: Limits = NO_LIMITS

    def day_parameters(self) -> dict[str, str]:
        """Return the property and the gaming days as parameters of an address."""
        return {"property": self.property, "from": self.begins.isoformat(), "to": self.last.isoformat()}

    def with_values(self, named: Mapping[str, Any]) -> Scope:
        """Return this scope, also limited to the values of a row. Values that cannot be a limit are left
        out.
        """
        values = {name: str(value) for name, value in named.items() if name in limits.NAMES and value}
        return self._replace(limits={**self.limits, **values})

    def with_days_of(self, *names: str) -> Scope | None:
        """Return this scope with the limits `day` or `month` as its days. Return None if no day is left.

        Args:
            names: the limits to replace: `day`, `month` or both.
        """
        begins, last = self.begins, self.last
        for name in names:
            if name not in self.limits:
                continue
            text = self.limits[name]
            first = day_of(text if name == "day" else f"{text}-01")
            if first is None:
                return None
            end = first if name == "day" else first.replace(day=monthrange(first.year, first.month)[1])
            begins, last = max(begins, first), min(last, end)
        other_limits = {name: value for name, value in self.limits.items() if name not in names}
        return self._replace(begins=begins, last=last, limits=other_limits) if begins <= last else None


def report_address(scope: Scope, name: str, by: tuple[str, ...]) -> str:
    """Return the address of a report with the limits of the scope, or empty text if the report cannot be
    limited by all of them. A day or month by which it cannot be limited is the range of its days.
    """
    known = limits.names_of(catalog.report(name))
    days = scope.with_days_of(*({"day", "month"} - set(known)))
    if days is None or any(limit not in known for limit in days.limits):
        return ""
    query = urlencode({**days.day_parameters(), "by": by, **days.limits}, doseq=True)
    return f"{reverse('report', args=[name])}?{query}"


def details_address(scope: Scope, named: Mapping[str, Any]) -> str:
    """Return the address of the details of a row: the page of one table's day, or "Where the hold went".
    Return empty text if the row has no details.

    Args:
        named: {column: value} of the values by which the report is grouped.
    """
    row = scope.with_values(named)
    within = row.limits
    if any(name not in DETAILS for name in within):
        return ""
    if {"table", "day"} <= within.keys() <= OF_TABLE_DAY:
        table = within["table"].partition("/")[2] or within["table"]
        return reverse("where_day", args=[scope.property, table, within["day"]])
    days = row.with_days_of("day")
    if days is None or not (within or "day" in named):
        return ""
    return f"{reverse('where')}?{urlencode({**days.day_parameters(), **days.limits})}"


def hands_address(scope: Scope, named: Mapping[str, Any]) -> str:
    """Return the address of the search for the hands of a row. Return empty text if the row has no value, or
    if the search has no filter for one of its values.
    """
    row = scope.with_values(named)
    days = row.with_days_of("day", "month")
    if not row.limits or days is None or any(name not in OF_HANDS for name in days.limits):
        return ""
    of_days = {"day_from": days.begins.isoformat(), "day_last": days.last.isoformat()}
    return f"{reverse('hands')}?{urlencode({'property': scope.property, **days.limits, **of_days})}"
