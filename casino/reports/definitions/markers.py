"""Markers by serial: issued, paid, and what is open at the end of the span. A marker itself is no drop; the
paper in the box is.
"""

from __future__ import annotations

from datetime import date

from audit.queries.markers import Marker, Markers
from audit.queries.tallies import Span
from casino.reports.columns import Column, Row, Rows, Sheet
from games.kit.amounts import decimal

TITLE = "Markers"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "open"


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each marker that was issued or paid in the span; a total for each currency."""
    columns = (
        Column("slip", "marker"),
        Column("table", "table"),
        Column("currency", "currency"),
        Column("issued_on", "issued on", "day"),
        Column("issued", "issued", "money"),
        Column("paid_on", "last paid on", "day"),
        Column("paid", "paid", "money"),
        Column("open", "open", "money"),
        Column("note", "note"),
    )
    found = Markers(span)
    totals = [
        (
            "total",
            "",
            currency,
            "",
            decimal(int(issued), currency),
            "",
            decimal(int(paid), currency),
            decimal(int(issued) - int(paid), currency),
            "",
        )
        for (currency,), (issued, paid), _ in found.totals
    ]
    return Sheet(TITLE, columns, Rows(found.keys, lambda key: _row(found.marker(key))), tuple(totals))


def _row(one: Marker) -> Row:
    def day(of: date | None) -> str:
        return of.isoformat() if of is not None else ""

    left, currency = one.issued - one.paid, one.currency
    note = (
        "paid and never issued here"
        if one.issued_on is None
        else "voided"
        if not one.issued
        else "paid beyond it"
        if left < 0
        else ""
    )
    return (
        one.slip,
        one.table,
        currency,
        day(one.issued_on),
        decimal(one.issued, currency),
        day(one.paid_on),
        decimal(one.paid, currency),
        decimal(left, currency),
        note,
    )
