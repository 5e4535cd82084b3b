"""The range of gaming days for pages, reports and exports, and its conditions in SQL.

A span is half-open: it includes `begins` and excludes `ends`.
"""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

LAST = 2**63 - 1
"""A number that is greater than or equal to every ledger position."""


CLOSED, RESTATED = "closed", "restated"
BOOKS = (CLOSED, RESTATED)


class Span(NamedTuple):
    """The requested gaming days and property. None means all.

    With the same position and rules, the rows are always the same.

    Attributes:
        books: empty for all recorded data; `closed` for closed days of tables only, which later facts cannot
            change; `restated` for closed days with their later adjustments.
        until: the position of the property's ledger as of which closed or restated books are read, or None
            for now.
    """

    begins: date | None = None
    ends: date | None = None
    property: str | None = None
    books: str = ""
    until: int | None = None


OF_BOOKS = "(%s OR closed <= %s)"
DAYS = f"""SELECT property, stream, "table", day, game, live_dealer, open_boxes, coalesce(boxes, -1)
    AS boxes, stays, first_box, settings
    FROM examination WHERE day >= coalesce(%s, '-infinity'::date) AND day < coalesce(%s, 'infinity'::date)
        AND (%s::text IS NULL OR property = %s) AND {OF_BOOKS}"""

OF_STREAM = "LATERAL (SELECT * FROM tally t WHERE t.property = x.property AND t.stream = x.stream OFFSET 0) t"
"""SQL that reads the tally of each stream `x` separately. Without OFFSET 0, the planner would read the tally
of all days. `_TABLE_DAYS` uses the same technique.
"""


def bounds(span: Span) -> list[Any]:
    return [span.begins, span.ends, span.property, span.property]


def day_values(span: Span) -> list[Any]:
    """Return the values for the placeholders in `DAYS`: the first and last days and the books."""
    return [*bounds(span), *book_values(span)]


def book_values(span: Span) -> list[Any]:
    """Return the values of the placeholders in `OF_BOOKS`."""
    return [not span.books, LAST if span.until is None else span.until]
