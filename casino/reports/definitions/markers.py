"""Markers by serial: the amounts issued, paid, written off, recovered, and open at the end of the span. A
marker is not part of the drop until its paper is counted in a box. Markers issued earlier and not paid in the
span are left out. The report Marker ageing has every open marker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from audit.queries.markers import Marker, Markers, Totals, owed
from audit.queries.span import Span
from casino.reports.columns import Column, Row, Rows, Sheet
from casino.reports.limits import NO_LIMITS, Limits, chosen, day_or_month
from games.kit.amounts import decimal

TITLE = "Markers"
DEPARTMENT = "Cage and count room"
NEEDED = "Each day, to see which markers are still owed."
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "open"
LEADS = ("slip", "currency", "open", "issued_on")
LIMITED_BY = ("table", "day", "month")
"""The limits `day` and `month` are those on which a marker was issued."""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each marker that was issued or paid in the span, and a total for each currency."""
    return limited(span, NO_LIMITS)


def limited(span: Span, limits: Limits) -> Sheet:
    """Return the report limited to the markers of one table, or issued on one day or in one month."""
    columns = (
        Column("slip", "marker"),
        Column("table", "table"),
        Column("currency", "currency"),
        Column("issued_on", "issued on", "day"),
        Column("issued", "issued", "money"),
        Column("paid_on", "last paid on", "day"),
        Column("paid", "paid", "money"),
        Column("written_off", "written off", "money"),
        Column("recovered", "recovered", "money"),
        Column("open", "open", "money"),
        Column("note", "note"),
    )
    markers = Markers(span)
    if not limits:
        rows = Rows.together(markers.keys, lambda keys: map(_row, markers.markers(keys)))
        return Sheet(TITLE, columns, rows, _totals(markers.totals), leads=LEADS)
    of_limits = chosen(markers, limits, _value)
    return Sheet(TITLE, columns, Rows(of_limits, _row), _totals(_sums(of_limits)), leads=LEADS)


def _value(marker: Marker, name: str) -> str:
    return marker.table if name == "table" else day_or_month(marker.issued_on, name)


def _sums(markers: Iterable[Marker]) -> dict[str, Totals]:
    """Return {currency: the total amounts of these markers}."""
    sums: dict[str, list[int]] = {}
    for marker in markers:
        amounts = (marker.issued, marker.paid, marker.written_off, marker.recovered)
        before = sums.get(marker.currency, [0] * len(amounts))
        sums[marker.currency] = [total + amount for total, amount in zip(before, amounts, strict=True)]
    return {currency: Totals(*amounts) for currency, amounts in sorted(sums.items())}


def _totals(totals: Mapping[str, Totals]) -> tuple[Row, ...]:
    """Return the row of totals for each currency."""
    return tuple(
        (
            "total",
            "",
            currency,
            "",
            decimal(total.issued, currency),
            "",
            decimal(total.paid, currency),
            decimal(total.written_off, currency),
            decimal(total.recovered, currency),
            decimal(owed(total), currency),
            "",
        )
        for currency, total in totals.items()
    )


def _row(marker: Marker) -> Row:
    def day(value: date | None) -> str:
        return value.isoformat() if value is not None else ""

    open_amount, currency = owed(marker), marker.currency
    note = (
        "paid, but never issued here"
        if marker.issued_on is None and marker.paid
        else "written off, but never issued here"
        if marker.issued_on is None
        else "voided"
        if not marker.issued
        else "more paid or written off than issued"
        if open_amount < 0 and marker.written_off
        else "more paid than issued"
        if open_amount < 0
        else "written off"
        if marker.written_off
        else ""
    )
    return (
        marker.slip,
        marker.table,
        currency,
        day(marker.issued_on),
        decimal(marker.issued, currency),
        day(marker.paid_on),
        decimal(marker.paid, currency),
        decimal(marker.written_off, currency),
        decimal(marker.recovered, currency),
        decimal(open_amount, currency),
        note,
    )
