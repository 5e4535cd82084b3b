"""Count against recount: the shifts of tables whose boxes were counted with different results, or only once.
For each shift, the report also has the number of findings on these counts.

If two boxes of a shift have differences that cancel out, the shift is still listed, because each box has a
finding.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from operator import itemgetter
from typing import NamedTuple

from audit.queries import cage_facts
from audit.queries.cache import table_days as cached_days
from audit.queries.cache.aggregates import Aggregate
from audit.queries.cache.lists import CachedList, cached_list
from audit.queries.cage_lists import found_at
from audit.queries.span import Span
from audit.queries.table_day import TableDay
from casino.count_room.queries import KINDS, boxes_of
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.grouping import less_rows, name_of_sums, percent
from casino.reports.limits import Limits, chosen, totals_of_list
from casino.reports.shift_order import sort_items
from games.kit.amounts import decimal
from games.kit.events import Event

TITLE = "Drop variance"
DEPARTMENT = "Cage and count room"
NEEDED = "After each count, to see which boxes must be counted again."
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "variance"
LIMITED_BY = ("table", "day", "shift")
NOTHING = Absent("n/a")
ONCE = "the boxes of some shifts were not all counted twice"
KEY = ("table", "day", "currency", "shift")
"""The names of the values in the key of a row."""


class CountFigures(NamedTuple):
    """`pulled`, `counted` and `verified`: the numbers of boxes that were pulled, counted and recounted.
    `drop` and `verified_drop`: the counted and the recounted amount, in minor units. `findings`: the number
    of findings on counts that differ.
    """

    pulled: int
    counted: int
    drop: int
    verified: int
    verified_drop: int
    findings: int


NO_COUNTS = CountFigures(0, 0, 0, 0, 0, 0)
CountRow = Aggregate[CountFigures]


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each table, day and shift whose counts do not agree, and a total of both counts for
    each currency.
    """
    rows = differing_shifts(span)
    return _sheet(span, rows, rows.totals)


def limited(span: Span, limits: Limits) -> Sheet:
    """Return the report limited to the shifts of some values."""
    rows = chosen(differing_shifts(span), limits, lambda row, name: row.key[KEY.index(name)])
    return _sheet(span, rows, totals_of_list(rows, _total_key))


def _sheet(span: Span, rows: Sequence[CountRow], total_rows: Iterable[CountRow]) -> Sheet:
    columns = (
        Column("table", "table"),
        Column("day", "day", "day"),
        Column("shift", "shift"),
        Column("currency", "currency"),
        Column("boxes_counted", "boxes counted", "count"),
        Column("counted", "count 1", "money"),
        Column("verified", "count 2", "money"),
        Column("variance", "variance", "money"),
        Column("variance_percent", "variance %", "percent"),
        Column("findings", "findings", "count"),
        Column("note", "note"),
    )
    rows = sort_items(rows, span, KEY)
    return Sheet(TITLE, columns, Rows(rows, _row), tuple(_totals(total_rows)), has_absent=True)


def differing_shifts(span: Span) -> CachedList[CountFigures]:
    """Return the shifts whose count and recount do not agree, and the totals of both counts by currency."""
    return cached_list(
        name_of_sums("drop-variance", (), None),
        span,
        _rows_that_differ,
        CountFigures,
        itemgetter(0),
        _total_key,
    )


def _total_key(row: CountRow) -> tuple[str, ...]:
    """Return the currency of a row, and `twice` if all boxes of its shift were counted twice."""
    return (row.key[2], "twice" if _counted_twice(row) else "")


def _totals(sums: Iterable[CountRow]) -> Iterator[Row]:
    """Yield a total of each currency. Its amounts are those of the shifts whose boxes were all counted twice,
    because only these can be compared. Its note names the other amounts.
    """
    by_key = {row.key: row.figures for row in sums}
    for currency in sorted({currency for currency, _ in by_key}):
        recounted, others = (by_key.get((currency, part), NO_COUNTS) for part in ("twice", ""))
        variance = recounted.verified_drop - recounted.drop
        missing = {"counted": -others.drop, "verified": -others.verified_drop}
        missing = {name: amount for name, amount in missing.items() if amount}
        yield (
            "total",
            "",
            "",
            currency,
            recounted.counted + others.counted,
            decimal(recounted.drop, currency),
            decimal(recounted.verified_drop, currency),
            decimal(variance, currency),
            percent(variance, recounted.drop) if recounted.drop else NOTHING,
            recounted.findings + others.findings,
            less_rows(currency, missing, ONCE) if missing else "",
        )


def _rows_that_differ(span: Span) -> Iterator[CountRow]:
    """Yield the shifts whose count and recount do not agree, or whose boxes were not all counted twice."""
    differing = _differing(span)
    for day in cached_days.without_play(span, by_shift=True):
        findings = differing[day.stream, day.currency, day.shift]
        if findings or day.verified_drop != day.drop or not day.pulled <= day.counted == day.verified:
            yield _of_day(day, findings)


def _differing(span: Span) -> Counter[tuple[str, str, str]]:
    """Return the number of findings on differing counts, by stream, currency and shift."""
    differing: Counter[tuple[str, str, str]] = Counter()
    uids_at = found_at(span, "count-differs")
    facts_at: dict[tuple[str, str], list[Event]] = defaultdict(list)
    for property in sorted({property for property, _ in uids_at}):
        streams = [stream for of_property, stream in uids_at if of_property == property]
        for row in cage_facts.facts(property, streams, KINDS):
            facts_at[property, row.stream].append(row.event)
    for (property, stream), uids in uids_at.items():
        table, _, day = stream.rpartition("/")
        for box in boxes_of(table, date.fromisoformat(day), facts_at[property, stream]):
            counts = {count.uid for count in (box.counted, box.verified) if count is not None}
            differing[stream, box.currency, box.shift] += len(counts & uids)
    return differing


def _of_day(day: TableDay, findings: int) -> CountRow:
    key = (day.table, day.day.isoformat(), day.currency, day.shift)
    return Aggregate(
        key, CountFigures(day.pulled, day.counted, day.drop, day.verified, day.verified_drop, findings)
    )


def _counted_twice(row: CountRow) -> bool:
    return 0 < row.figures.counted == row.figures.verified


def _row(row: CountRow) -> Row:
    table, day, currency, shift = row.key
    figures, is_counted_twice = row.figures, _counted_twice(row)
    difference = figures.verified_drop - figures.drop
    uncounted = figures.pulled - figures.counted
    notes = [f"pending: {uncounted} box{'es' if uncounted > 1 else ''} not counted"] if uncounted > 0 else []
    if figures.counted != figures.verified:
        notes.append(f"{figures.verified} of {figures.counted} counts verified")
    no_count = Absent("pending" if uncounted > 0 else "n/a")
    return (
        table,
        day,
        shift,
        currency,
        figures.counted,
        decimal(figures.drop, currency) if figures.counted else no_count,
        decimal(figures.verified_drop, currency) if figures.verified else NOTHING,
        decimal(difference, currency) if is_counted_twice else NOTHING,
        percent(difference, figures.drop) if is_counted_twice and figures.drop else NOTHING,
        figures.findings,
        "; ".join(notes),
    )
