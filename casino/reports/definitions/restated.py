"""Closed and restated side by side: what was won in closed days as they were closed, what was adjusted since,
and what was won with that.

The closed figures never change; bases, pending days and ratios are those of `hold`. An adjustment of a day
that is not closed yet is in neither, and is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from audit.queries import tallies
from audit.queries.cache.aggregates import Aggregate, exact_number, merge
from audit.queries.tallies import CLOSED, RESTATED, Adjustment, Span
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.definitions import hold
from casino.reports.grouping import PLAY_ALONE, blank, columns_of, of_day, pits_for
from casino.reports.hold_figure import FELT, LIVE, WAGERS
from casino.reports.overnight_boxes import OvernightBoxes
from games.kit.amounts import decimal

TITLE = "Closed and restated"
BY = tuple(name for name in hold.BY if name not in PLAY_ALONE)
DEFAULT_BY = ("table",)
CHART = "restated_win"
NOTHING = Absent("none")
Key = tuple[str, ...]


class Changes:
    """Number and amount of what was adjusted of closed days, and how many adjustments wait for a close, by
    what rows are grouped by.
    """

    def __init__(self) -> None:
        self.number, self.amount, self.waiting = Counter[Key](), Counter[Key](), Counter[Key]()

    def add(self, key: Key, one: Adjustment) -> None:
        if one.closed:
            self.number[key] += 1
            self.amount[key] += one.amount
        else:
            self.waiting[key] += 1


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group, basis and currency of closed days; a total for each basis and currency."""
    columns = (
        *columns_of(by),
        Column("basis", "basis"),
        Column("currency", "currency"),
        Column("closed_win", "win, closed", "money"),
        Column("closed_denominator", "drop or handle, closed", "money"),
        Column("closed_percent", "hold %, closed", "percent"),
        Column("adjustments", "adjustments", "count"),
        Column("adjusted", "adjusted", "money"),
        Column("restated_win", "win, restated", "money"),
        Column("restated_denominator", "drop or handle, restated", "money"),
        Column("restated_percent", "hold %, restated", "percent"),
        Column("note", "note"),
    )
    closed, restated = span._replace(books=CLOSED), span._replace(books=RESTATED)
    changes = list(tallies.restating(span))
    held = OvernightBoxes(closed)
    held_since = OvernightBoxes(restated, held, changes)
    before = hold.sums(closed, by, held)
    after = _restated(held_since, by, before, changes)
    rows, totals = Changes(), Changes()
    _count(changes, by, {row.key for row in (*before, *after)}, rows, totals)
    found = list(_rows(before, after, rows))
    if not by:
        return Sheet(TITLE, columns, found)
    whole = hold.totals(closed, by, before, held), hold.totals(restated, by, after, held_since)
    return Sheet(TITLE, columns, found, tuple(_rows(*whole, totals)))


def _restated(
    held: OvernightBoxes, by: tuple[str, ...], closed: list[Aggregate], changes: Sequence[Adjustment]
) -> list[Aggregate]:
    """The sums of the restated books: the closed ones, with the few days that were adjusted taken out and put
    in anew.

    A day that was pending, or whose box stayed, hangs together with others: then all is added up.
    """
    streams = sorted({one.stream for one in changes if one.closed})
    if not streams:
        return closed
    span, pits, shifts = held.span, pits_for(by), "shift" in by
    if set(held.streams) & set(streams):
        return hold.sums(span, by, held)
    days = list(tallies.table_days(span._replace(books=CLOSED), by_shift=shifts, streams=streams))
    first = [hold.own(day, by, pits) for day in days]
    if any(row.words for row in first):
        return hold.sums(span, by, held)
    second = [hold.own(day, by, pits) for day in tallies.restate(days, changes, by_shift=shifts)]
    taken = [
        Aggregate(row.key, tuple(exact_number(-Fraction(number)) for number in row.numbers)) for row in first
    ]
    return merge([*closed, *taken, *second])


def _count(
    changes: Iterable[Adjustment], by: tuple[str, ...], known: set[Key], rows: Changes, totals: Changes
) -> None:
    """Each adjustment where its day is added up. Of a felt table it is in its drop's figures, where it has
    any.
    """
    pits = pits_for(by)
    for one in changes:
        (day,) = tallies.restate((), [one._replace(closed=True)], by_shift="shift" in by)
        values = of_day(day, by, pits)
        bases = (LIVE,) if one.live_dealer else (FELT, WAGERS)
        basis = next((basis for basis in bases if (*values, basis, one.currency) in known), bases[0])
        rows.add((*values, basis, one.currency), one)
        totals.add((*blank(by), basis, one.currency), one)


def _rows(closed: list[Aggregate], restated: list[Aggregate], changes: Changes) -> Iterable[Row]:
    before, after = ({row.key: row for row in rows} for rows in (closed, restated))
    for key in sorted({*before, *after, *changes.number, *changes.waiting}):
        first, second = (_written(of.get(key)) for of in (before, after))
        notes = [f"{name}: {note}" for name, note in ((CLOSED, first[-1]), (RESTATED, second[-1])) if note]
        if first[-1] == second[-1]:
            notes = [first[-1]] if first[-1] else []
        if waiting := changes.waiting[key]:
            notes.append(f"{waiting} of a day that is not closed yet, in neither")
        number = changes.number[key]
        adjusted = decimal(changes.amount[key], key[-1]) if number else NOTHING
        yield (*key, *first[:-1], number, adjusted, *second[:-1], "; ".join(notes))


def _written(row: Aggregate | None) -> tuple[str, str, str, str]:
    """Win, what it is over, the ratio, and what is to be said of them."""
    return (NOTHING, NOTHING, NOTHING, "") if row is None else hold.written(row)
