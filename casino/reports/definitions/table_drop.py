"""Drop by table, day and shift: the count, the recount and their difference, beside the chips that were
bought.

A shift is that in which the box was pulled. A box that was pulled and not counted is pending, never nothing;
so is the day of a box that stayed on its table and is counted with a later one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from operator import itemgetter

from audit.queries import tallies
from audit.queries.cache.aggregates import Adds, Aggregate, aggregate, merge
from audit.queries.cache.lists import cached_list
from audit.queries.cage_lists import Stay, stays
from audit.queries.tallies import Span, TableDay
from casino.reports import misplaced_boxes, overnight_boxes
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.grouping import blank, name_of_sums, of_day
from games.kit.amounts import decimal

TITLE = "Table drop"
BY = ("property", "table", "day", "shift")
DEFAULT_BY = ("table", "day", "shift")
CHART = "drop"
NAMED = 3
"""Boxes that stayed, named in a row."""
Key = tuple[str, ...]
Said = dict[Key, list[str]]


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group and currency; a total for each currency."""
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

    def adds(part: Span) -> Iterator[Aggregate]:
        for day in tallies.table_days(part, by_shift=True, play="nowhere"):
            if _of_drop(day):
                yield _of_day(day, by)

    found, whole = _found(name_of_sums("table-drop", by, None), span, adds, by_days="day" in by)
    held = stays(span)
    of_row, in_all = (_together(_said(span, of, held), _misplaced(span, of)) for of in (by, ()))
    totals = (
        tuple(_row(Aggregate((*blank(by), *key), numbers), in_all.get(key, [])) for key, numbers, _ in whole)
        if by
        else ()
    )
    return Sheet(TITLE, columns, Rows(found, lambda row: _row(row, of_row.get(row.key, []))), totals)


def _found(
    name: str, span: Span, adds: Adds, *, by_days: bool
) -> tuple[Sequence[Aggregate], list[Aggregate]]:
    """The rows, and their totals by currency. By day they are a list: of a year, too many to be read for a
    page.
    """
    if by_days:
        rows = cached_list(name, span, adds, itemgetter(0), _currency)
        return rows, rows.totals
    found = aggregate(name, span, adds)
    return found, merge(Aggregate(_currency(row), row.numbers) for row in found)


def _currency(row: Aggregate) -> Key:
    return row.key[-1:]


def _of_drop(day: TableDay) -> bool:
    return bool(
        day.pulled or day.counted or day.verified or day.bought or overnight_boxes.box_not_pulled(day)
    )


def _of_day(day: TableDay, by: tuple[str, ...]) -> Aggregate:
    """What a shift of a table adds: its figures, and how many boxes are not counted, shifts not verified and
    shifts whose box stayed.
    """
    figures = (day.pulled, day.counted, day.drop, day.verified, day.verified_drop, day.bought)
    amiss = (
        max(day.pulled - day.counted, 0),
        int(day.verified != day.counted),
        int(overnight_boxes.box_not_pulled(day)),
    )
    return Aggregate((*of_day(day, by, None), day.currency), (*figures, *amiss))


def _said(span: Span, by: tuple[str, ...], held: list[Stay]) -> Said:
    """What is to be said of boxes that stayed longer than the days of a row: one with all its days there
    needs no word.
    """
    stay = {(one.table, day): one for one in held for day in _days(one)}
    streams = sorted(f"{table}/{day}" for table, day in stay)
    waiting: dict[Key, set[tuple[str, date]]] = {}
    having: dict[Key, set[tuple[str, date]]] = {}
    for day in tallies.table_days(span, by_shift=True, streams=streams, play="nowhere") if streams else ():
        key, place = (*of_day(day, by, None), day.currency), (day.table, day.day)
        if overnight_boxes.box_not_pulled(day):
            waiting.setdefault(key, set()).add(place)
        if overnight_boxes.box_from_previous_day(day) and day.day != stay[place].days[0]:
            having.setdefault(key, set()).add(place)
    return {
        key: list(_words(waiting.get(key, set()), having.get(key, set()), stay))
        for key in waiting.keys() | having.keys()
    }


def _misplaced(span: Span, by: tuple[str, ...]) -> Said:
    return misplaced_boxes.notes(span, by, lambda day: (*of_day(day, by, None), day.currency))


def _together(*said: Said) -> Said:
    return {
        key: [words for each in said for words in each.get(key, ())]
        for key in dict.fromkeys(key for each in said for key in each)
    }


def _words(
    waiting: set[tuple[str, date]], having: set[tuple[str, date]], stay: dict[tuple[str, date], Stay]
) -> Iterator[str]:
    """`waiting`, `having`: the tables and days of the row whose box stayed, and those that have one since
    before.
    """
    for one in dict.fromkeys(stay[place] for place in sorted(waiting | having)):
        here = [day for day in one.days if (one.table, day) in waiting]
        if here and (one.table, one.counted_with) not in having:
            yield (
                f"{here[0]}: counted with the box of {one.counted_with}"
                if one.counted_with
                else f"{here[0]}: no box pulled yet"
            )
        elif len(here) < len(one.days):
            day = min(day for table, day in having if table == one.table and stay[table, day] == one)
            yield f"{day}: the box was on the table since {one.days[0]}"


def _days(one: Stay) -> list[date]:
    return [day for day in (*one.days, one.counted_with) if day is not None]


def _row(row: Aggregate, told: list[str]) -> Row:
    currency = row.key[-1]
    pulled, counted, drop, verified, second, bought, uncounted, not_verified, without_box = map(
        int, row.numbers
    )
    notes = [f"pending: {uncounted} box{'es' if uncounted > 1 else ''} not counted"] if uncounted else []
    both = counted > 0 and not not_verified
    if counted and not both:
        notes.append(f"{verified} of {counted} counts verified")
    notes += [*told[:NAMED], *([f"and {len(told) - NAMED} more"] if len(told) > NAMED else [])]
    return (
        *row.key,
        pulled,
        counted,
        decimal(drop, currency) if counted else Absent("pending" if uncounted or without_box else "n/a"),
        decimal(second, currency) if verified else Absent("n/a"),
        decimal(second - drop, currency) if both else Absent("n/a"),
        decimal(bought, currency),
        "; ".join(notes),
    )
