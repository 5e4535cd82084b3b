"""Closed and restated hold side by side: the win of closed days as they were closed, the adjustments since
then, and the win with these adjustments. Days that are not closed yet are left out.

The closed figures never change. Win, drop or handle, pending days and ratios are computed as in the report
`hold`. An adjustment of a day that is not closed yet is in neither figure, but is counted in a note.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from audit.queries.adjustments import Adjustment, restating
from audit.queries.cache.aggregates import merge, negate
from audit.queries.span import CLOSED, RESTATED, Span
from audit.queries.table_day import restate
from audit.queries.table_days import table_days
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.definitions import hold
from casino.reports.grouping import PLAY_ALONE, blank, columns_of, of_day, pits_for
from casino.reports.hold_figure import FELT, LIVE, WAGERS
from casino.reports.overnight_boxes import OvernightBoxes
from games.kit.amounts import decimal

TITLE = "Closed and restated"
DEPARTMENT = "Accounting"
NEEDED = "After an adjustment, to see the figures of a closed day before and after it."
BY = tuple(name for name in hold.BY if name not in PLAY_ALONE)
DEFAULT_BY = ("table",)
CHART = "restated_win"
NOTHING = Absent("none")
Key = tuple[str, ...]


class Changes:
    """The adjustments of each row: the number and amount of adjustments of closed days, and the number of
    adjustments of days that are not closed yet.
    """

    def __init__(self) -> None:
        self.number, self.amount, self.waiting = Counter[Key](), Counter[Key](), Counter[Key]()

    def add(self, key: Key, adjustment: Adjustment) -> None:
        """Add an adjustment to the row with this key."""
        if adjustment.closed:
            self.number[key] += 1
            self.amount[key] += adjustment.amount
        else:
            self.waiting[key] += 1


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each group, basis (such as `win / drop`) and currency of closed days, and a total
    for each basis and currency.
    """
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
    changes = list(restating(span))
    overnight = OvernightBoxes(closed)
    overnight_restated = OvernightBoxes(restated, overnight, changes)
    before = hold.sums(closed, by, overnight)
    after = _restated(overnight_restated, by, before, changes)
    rows, totals = Changes(), Changes()
    _count(changes, by, {row.key for row in (*before, *after)}, rows, totals)
    formatted = list(_rows(before, after, rows))
    if not by:
        return Sheet(TITLE, columns, formatted, has_absent=True)
    total_rows = (
        hold.totals(closed, by, before, overnight),
        hold.totals(restated, by, after, overnight_restated),
    )
    return Sheet(TITLE, columns, formatted, tuple(_rows(*total_rows, totals)), has_absent=True)


def _restated(
    overnight: OvernightBoxes,
    by: tuple[str, ...],
    closed: list[hold.HoldRow],
    changes: Sequence[Adjustment],
) -> list[hold.HoldRow]:
    """Return the hold of the restated books. Rows without adjusted days are taken from the closed books.

    If a day was pending, or its box stayed on its table overnight, its row depends on other days. If such a
    day was adjusted, the whole span is aggregated again.
    """
    streams = sorted({change.stream for change in changes if change.closed})
    if not streams:
        return closed
    span, pits, shifts = overnight.span, pits_for(by), "shift" in by
    if set(overnight.streams) & set(streams):
        return hold.sums(span, by, overnight)
    days = list(table_days(span._replace(books=CLOSED), by_shift=shifts, streams=streams))
    first = [hold.row_of_day(day, by, pits) for day in days]
    if any(row.notes for row in first):
        return hold.sums(span, by, overnight)
    second = [hold.row_of_day(day, by, pits) for day in restate(days, changes, by_shift=shifts)]
    return merge([*closed, *map(negate, first), *second])


def _count(
    changes: Iterable[Adjustment], by: tuple[str, ...], known: set[Key], rows: Changes, totals: Changes
) -> None:
    """Add each adjustment to the row to which its day belongs. At a felt table, this is the row with the
    drop. If the day has only a row for its wagers, it is that row.
    """
    pits = pits_for(by)
    for change in changes:
        (day,) = restate((), [change._replace(closed=True)], by_shift="shift" in by)
        values = of_day(day, by, pits)
        bases = (LIVE,) if change.live_dealer else (FELT, WAGERS)
        basis = next((basis for basis in bases if (*values, basis, change.currency) in known), bases[0])
        rows.add((*values, basis, change.currency), change)
        totals.add((*blank(by), basis, change.currency), change)


def _rows(closed: list[hold.HoldRow], restated: list[hold.HoldRow], changes: Changes) -> Iterable[Row]:
    before, after = ({row.key: row for row in rows} for rows in (closed, restated))
    for key in sorted({*before, *after, *changes.number, *changes.waiting}):
        *closed_cells, closed_note = _cells(before.get(key))
        *restated_cells, restated_note = _cells(after.get(key))
        notes = [
            f"{book}: {note}" for book, note in ((CLOSED, closed_note), (RESTATED, restated_note)) if note
        ]
        if closed_note == restated_note:
            notes = [closed_note] if closed_note else []
        if waiting := changes.waiting[key]:
            adjustments = f"adjustment{'s' if waiting > 1 else ''} of days that are not closed yet"
            notes.append(f"not included: {waiting} {adjustments}")
        number = changes.number[key]
        adjusted = decimal(changes.amount[key], key[-1]) if number else NOTHING
        yield (*key, *closed_cells, number, adjusted, *restated_cells, "; ".join(notes))


def _cells(row: hold.HoldRow | None) -> tuple[str, str, str, str]:
    """Return the win, the drop or handle, and their ratio as text for display. The fourth text is a note. If
    `row` is None, the texts say `none`.
    """
    return (NOTHING, NOTHING, NOTHING, "") if row is None else hold.format_figures(row)
