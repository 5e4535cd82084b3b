"""Markers that are not fully paid, by age. Each unpaid amount is in the column for the number of days since
its marker was issued. A marker that was written off counts as unpaid no longer: the report shows what was
written off of it until all of that is recovered.

Markers that were issued before the span are included. Ages are counted up to the last day of the span. If the
span has no end, they are counted up to the last day on which any of these markers was issued or paid. Control
MA-11 (WAC 230-15-730(4)(a)) asks for this report.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from audit.queries.markers import Balance, Marker, balances, markers_of
from audit.queries.span import Span
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.limits import NO_LIMITS, Limits, chosen, day_or_month
from games.kit.amounts import decimal

TITLE = "Marker ageing"
DEPARTMENT = "Cage and count room"
NEEDED = "Each month, to collect old markers or to write them off."
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "open"
LEADS = ("slip", "currency", "open", "days")
LIMITED_BY = ("table", "day", "month")
"""The limits `day` and `month` are those on which a marker was issued."""
EMPTY = Absent("")
CURRENCY = 2
"""The index of the currency in the key of a marker."""
LIMITS = (7, 30, 60, 90)
"""The highest age in each column, in days. The last column has all older markers."""
AGES = (
    Column("to_7_days", "up to 7 days", "money"),
    Column("to_30_days", "8 to 30 days", "money"),
    Column("to_60_days", "31 to 60 days", "money"),
    Column("to_90_days", "61 to 90 days", "money"),
    Column("over_90_days", "over 90 days", "money"),
)
COLUMNS = (
    Column("slip", "marker"),
    Column("table", "table"),
    Column("currency", "currency"),
    Column("issued_on", "issued on", "day"),
    Column("paid_on", "last paid on", "day"),
    Column("days", "days open", "count"),
    Column("open", "open", "money"),
    *AGES,
    Column("written_off", "written off", "money"),
    Column("recovered", "recovered", "money"),
    Column("note", "note"),
)


class AgedMarker(NamedTuple):
    """The balance of a marker and the days since it was issued. `days` is None if the marker was never issued
    here.
    """

    balance: Balance
    days: int | None

    @property
    def column(self) -> int | None:
        """Return the index of the column for the marker's age. Return None if `days` is None, or if nothing
        is owed on the marker.
        """
        return None if self.days is None or not self.balance.owed else bisect_left(LIMITS, self.days)


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each marker on which something is owed, or of which something was written off and
    not recovered, the oldest first, and a total for each currency.
    """
    return limited(span, NO_LIMITS)


def limited(span: Span, limits: Limits) -> Sheet:
    """Return the report limited to the markers of one table, or issued on one day or in one month. Ages are
    those of the whole report.
    """
    every = balances(span)
    last = _last_day(span, every)
    of_days = {name: value for name, value in limits.items() if name != "table"}
    every = chosen(every, of_days, lambda balance, name: day_or_month(balance.issued_on, name))
    if "table" in limits:
        markers = markers_of(span, [balance.key for balance in every])
        pairs = zip(every, markers, strict=True)
        every = [balance for balance, marker in pairs if marker.table == limits["table"]]
    aged = [AgedMarker(balance, _age(balance, last)) for balance in every]
    aged.sort(key=lambda item: -1 if item.days is None else item.days, reverse=True)
    return Sheet(
        TITLE, COLUMNS, Rows.together(aged, lambda shown: _rows(span, shown)), _totals(aged), leads=LEADS
    )


def _last_day(span: Span, every: Sequence[Balance]) -> date:
    if span.ends is not None:
        return span.ends - timedelta(days=1)
    markers = markers_of(span, [balance.key for balance in every])
    days = (day for marker in markers for day in (marker.issued_on, marker.paid_on) if day is not None)
    return max(days, default=date.min)


def _age(balance: Balance, last: date) -> int | None:
    return None if balance.issued_on is None else (last - balance.issued_on).days


def _rows(span: Span, aged: Sequence[AgedMarker]) -> Iterator[Row]:
    return map(_row, aged, markers_of(span, [item.balance.key for item in aged]))


def _row(item: AgedMarker, marker: Marker) -> Row:
    currency, open_amount = marker.currency, item.balance.owed
    amount = decimal(open_amount, currency)
    note = (
        "paid and never issued here"
        if marker.issued_on is None
        else "more paid or written off than issued"
        if open_amount < 0 and marker.written_off
        else "more paid than issued"
        if open_amount < 0
        else "written off"
        if marker.written_off and not open_amount
        else "partly written off"
        if marker.written_off
        else ""
    )
    return (
        marker.slip,
        marker.table,
        currency,
        marker.issued_on.isoformat() if marker.issued_on is not None else EMPTY,
        marker.paid_on.isoformat() if marker.paid_on is not None else EMPTY,
        EMPTY if item.days is None else item.days,
        amount,
        *(amount if place == item.column else EMPTY for place in range(len(AGES))),
        decimal(marker.written_off, currency),
        decimal(marker.recovered, currency),
        note,
    )


def _totals(aged: Sequence[AgedMarker]) -> tuple[Row, ...]:
    """Return the totals by currency. Payments for a marker that was never issued here are in none of the
    columns by age.
    """
    sums: dict[str, list[int]] = defaultdict(lambda: [0] * (3 + len(AGES)))
    for item in aged:
        key, owed, written_off, recovered, _ = item.balance
        amounts, column = sums[key[CURRENCY]], item.column
        amounts[0] += owed
        if column is not None:
            amounts[1 + column] += owed
        amounts[-2] += written_off
        amounts[-1] += recovered
    return tuple(
        ("total", "", currency, EMPTY, EMPTY, EMPTY, *(decimal(amount, currency) for amount in amounts), "")
        for currency, amounts in sorted(sums.items())
    )
