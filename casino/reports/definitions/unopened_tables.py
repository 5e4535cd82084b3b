"""Tables that were not opened on a gaming day of their property, with their last closer. After seven days,
two people count them again.
"""

from __future__ import annotations

from audit.queries.cage_lists import Closed, unopened
from audit.queries.span import Span
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.limits import NO_LIMITS, Limits, chosen
from games.kit.amounts import decimal

TITLE = "Unopened tables"
DEPARTMENT = "Cage and count room"
NEEDED = "Each day, to see which closed trays must be counted again."
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "days"
LIMITED_BY = ("table", "day")
RECOUNT_AFTER = 7
"""Number of days after which a table that was not opened is counted again (K.A.R. 112-108-27)."""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each gaming day and table that was not opened."""
    return limited(span, NO_LIMITS)


def limited(span: Span, limits: Limits) -> Sheet:
    """Return the report limited to a table or a gaming day."""
    columns = (
        Column("table", "table"),
        Column("day", "day", "day"),
        Column("last_open", "last open", "day"),
        Column("days", "days", "count"),
        Column("currency", "currency"),
        Column("last_closer", "last closer", "money"),
        Column("note", "note"),
    )
    tables = chosen(unopened(span), limits, lambda table, name: str(getattr(table, name)))
    return Sheet(TITLE, columns, [_row(table) for table in tables], has_absent=True)


def _row(table: Closed) -> Row:
    days = (table.day - table.last_open).days
    closer = Absent("n/a") if table.closer is None else decimal(table.closer, table.currency)
    note = (
        "two people recount, and write a new slip"
        if days >= RECOUNT_AFTER
        else "no closer"
        if table.closer is None
        else ""
    )
    return (
        table.table,
        table.day.isoformat(),
        table.last_open.isoformat(),
        days,
        table.currency,
        closer,
        note,
    )
