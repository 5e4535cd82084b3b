"""The span of gaming days that pages, reports and exports ask about, and its conditions in SQL.

A span is half-open: `begins` is in, `ends` is not.
"""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

LAST = 2**63 - 1
"""No position is beyond it."""


CLOSED, RESTATED = "closed", "restated"
BOOKS = (CLOSED, RESTATED)


class Span(NamedTuple):
    """The gaming days, and the property, that are asked about; None = all.

    `books` empty: all that is recorded. `closed`: only days of tables that are closed, which no later fact
    can change. `restated`: the
    same, with what has been adjusted of them since. `until`: of these two, as they were at this position of
    the property's ledger: under the same rules the same rows for ever. None: as they stand now.
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
"""The tally of each stream `x` by itself: the planner would rather read that of all days that there ever
were. So has `_TABLE_DAYS` it.
"""


def bounds(span: Span) -> list[Any]:
    return [span.begins, span.ends, span.property, span.property]


def day_values(span: Span) -> list[Any]:
    """Return the values of the placeholders in `DAYS`: the bounds, and which of the closed books."""
    return [*bounds(span), *book_values(span)]


def book_values(span: Span) -> list[Any]:
    """Return the values of the placeholders in `OF_BOOKS`."""
    return [not span.books, LAST if span.until is None else span.until]
