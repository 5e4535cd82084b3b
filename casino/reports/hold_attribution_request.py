"""The parameters of the page "Where the hold went": its days, its grouping and its filters. The page, its
trend by week, and the largest unexplained amount read the same rows with them.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from audit.queries.span import Span
from casino.reports import limit_parameters
from casino.reports.columns import Absent
from casino.reports.definitions import where_the_hold_went as report
from casino.reports.limit_parameters import ShownLimit
from casino.reports.row_links import OF_TABLE_DAY, Scope, report_address
from casino.web.sorting import order_of

BY = tuple(name for name in report.BY if name != "property")
COLUMNS = {
    "unexplained": "Unexplained",
    "counted": "Counted",
    "dealt": "Dealt",
    "theoretical": "Theoretical",
    "choices": "Choices",
    "luck": "Luck",
    "undivided": "Not divided",
    "errors": "Errors",
    "corrections": "Corrected",
    "not_counted": "Not counted",
}
"""The columns of the table, by which its rows can be sorted, with their titles. What one decides from comes
first, because a phone shows only the first columns.
"""


class AttributionRequest(NamedTuple):
    """The parameters of the page: its days, its grouping, and the values by which its rows are filtered."""

    house: str
    begins: date
    last: date
    by: str
    within: dict[str, str]
    sort: str = ""
    """The part of the win by which the rows are sorted. A leading `-` puts the largest amount first."""

    @property
    def span(self) -> Span:
        return Span(self.begins, self.last + timedelta(days=1), self.house)

    @property
    def shown_limits(self) -> list[ShownLimit]:
        """Return the filters of the page for display, each with the address of the page without it."""
        begins, last = self.begins.isoformat(), self.last.isoformat()
        return limit_parameters.shown(
            tuple(self.within.items()),
            lambda pairs: self._replace(within=dict(pairs)).of_days(begins, last),
        )

    @property
    def table_day(self) -> str:
        """Return the address of the page of one table's day, if this page shows a part of it. Otherwise,
        return empty text.
        """
        if not {"table", "day"} <= set(self.within):
            return ""
        return reverse("where_day", args=[*self.within["table"].split("/", 1), self.within["day"]])

    @property
    def days(self) -> dict[str, str]:
        return {"property": self.house, "from": self.begins.isoformat(), "to": self.last.isoformat()}

    def of_days(self, begins: str, last: str) -> str:
        """Return the address of this page for other days."""
        return f"?{urlencode({**self.days, 'from': begins, 'to': last, **self.within, 'by': self.by})}"

    @property
    def heads(self) -> list[tuple[str, str, str, str]]:
        """Return the key and the title of each column, the address that sorts the rows by it, and their
        current order.
        """
        address = self.of_days(self.begins.isoformat(), self.last.isoformat())
        return [
            (
                key,
                title,
                f"{address}&sort={key if self.sort == f'-{key}' else f'-{key}'}",
                order_of(self.sort, key),
            )
            for key, title in COLUMNS.items()
        ]

    def narrowed(self, value: str) -> str:
        """Return the address at which a row is shown in more detail: a list of its tables, a list of the days
        of its table, or the page of one table's day.
        """
        within = {**self.within, self.by: value}
        if {"table", "day"} <= set(within) <= OF_TABLE_DAY:
            return reverse("where_day", args=[*within["table"].split("/", 1), within["day"]])
        return f"{reverse('where')}?{urlencode({**self.days, **within, 'by': other_grouping(within)})}"

    @property
    def scope(self) -> Scope:
        return Scope(self.house, self.begins, self.last, self.within)

    def report(self, name: str, by: tuple[str, ...]) -> str:
        """Return the address of the report `name` for the days and the filters of this page, or empty text if
        the report does not know one of the filters.
        """
        return report_address(self.scope, name, by)

    def report_of_part(self, part: str, amount: str | Absent) -> str:
        """Return the address of the report of which one total is the amount of this part. Its rows are more
        detailed than those of this page, and the largest amounts come first.
        """
        names = [name for name in (self.by, "table", "day") if name not in self.within]
        by = tuple(dict.fromkeys(names))[:2]
        sort = part if amount.startswith("-") else f"-{part}"
        return f"{self.report('where-the-hold-went', by)}&{urlencode({'sort': sort})}"


def other_grouping(within: dict[str, str]) -> str:
    """Return the grouping in which rows with these filters are shown in more detail."""
    return (
        next(name for name in ("table", "day", "shift", *BY) if name not in within)
        if len(within) < len(BY)
        else "table"
    )


def narrowed(wanted: AttributionRequest, by: tuple[str, ...]) -> list[report.AttributionRow]:
    """Return the rows that match the filters. The keys of these rows do not contain the values of the
    filters.

    Args:
        by: the names of the filters, followed by the grouping.
    """
    values = tuple(wanted.within.values())
    return [
        row._replace(key=row.key[len(values) :])
        for row in report.sums(wanted.span, by)
        if row.key[: len(values)] == values
    ]
