"""Hold: at a felt table win over drop, at a live-dealer table GGR over handle. The two are never added, nor
are two currencies.

Felt: win = closer + credits + drop - opener - fills, voided slips taken out; a day without its count or its
closer is pending and in no sum; so are the days of a box that stayed over several, unless one row holds them
all (`casino.reports.overnight_boxes`). Live dealer: GGR = taken - paid + unseen - corrections, as
`live_dealer` has it; handle = what was staked less what void rounds gave back; a push stays in the handle. A
ratio is one of sums, to one decimal, half up. By dealer or hour no drop is known: there a felt table shows
what its wagers won over what was staked on them, and corrections and adjustments, which name no dealer, are
in neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from audit.queries.cache import table_days as kept_days
from audit.queries.cache.aggregates import Aggregate, aggregate, exact_number, merge
from audit.queries.tallies import Span, TableDay
from casino.reports import misplaced_boxes, overnight_boxes
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.grouping import (
    PLAY_ALONE,
    Pits,
    blank,
    by_play,
    columns_of,
    money,
    name_of_sums,
    of_day,
    of_days,
    percent,
    pits_for,
    rounded,
)
from casino.reports.hold_figure import FELT, LIVE, WAGERS, Figure, figure, wanting
from casino.reports.overnight_boxes import OvernightBoxes
from games.kit.amounts import decimal

__all__ = ["percent"]

TITLE = "Hold"
BY = ("property", "table", "game", "pit", "day", "month", "shift", "dealer", "hour")
DEFAULT_BY = ("table",)
CHART = "hold_percent"
WAGERED = "win from wagers / handle"
NAMED = 3
"""Pending days named in a row; of more, how many there are."""
PENDING, NOT_APPLICABLE = Absent("pending"), Absent("n/a")
KEYS = ("basis", "currency")
"""What no sum crosses, behind what it is grouped by."""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each group, basis and currency; a total for each basis and currency."""
    columns = (
        *columns_of(by),
        Column("basis", "basis"),
        Column("currency", "currency"),
        Column("rounds", "rounds", "count"),
        Column("win", "win", "money"),
        Column("denominator", "drop or handle", "money"),
        Column("hold_percent", "hold %", "percent"),
        Column("note", "note"),
    )
    held = OvernightBoxes(span)
    found = sums(span, by, held)
    of_row, in_all = _misplaced(span, by), _misplaced(span, ())
    whole = totals(span, by, found, held) if by else []
    return Sheet(
        TITLE,
        columns,
        [_row(row, of_row) for row in found],
        tuple(_row(row, in_all, len(by)) for row in whole),
    )


def _misplaced(span: Span, by: tuple[str, ...]) -> dict[tuple[str, ...], list[str]]:
    """What is said of rows of whole days; a box has no dealer and no hour."""
    if PLAY_ALONE & set(by):
        return {}
    pits = pits_for(by)
    return misplaced_boxes.notes(span, by, lambda day: (*of_day(day, by, pits), FELT, day.currency))


def sums(span: Span, by: tuple[str, ...], held: OvernightBoxes | None = None) -> list[Aggregate]:
    """By `by`, basis and currency: rounds, win, what it is over, how many days are in it and how many are
    pending, and which.

    `held`: the boxes that stayed in the span, where they have been read.
    """
    pits = pits_for(by)

    def adds(part: Span) -> Iterator[Aggregate]:
        return _from_play(part, by, pits) if PLAY_ALONE & set(by) else _from_days(part, by, pits)

    held = OvernightBoxes(span) if held is None else held
    return merge(
        [*aggregate(name_of_sums("hold", by, pits), span, adds, held.units), *_stayed(held, by, pits)]
    )


def totals(
    span: Span, by: tuple[str, ...], found: list[Aggregate], held: OvernightBoxes | None = None
) -> list[Aggregate]:
    """The sums of each basis and currency, the same however the rows go: of whole days.

    A box that stayed over the days of several rows is whole in their total, and a day of which a shift is
    pending is in none of it.
    """
    held = OvernightBoxes(span) if held is None else held
    if not PLAY_ALONE & set(by) and ("shift" in by or held):
        return [Aggregate((*blank(by), *row.key), row.numbers, row.words) for row in sums(span, (), held)]
    return merge(Aggregate((*blank(by), *row.key[len(by) :]), row.numbers, row.words) for row in found)


def _from_days(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[Aggregate]:
    for day in kept_days.table_days(span, by_shift="shift" in by):
        if not overnight_boxes.box_not_pulled(day):
            yield own(day, by, pits)


def own(day: TableDay, by: tuple[str, ...], pits: Pits | None) -> Aggregate:
    """What a stream, or one of its shifts, adds by itself."""
    each = figure(day)
    return _of_day(day, each, each.pending, by, pits)


def _stayed(held: OvernightBoxes, by: tuple[str, ...], pits: Pits | None) -> Iterator[Aggregate]:
    if not PLAY_ALONE & set(by):
        yield from overnight_boxes.rows(
            held, by, pits, lambda day, why: _of_day(day, figure(day), why, by, pits), wanting
        )


def _of_day(day: TableDay, each: Figure, pending: str, by: tuple[str, ...], pits: Pits | None) -> Aggregate:
    key = (*of_day(day, by, pits), each.basis, day.currency)
    if pending:
        return Aggregate(
            key, (day.rounds, 0, 0, 0, 1), (f"{day.stream}{f' {day.shift}' if day.shift else ''}: {pending}",)
        )
    return Aggregate(key, (day.rounds, exact_number(each.win), each.over, 1, 0))


def _from_play(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[Aggregate]:
    for key, row in by_play(span, of_days(by), pits):
        basis = LIVE if row.live_dealer else WAGERED
        if row.any:
            yield Aggregate(
                (*key, basis, row.currency),
                (row.rounds, exact_number(row.won), row.staked - row.returned, 1, 0),
            )


def written(row: Aggregate) -> tuple[str, str, str, str]:
    """Win, what it is over, and the ratio as they are written, and what is to be said of them."""
    basis, currency = row.key[-2:]
    win, (over, known, pending) = Fraction(row.numbers[1]), map(int, row.numbers[2:5])
    notes = []
    if pending:
        more = f" and {pending - NAMED} more" if pending > NAMED else ""
        notes.append(f"pending {'; '.join(row.words[:NAMED])}{more}")
    if not known:
        return PENDING, PENDING, PENDING, "; ".join(notes)
    if basis == WAGERS:
        return money(win, currency), NOT_APPLICABLE, NOT_APPLICABLE, "; ".join(notes)
    if over <= 0:
        notes.append(f"{basis.split(' / ')[1]} is {'0' if over == 0 else 'below 0'}")
    hold = rounded(100 * win / over, 1) if over > 0 else NOT_APPLICABLE
    return money(win, currency), decimal(over, currency), hold, "; ".join(notes)


def _row(row: Aggregate, said: dict[tuple[str, ...], list[str]], blanks: int = 0) -> Row:
    """A row with what is said of its days. `blanks`: how many parts of its key are blank, in a total."""
    *figures, note = written(row)
    words = said.get(row.key[blanks:], [])
    more = [f"and {len(words) - NAMED} more"] if len(words) > NAMED else []
    return (*row.key, row.numbers[0], *figures, "; ".join(filter(None, (note, *words[:NAMED], *more))))
