"""Count against recount: every shift of a table whose boxes were counted differently, or not twice, with the
findings that say so.

Two boxes of a shift whose differences even out do not tie: each has its finding, and stands in the row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from operator import itemgetter

from audit.queries import cage_facts, tallies
from audit.queries.cache.aggregates import Aggregate
from audit.queries.cache.lists import cached_list
from audit.queries.cage_lists import found_at
from audit.queries.tallies import Span, TableDay
from casino.count_room.services import KINDS, boxes_of
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.grouping import name_of_sums, percent
from games.kit.amounts import decimal

TITLE = "Drop variance"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "variance"
NOTHING = Absent("n/a")


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each table, day and shift that does not tie; a total of what both counts say for each
    currency.
    """
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
    loose = cached_list(
        name_of_sums("drop-variance", (), None),
        span,
        _loose,
        itemgetter(0),
        lambda row: row.key[2:3] if _twice(row) else None,
    )
    totals = [
        (
            "total",
            "",
            "",
            currency,
            "",
            decimal(drop, currency),
            decimal(second, currency),
            decimal(second - drop, currency),
            percent(second - drop, drop) if drop else NOTHING,
            "",
            "",
        )
        for (currency,), (_, _, drop, _, second) in (
            (row.key, map(int, row.numbers[:5])) for row in loose.totals
        )
    ]
    return Sheet(TITLE, columns, Rows(loose, _row), tuple(totals))


def _loose(span: Span) -> Iterator[Aggregate]:
    """The shifts whose counts do not tie."""
    differing = _differing(span)
    for day in tallies.table_days(span, by_shift=True, play="nowhere"):
        findings = differing[day.stream, day.currency, day.shift]
        if findings or day.verified_drop != day.drop or not day.pulled <= day.counted == day.verified:
            yield _of_day(day, findings)


def _differing(span: Span) -> Counter[tuple[str, str, str]]:
    """Stream, currency and shift to how many counts of their boxes differ, by the findings."""
    found: Counter[tuple[str, str, str]] = Counter()
    for (property, stream), uids in found_at(span, "count-differs").items():
        table, _, day = stream.rpartition("/")
        facts = [kept.event for kept in cage_facts.facts(property, [stream], KINDS)]
        for box in boxes_of(table, date.fromisoformat(day), facts):
            counts = {count.uid for count in (box.counted, box.verified) if count is not None}
            found[stream, box.currency, box.shift] += len(counts & uids)
    return found


def _of_day(day: TableDay, findings: int) -> Aggregate:
    key = (day.table, day.day.isoformat(), day.currency, day.shift)
    return Aggregate(key, (day.pulled, day.counted, day.drop, day.verified, day.verified_drop, findings))


def _twice(row: Aggregate) -> bool:
    return 0 < int(row.numbers[1]) == row.numbers[3]


def _row(row: Aggregate) -> Row:
    table, day, currency, shift = row.key
    pulled, counted, drop, verified, second, findings = map(int, row.numbers)
    both, apart, uncounted = _twice(row), second - drop, pulled - counted
    notes = [f"pending: {uncounted} box{'es' if uncounted > 1 else ''} not counted"] if uncounted > 0 else []
    if counted != verified:
        notes.append(f"{verified} of {counted} counts verified")
    return (
        table,
        day,
        shift,
        currency,
        counted,
        decimal(drop, currency) if counted else Absent("pending" if uncounted > 0 else "n/a"),
        decimal(second, currency) if verified else NOTHING,
        decimal(apart, currency) if both else NOTHING,
        percent(apart, drop) if both and drop else NOTHING,
        findings,
        "; ".join(notes),
    )
