"""Drop by table, day and shift: the count, the recount and their difference, with the chips that were bought.

A drop belongs to the shift in which its box was pulled. The drop of a box that was pulled and not counted is
pending, never zero. If a box stays on its table and is counted with a later day, the drop of the earlier day
is pending too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from operator import itemgetter
from typing import NamedTuple

from audit.queries.cache import table_days as cached_days
from audit.queries.cache.aggregates import Aggregate, ReadRows, aggregate, merge
from audit.queries.cache.lists import cached_list
from audit.queries.cage_lists import Stay, stays
from audit.queries.span import Span
from audit.queries.table_day import TableDay
from audit.queries.table_days import table_days
from casino.reports import misplaced_boxes, overnight_boxes
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.grouping import blank, name_of_sums, of_day
from casino.reports.overnight_boxes import days_of_stay
from games.kit.amounts import decimal

TITLE = "Table drop"
DEPARTMENT = "Cage and count room"
NEEDED = "After each count, for the drop of each box."
BY = ("property", "table", "day", "shift")
DEFAULT_BY = ("table", "day", "shift")
CHART = "drop"
LEADS = ("drop", "verified", "difference")
"""The columns that the page of the report shows first, after those of the grouping."""
NAMED = 3
"""Maximum number of boxes that the notes of a row name. These are boxes that stayed on their tables."""


class DropFigures(NamedTuple):
    """The figures of a row, with amounts in minor units. `pulled`, `counted` and `verified`: the numbers of
    boxes that were pulled, counted and recounted. `uncounted`: the number of boxes that were pulled and not
    counted. `not_verified`: the number of shifts with different numbers of counted and recounted boxes.
    `without_box`: the number of shifts in which no box was pulled, because the box stayed on its table.
    """

    pulled: int
    counted: int
    drop: int
    verified: int
    verified_drop: int
    bought: int
    uncounted: int
    not_verified: int
    without_box: int


DropRow = Aggregate[DropFigures]
Key = tuple[str, ...]
Notes = dict[Key, list[str]]
Place = tuple[str, date]
"""A table and a gaming day."""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each group and currency, and a total for each currency."""
    columns = (
        *(Column(name, name, "day" if name == "day" else "text") for name in by),
        Column("currency", "currency"),
        Column("boxes_pulled", "boxes pulled", "count"),
        Column("boxes_counted", "counted", "count"),
        Column("drop", "drop (count 1)", "money"),
        Column("verified", "verified (count 2)", "money"),
        Column("difference", "difference", "money"),
        Column("chips_bought", "chips bought", "money"),
        Column("note", "note"),
    )

    def read_rows(part: Span) -> Iterator[DropRow]:
        for day in cached_days.without_play(part, by_shift=True):
            if _has_drop(day):
                yield _of_day(day, by)

    rows, total_rows = _aggregate(name_of_sums("table-drop", by, None), span, read_rows, by_days="day" in by)
    all_stays = stays(span)
    notes_of_rows, notes_of_totals = (
        _merge_notes(_stay_notes(span, names, all_stays), _misplaced(span, names)) for names in (by, ())
    )
    totals = [
        _row(row._replace(key=(*blank(by), *row.key)), notes_of_totals.get(row.key, [])) for row in total_rows
    ]
    return Sheet(
        TITLE,
        columns,
        Rows(rows, lambda row: _row(row, notes_of_rows.get(row.key, []))),
        tuple(totals) if by else (),
        has_absent=True,
        leads=(*by, "currency", *LEADS),
    )


def _aggregate(
    name: str, span: Span, read_rows: ReadRows[DropFigures], *, by_days: bool
) -> tuple[Sequence[DropRow], list[DropRow]]:
    """Return the rows of the report, and their totals by currency. If the rows are grouped by day
    (`by_days`), a year has too many of them for one page, so they are read from a cached list.
    """
    if by_days:
        listed = cached_list(name, span, read_rows, DropFigures, itemgetter(0), _currency)
        return listed, listed.totals
    rows = aggregate(name, span, read_rows, DropFigures)
    return rows, merge(Aggregate(_currency(row), row.figures) for row in rows)


def _currency(row: DropRow) -> Key:
    return row.key[-1:]


