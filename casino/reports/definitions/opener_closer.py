"""Each opener is compared with the last closer that was counted before it at the same table in the same
currency, even if that closer is from an earlier day.

Any difference is shown, in either direction. An opener has no difference if there is no count before it, or
if that count is another opener. A note then says why.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

from audit.garbage import without_garbage_collection
from audit.queries.cache.aggregates import Aggregate
from audit.queries.cache.lists import CachedList, PlainRow, cached_list
from audit.queries.cage_lists import Tray, last_trays, trays
from audit.queries.lazy_sequence import LazySequence
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
LEADS = ("table", "currency", "difference", "day", "shift")
"""The columns that the page of the report shows first."""
LIMITED_BY = ("table", "day", "shift")
NOTHING = Absent("n/a")
OPENER, CLOSER = "opener-counted", "closer-counted"
TABLE, DAY, _, SHIFT, CURRENCY, KIND, PROPERTY = range(7)
"""Positions of the values in the key of a tray row. The position without a name is that of the ordinal of the
count.
"""
PLACES = {"table": TABLE, "day": DAY, "shift": SHIFT}
"""For each name by which the report can be limited: its position in the key of a tray row."""


OPENERS, DIFFERENCE, FIRST, LAST = "openers", "difference", "first", "last"
"""The first values in the keys of the totals of a period. OPENERS: the number of openers of a table.
DIFFERENCE: the differences in a currency. FIRST and LAST: the first and the last count of a table in a
currency, with the key of the count. The first one is compared with a count of an earlier period.
"""


class TrayFigures(NamedTuple):
    """The amount counted in a tray, in minor units."""

    amount: int


Opener = tuple[PlainRow, PlainRow | None]
"""An opener, and the amount counted before it at the same table in the same currency. Both are plain tuples,
because a file reads all of them.
"""
Series = tuple[str, str]
"""A table and a currency. Each count of a series is compared with the count before it."""


class Openers(LazySequence[Opener]):
    """Every opener of a span, with the tray that was counted before it. They are ordered by table, then by
    the order of the counts. Only the tables of the requested openers are read.

    `differences` has the difference of all openers for each currency.
    """

    def __init__(self, counted: CachedList[TrayFigures], span: Span) -> None:
        self._counted = counted
        numbers: Counter[str] = Counter()
        self.differences: Counter[str] = Counter()
        ends: dict[Series, list[Aggregate[TrayFigures]]] = {}
        for total in counted.totals:
            name, *key = total.key
            if name == OPENERS:
                numbers[key[0]] += total.figures.amount
            elif name == DIFFERENCE:
                self.differences[key[0]] += total.figures.amount
            else:
                ends.setdefault((key[TABLE], key[CURRENCY]), []).append(total)
        self._before = _counted_before(span, ends)
        for series, totals in ends.items():
            self._compare_periods(series, totals)
        self._tables = sorted(numbers)
        self._ends = list(accumulate(numbers[table] for table in self._tables))

    def _compare_periods(self, series: Series, totals: Iterable[Aggregate[TrayFigures]]) -> None:
        """Add the differences between the first count of each period and the count before it."""
        before = self._before.get(series)
        # The first and the last count of a period may be the same one.
        for total in sorted(totals, key=lambda total: (total.key[1:], total.key[0] == LAST)):
            name, *key = total.key
            tray: PlainRow = (tuple(key), tuple(total.figures), ())
            if name == FIRST and (difference := _difference(tray, before)) is not None:
                self.differences[series[1]] += difference
            before = tray

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def slice(self, begins: int, ends: int) -> list[Opener]:
        """Return the openers from position `begins` to `ends` (exclusive)."""
        first, last = bisect_right(self._ends, begins), bisect_right(self._ends, max(ends - 1, begins))
        before = self._ends[first - 1] if first else 0
        return self._of(self._tables[first : last + 1])[begins - before : ends - before]

    def __iter__(self) -> Iterator[Opener]:
        return iter(self._of(self._tables))

    def _of(self, tables: Iterable[str]) -> list[Opener]:
        """Return all openers of these tables."""
        before, openers = dict(self._before), list[Opener]()
        with without_garbage_collection():
            for tray in self._counted.plain_rows(tables):
                table, _, _, _, currency, kind, _ = tray[0]
                series = table, currency
                if kind == OPENER:
                    openers.append((tray, before.get(series)))
                before[series] = tray
        return openers


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
    every = Openers(_list(span), span)
    openers: Sequence[Opener] = every
    differences = every.differences
    if limits:
        openers = chosen(every, limits, lambda opener, name: opener[0][0][PLACES[name]])
        differences = Counter()
        for tray, before in openers:
            if (difference := _difference(tray, before)) is not None:
                differences[tray[0][CURRENCY]] += difference
    totals = [
        ("total", "", "", currency, "", "", "", decimal(amount, currency), "")
        for currency, amount in sorted(differences.items())
    ]
    return Sheet(TITLE, columns, Rows(openers, _row), tuple(totals), has_absent=True, leads=LEADS)


def _list(span: Span) -> CachedList[TrayFigures]:
    """Return the counted trays of the span."""
    name = name_of_sums("opener-closer", (), None)
    return cached_list(name, span, _trays, TrayFigures, itemgetter(TABLE), None, _totals)


def _counted_before(span: Span, ends: dict[Series, list[Aggregate[TrayFigures]]]) -> dict[Series, PlainRow]:
    """Return the last tray of each series that was counted before the span.

    Args:
        ends: the first and the last count of each series, with their totals' keys.
    """
    if span.begins is None:
        return {}
    tables = sorted((totals[0].key[1 + PROPERTY], *series) for series, totals in ends.items())
    return {(tray.table, tray.currency): _counted(tray) for tray in last_trays(tables, span.begins, span)}


def _totals(counted: Sequence[Aggregate[TrayFigures]]) -> Iterator[Aggregate[TrayFigures]]:
    """Yield the totals of the trays of one period, which are in the order of the counts of each table."""
    before: dict[Series, Aggregate[TrayFigures]] = {}
    for tray in counted:
        table, currency = tray.key[TABLE], tray.key[CURRENCY]
        if tray.key[KIND] == OPENER:
            yield Aggregate((OPENERS, table), TrayFigures(1))
        last = before.get((table, currency))
        if last is None:
            yield tray._replace(key=(FIRST, *tray.key))
        elif (difference := _difference(tray, last)) is not None:
            yield Aggregate((DIFFERENCE, currency), TrayFigures(difference))
        before[table, currency] = tray
    for tray in before.values():
        yield tray._replace(key=(LAST, *tray.key))


def _difference(tray: PlainRow, before: PlainRow | None) -> int | None:
    """Return the amount of an opener minus the amount of the closer before it. Return None if these two
    counts are not an opener and a closer.
    """
    if before is None or tray[0][KIND] != OPENER or before[0][KIND] != CLOSER:
        return None
    amount: int = tray[1][0] - before[1][0]
    return amount


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
