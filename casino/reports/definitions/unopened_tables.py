"""Tables that were not opened on a gaming day of their house, with their last closer: after seven days two
people count them again.
"""

from __future__ import annotations

from audit.queries.cage_lists import Closed, unopened
from audit.queries.tallies import Span
from casino.reports.columns import Absent, Column, Row, Sheet
from games.kit.amounts import decimal

TITLE = "Unopened tables"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "days"
AGAIN = 7
"""Days after which a table that stayed shut is counted again (K.A.R. 112-108-27)."""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each day and table."""
    columns = (
        Column("table", "table"),
        Column("day", "day", "day"),
        Column("last_open", "last open", "day"),
        Column("days", "days", "count"),
        Column("currency", "currency"),
        Column("last_closer", "last closer", "money"),
        Column("note", "note"),
    )
    return Sheet(TITLE, columns, [_row(one) for one in unopened(span)])


def _row(one: Closed) -> Row:
    days = (one.day - one.last_open).days
    closer = Absent("n/a") if one.closer is None else decimal(one.closer, one.currency)
    note = "recount by two, and a new slip" if days >= AGAIN else "no closer" if one.closer is None else ""
    return (one.table, one.day.isoformat(), one.last_open.isoformat(), days, one.currency, closer, note)