def _has_drop(day: TableDay) -> bool:
    return bool(
        day.pulled or day.counted or day.verified or day.bought or overnight_boxes.box_not_pulled(day)
    )


def _of_day(day: TableDay, by: tuple[str, ...]) -> DropRow:
    """Return the figures of a table's day, or of one of its shifts."""
    figures = DropFigures(
        pulled=day.pulled,
        counted=day.counted,
        drop=day.drop,
        verified=day.verified,
        verified_drop=day.verified_drop,
        bought=day.bought,
        uncounted=max(day.pulled - day.counted, 0),
        not_verified=int(day.verified != day.counted),
        without_box=int(overnight_boxes.box_not_pulled(day)),
    )
    return Aggregate((*of_day(day, by, None), day.currency), figures)


def _stay_notes(span: Span, by: tuple[str, ...], all_stays: list[Stay]) -> Notes:
    """Return notes on boxes that stayed on their tables overnight. A row that contains all days of a box gets
    no note about it.
    """
    stay_at = {(stay.table, day): stay for stay in all_stays for day in days_of_stay(stay)}
    streams = sorted(f"{table}/{day}" for table, day in stay_at)
    without_box: dict[Key, set[Place]] = {}
    with_box: dict[Key, set[Place]] = {}
    for day in table_days(span, by_shift=True, streams=streams, play="nowhere") if streams else ():
        key, place = (*of_day(day, by, None), day.currency), (day.table, day.day)
        if overnight_boxes.box_not_pulled(day):
            without_box.setdefault(key, set()).add(place)
        if overnight_boxes.box_from_previous_day(day) and day.day != stay_at[place].days[0]:
            with_box.setdefault(key, set()).add(place)
    return {
        key: list(_notes_of_row(without_box.get(key, set()), with_box.get(key, set()), stay_at))
        for key in without_box.keys() | with_box.keys()
    }


def _misplaced(span: Span, by: tuple[str, ...]) -> Notes:
    return misplaced_boxes.notes(span, by, lambda day: (*of_day(day, by, None), day.currency))


def _merge_notes(*parts: Notes) -> Notes:
    return {
        key: [note for part in parts for note in part.get(key, ())]
        for key in dict.fromkeys(key for part in parts for key in part)
    }


def _notes_of_row(without_box: set[Place], with_box: set[Place], stay_at: dict[Place, Stay]) -> Iterator[str]:
    """Yield the notes of one row of the report.

    Args:
        without_box: the tables and gaming days of the row on which the box stayed on its table.
        with_box: the tables and gaming days of the row on which a box from an earlier day was pulled.
        stay_at: for each table and gaming day, the box that stayed on the table overnight.
    """
    for stay in dict.fromkeys(stay_at[place] for place in sorted(without_box | with_box)):
        days = [day for day in stay.days if (stay.table, day) in without_box]
        if days and (stay.table, stay.counted_with) not in with_box:
            yield (
                f"{days[0]}: counted with the box of {stay.counted_with}"
                if stay.counted_with
                else f"{days[0]}: no box pulled yet"
            )
        elif len(days) < len(stay.days):
            day = min(day for table, day in with_box if table == stay.table and stay_at[table, day] == stay)
            yield f"{day}: the box was on the table since {stay.days[0]}"


def _row(row: DropRow, more_notes: list[str]) -> Row:
    currency, figures = row.key[-1], row.figures
    uncounted, is_verified = figures.uncounted, figures.counted > 0 and not figures.not_verified
    notes = [f"pending: {uncounted} box{'es' if uncounted > 1 else ''} not counted"] if uncounted else []
    if figures.counted and not is_verified:
        notes.append(f"{figures.verified} of {figures.counted} counts verified")
    notes += more_notes[:NAMED]
    if len(more_notes) > NAMED:
        notes.append(f"and {len(more_notes) - NAMED} more")
    no_count = Absent("pending" if uncounted or figures.without_box else "n/a")
    return (
        *row.key,
        figures.pulled,
        figures.counted,
        decimal(figures.drop, currency) if figures.counted else no_count,
        decimal(figures.verified_drop, currency) if figures.verified else Absent("n/a"),
        decimal(figures.verified_drop - figures.drop, currency) if is_verified else Absent("n/a"),
        decimal(figures.bought, currency),
        "; ".join(notes),
    )
