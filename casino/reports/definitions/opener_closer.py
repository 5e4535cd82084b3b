"""Each opener is compared with the last closer that was counted before it at the same table in the same
currency, even if that closer is from an earlier day.

Any difference is shown, in either direction. An opener has no difference if there is no count before it, or
if that count is another opener. A note then says why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from audit.garbage import without_garbage_collection
from audit.queries.cache.aggregates import Aggregate
from audit.queries.cache.lists import PlainRow, cached_list
from audit.queries.cage_lists import Tray, last_trays, trays
from audit.queries.span import Span
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.grouping import name_of_sums
from casino.reports.limits import NO_LIMITS, Limits, chosen
from games.kit.amounts import decimal

TITLE = "Opener against last closer"
DEPARTMENT = "Cage and count room"
NEEDED = "When tables are opened, to see whether a tray has changed since its closer."
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "difference"
LIMITED_BY = ("table", "day", "shift")
NOTHING = Absent("n/a")
OPENER, CLOSER = "opener-counted", "closer-counted"
TABLE, DAY, _, SHIFT, CURRENCY, KIND, PROPERTY = range(7)
"""Positions of the values in the key of a tray row. The position without a name is that of the ordinal of the
count.
"""
PLACES = {"table": TABLE, "day": DAY, "shift": SHIFT}
"""For each name by which the report can be limited: its position in the key of a tray row."""


class TrayFigures(NamedTuple):
    """The amount counted in a tray, in minor units."""

    amount: int


Opener = tuple[PlainRow, PlainRow | None]
"""An opener, and the amount counted before it at the same table in the same currency. Both are plain tuples,
because a page reads all of them for its totals.
"""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each opener, and a total of the differences for each currency."""
    return limited(span, NO_LIMITS)


def limited(span: Span, limits: Limits) -> Sheet:
    """Return the report limited to the openers of some values."""
    columns = (
        Column("table", "table"),
        Column("day", "day", "day"),
        Column("shift", "shift"),
        Column("currency", "currency"),
        Column("opener", "opener", "money"),
        Column("last_closer", "last closer", "money"),
        Column("closed_on", "closed on", "day"),
        Column("difference", "difference", "money"),
        Column("note", "note"),
    )
    openers = chosen(_openers(span), limits, lambda opener, name: opener[0][0][PLACES[name]])
    differences = Counter[str]()
    for (key, (amount,), _), before in openers:
        if before is not None and before[0][KIND] == CLOSER:
            differences[key[CURRENCY]] += amount - before[1][0]
    totals = [
        ("total", "", "", currency, "", "", "", decimal(amount, currency), "")
        for currency, amount in sorted(differences.items())
    ]
    return Sheet(TITLE, columns, Rows(openers, _row), tuple(totals), has_absent=True)


def _openers(span: Span) -> list[Opener]:
    """Return every opener of the span with the tray that was counted before it. They are ordered by table,
    then by the order of the counts.
    """
    counted = cached_list(
        name_of_sums("opener-closer", (), None),
        span,
        _trays,
        TrayFigures,
        itemgetter(TABLE),
        lambda tray: None,
    ).plain_rows()
    before: dict[tuple[str, str], PlainRow] = {}
    if span.begins is not None:
        tables = sorted(set(map(itemgetter(PROPERTY, TABLE, CURRENCY), map(itemgetter(0), counted))))
        before = {
            (tray.table, tray.currency): _counted(tray) for tray in last_trays(tables, span.begins, span)
        }
    openers = []
    with without_garbage_collection():
        for tray in counted:
            table, _, _, _, currency, kind, _ = tray[0]
            place = table, currency
            if kind == OPENER:
                openers.append((tray, before.get(place)))
            before[place] = tray
    return openers


def _trays(span: Span) -> Iterator[Aggregate[TrayFigures]]:
    return map(_counted, trays(span))


def _counted(tray: Tray) -> Aggregate[TrayFigures]:
    key = (
        tray.table,
        tray.day.isoformat(),
        f"{tray.place:06}",
        tray.shift,
        tray.currency,
        tray.kind,
        tray.property,
    )
    return Aggregate(key, TrayFigures(tray.amount))


def _row(opener: Opener) -> Row:
    (key, (amount,), _), before = opener
    table, day, _, shift, currency, *_ = key
    head = (table, day, shift, currency, decimal(amount, currency))
    if before is None:
        return *head, NOTHING, "", NOTHING, "nothing was counted here before"
    if before[0][KIND] != CLOSER:
        return *head, NOTHING, "", NOTHING, "the count before was an opener, not a closer"
    closer = before[1][0]
    note = "over" if amount > closer else "short" if amount < closer else ""
    return *head, decimal(closer, currency), before[0][DAY], decimal(amount - closer, currency), note
