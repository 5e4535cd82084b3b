"""Each opener against what was counted at that table before it: the last closer of its currency, also that of
an earlier day.

Any difference is shown, in whichever direction; an opener with nothing before it, or with another opener, has
none and says why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from audit.queries.cache.aggregates import Aggregate
from audit.queries.cache.lists import cached_list
from audit.queries.cage_lists import Tray, last_trays, trays
from audit.queries.tallies import Span
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.grouping import name_of_sums
from games.kit.amounts import decimal

TITLE = "Opener against last closer"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "difference"
NOTHING = Absent("n/a")
TABLE, DAY, _, _, CURRENCY, KIND, PROPERTY = range(7)
"""What stands where in the key of a tray; between its day and its currency, the how manieth it was and its
shift.
"""


class Opener(NamedTuple):
    """An opener, and what was counted at its table in its currency before it."""

    of: Aggregate
    before: Aggregate | None


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each opener; a total of the differences for each currency."""
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
    openers = list(_openers(span))
    apart = Counter[str]()
    for one in openers:
        if one.before is not None and not _why(one):
            apart[one.of.key[CURRENCY]] += int(one.of.numbers[0]) - int(one.before.numbers[0])
    totals = [
        ("total", "", "", currency, "", "", "", decimal(amount, currency), "")
        for currency, amount in sorted(apart.items())
    ]
    return Sheet(TITLE, columns, Rows(openers, _row), tuple(totals))


def _openers(span: Span) -> Iterator[Opener]:
    """Every opener of the span behind the tray before it, by table and in the order in which they were
    counted.
    """
    counted = list(
        cached_list(
            name_of_sums("opener-closer", (), None), span, _trays, itemgetter(TABLE), lambda tray: None
        )
    )
    before: dict[tuple[str, str], Aggregate] = {}
    if span.begins is not None:
        tables = sorted(set(map(itemgetter(PROPERTY, TABLE, CURRENCY), map(itemgetter(0), counted))))
        before = {
            (tray.table, tray.currency): _counted(tray) for tray in last_trays(tables, span.begins, span)
        }
    for tray in counted:
        key = tray.key
        of = key[TABLE], key[CURRENCY]
        if key[KIND] == "opener-counted":
            yield Opener(tray, before.get(of))
        before[of] = tray


def _trays(span: Span) -> Iterator[Aggregate]:
    return map(_counted, trays(span))


def _counted(tray: Tray) -> Aggregate:
    key = (
        tray.table,
        tray.day.isoformat(),
        f"{tray.place:06}",
        tray.shift,
        tray.currency,
        tray.kind,
        tray.property,
    )
    return Aggregate(key, (tray.amount,))


def _why(one: Opener) -> str:
    """Why an opener cannot be held against a closer; empty where it can."""
    if one.before is None:
        return "nothing was counted here before"
    return "" if one.before.key[KIND] == "closer-counted" else "an opener was counted before, and no closer"


def _row(one: Opener) -> Row:
    table, day, _, shift, currency, *_ = one.of.key
    amount, why = int(one.of.numbers[0]), _why(one)
    head = (table, day, shift, currency, decimal(amount, currency))
    if one.before is None or why:
        return *head, NOTHING, "", NOTHING, why
    closer = int(one.before.numbers[0])
    note = "over" if amount > closer else "short" if amount < closer else ""
    return *head, decimal(closer, currency), one.before.key[DAY], decimal(amount - closer, currency), note
