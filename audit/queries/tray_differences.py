"""Compare each count of a tray with the count before it at the same table, for journals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from audit import database
from audit.queries.span import Span


class TrayDifference(NamedTuple):
    """A count of a tray, compared with the count before it at the same table.

    Attributes:
        stream: the table's gaming day.
        currency: the currency of the count.
        shift: the shift of the count.
        day_before: the gaming day of the count before it.
        opened: the opener minus the closer before it, in minor units. It is 0 for any other pair of counts,
            and for counts in different currencies.
    """

    stream: str
    currency: str
    shift: str
    day_before: date
    opened: int


_DIFFERENCES = """WITH days AS (
    SELECT property, stream, "table", day,
        CASE WHEN %(streams)s::text[] IS NULL THEN "table" ELSE stream END AS series,
        CASE WHEN %(streams)s::text[] IS NULL THEN %(begins)s::date ELSE day END AS begins
    FROM examination WHERE property = %(property)s AND NOT late
        AND day >= coalesce(%(begins)s::date, '-infinity') AND day < coalesce(%(ends)s::date, 'infinity')
        AND (%(streams)s::text[] IS NULL OR stream = ANY (%(streams)s))),
own AS (
    SELECT d.property, d."table", d.series, d.begins, d.stream, d.day,
        t.place, t.kind, t.currency, t.shift, t.amount
    FROM days d, LATERAL (
        SELECT * FROM tray_tally t WHERE t.property = d.property AND t.stream = d.stream OFFSET 0) t),
counts AS (
    SELECT series, stream, day, place, kind, currency, shift, amount, true AS is_compared FROM own
    UNION ALL
    SELECT w.series, d.stream, d.day, t.place, t.kind, t.currency, t.shift, t.amount, false
    FROM (SELECT DISTINCT property, "table", series, begins FROM own) w,
        LATERAL (SELECT e.* FROM examination e WHERE e.property = w.property AND e."table" = w."table"
            AND e.day < w.begins AND NOT e.late AND EXISTS (SELECT FROM tray_tally y
                WHERE y.property = e.property AND y.stream = e.stream)
            ORDER BY e.day DESC LIMIT 1) d,
        LATERAL (SELECT * FROM tray_tally t WHERE t.property = d.property AND t.stream = d.stream
            ORDER BY place DESC LIMIT 1) t),
pairs AS (
    SELECT stream, day, currency, shift, is_compared, lag(day) OVER series_order AS day_before,
        CASE WHEN kind = 'opener-counted' AND lag(kind) OVER series_order = 'closer-counted'
            AND lag(currency) OVER series_order = currency
            THEN amount - lag(amount) OVER series_order ELSE 0 END AS opened
    FROM counts WINDOW series_order AS (PARTITION BY series ORDER BY day, place))
SELECT stream, currency, shift, day_before, opened FROM pairs
WHERE is_compared AND (day_before <> day OR opened <> 0)"""
"""SQL of the pairs of counts. Each series of counts is of one table, or of one stream if streams are named.
It begins with the last count of the table before the first day of the series.
"""


def tray_differences(span: Span, streams: Sequence[str] | None = None) -> list[TrayDifference]:
    """Return the counts of trays whose count before them is of another day, or differs from them. Days that
    are still open are included. Days that were recorded late are left out.

    Args:
        span: the days and the property.
        streams: the streams whose counts are compared, or None for all.
    """
    names = None if streams is None else list(streams)
    values = {"property": span.property, "begins": span.begins, "ends": span.ends, "streams": names}
    return database.records(TrayDifference, _DIFFERENCES, values, opened=int)
