"""Each opener against what was counted at that table before it: the last closer, also that of an earlier day.

Any difference is shown, in whichever direction; an opener with nothing before it, or with another opener, has none and says why.
"""

from __future__ import annotations

from audit.queries import Span
from audit.queries import cage as queries
from audit.queries.cage import Tray
from audit.queries.summed import Sum, merged
from casino.reports import Absent, Column, Row, Sheet
from games.kit.amounts import decimal

TITLE = "Opener against last closer"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "difference"
NOTHING = Absent("n/a")


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each opener; a total of the differences for each currency."""
    columns = (
        Column("table", "table"), Column("day", "day", "day"), Column("shift", "shift"), Column("currency", "currency"),
        Column("opener", "opener", "money"), Column("last_closer", "last closer", "money"), Column("closed_on", "closed on", "day"),
        Column("difference", "difference", "money"), Column("note", "note"),
    )  # fmt: skip
    openers = [tray for tray in queries.trays(span) if tray.kind == "opener-counted"]
    apart = merged(Sum((tray.currency,), (tray.amount - tray.before_amount,)) for tray in openers if not _why(tray))
    totals = [("total", "", "", currency, "", "", "", decimal(int(difference), currency), "") for (currency,), (difference,), _ in apart]
    return Sheet(TITLE, columns, [_row(tray) for tray in openers], tuple(totals))


def _why(tray: Tray) -> str:
    """Why an opener cannot be held against a closer; empty where it can."""
    if not tray.before:
        return "nothing was counted here before"
    if tray.before != "closer-counted":
        return "an opener was counted before, and no closer"
    return "the last closer was in another currency" if tray.before_currency != tray.currency else ""


def _row(tray: Tray) -> Row:
    why, currency = _why(tray), tray.currency
    closer: str = NOTHING
    difference: str = NOTHING
    note = why
    if not why:
        closer, difference = decimal(tray.before_amount, currency), decimal(tray.amount - tray.before_amount, currency)
        note = "" if tray.amount == tray.before_amount else "over" if tray.amount > tray.before_amount else "short"
    closed = tray.before_day.isoformat() if tray.before_day is not None and not why else ""
    return (
        tray.table, tray.day.isoformat(), tray.shift, currency, decimal(tray.amount, currency), closer, closed, difference, note,
    )  # fmt: skip
