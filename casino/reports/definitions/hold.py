"""Hold: at a felt table win over drop, at a live-dealer table gross gaming revenue (GGR) over handle. The
column "basis" says which of the two a row has, such as win / drop or GGR / handle. Win and GGR are never
added together. Amounts in two currencies are never added either.

- Felt table: win = closer + credits + drop - opener - fills, without voided slips. A day without its count or
  its closer is pending and in no sum. The days of a box that stayed on its table overnight are pending too,
  unless one row contains them all.
- Live dealer: GGR = taken - paid + unseen - corrections, as in `live_dealer`. Handle is the stakes less what
  void rounds returned. The stake of a push stays in the handle.

A ratio is calculated from sums, to one decimal, rounded half up. The drop is not known by dealer or hour. If
the report is grouped by dealer or hour, a felt table shows what its wagers won, divided by what was staked on
them. Corrections and adjustments are then left out, because they name no dealer.

The chart compares each hold with the hold that the exact odds of its wagers predict, and with the range that
chance allows. A hold is marked as outside only if chance alone would put any of all judged rows outside in at
most 5 % of cases (threshold `statistics`, value `confidence`). Wagers are taken as independent; the
statistical review also shows results as if the wagers of a round depended on each other. A row that leaves
out pending days, or that has no play with exact odds, is hatched and not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from audit.queries.cache import table_days as cached_days
from audit.queries.cache.aggregates import Aggregate, ReadRows, aggregate, exact_number, merge, merge_more
from audit.queries.span import Span
from audit.queries.table_day import TableDay
from casino.reports import hold_chance, misplaced_boxes, overnight_boxes
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.grouping import (
    PLAY_ALONE,
    TOTAL_LESS_ROWS,
    Pits,
    blank,
    by_play,
    columns_of,
    money,
    month_from_tables,
    name_of_sums,
    of_day,
    of_days,
    percent,
    pits_for,
    rounded,
    totals_of_days,
    with_differences,
)
from casino.reports.hold_chance import HoldChance
from casino.reports.hold_figure import FELT, LIVE, WAGERS, HoldFigure, HoldFigures, figure, missing_counts
from casino.reports.limits import NO_LIMITS, Limits, rows_and_totals
from casino.reports.overnight_boxes import OvernightBoxes
from games.kit.amounts import decimal

__all__ = ["HoldFigures", "percent"]
CACHED_BY = (__name__, hold_chance.__name__)

TITLE = "Hold"
DEPARTMENT = "Table games"
NEEDED = "Each day, to see what each table held."
BY = ("property", "table", "game", "pit", "day", "month", "shift", "dealer", "hour")
DEFAULT_BY = ("table",)
CHART = "hold_percent"
WAGERED = "win from wagers / handle"
NAMED = 3
"""Maximum number of pending days that the note of a row names. The note also says how many more there are."""
PENDING, NOT_APPLICABLE = Absent("pending"), Absent("n/a")
LEADS = ("hold_percent", "basis", "win", "denominator")
"""The columns that the page of the report shows first, after those of the grouping."""
KEYS = ("basis", "currency")
"""The columns that follow the grouping in the key of a row. Rows that differ in one of these columns are
never added together.
"""


NOTHING = HoldFigures(rounds=0, win=0, over=0, known=0, pending=0)
HoldRow = Aggregate[HoldFigures]
"""The hold of one group, basis and currency. Its notes name pending days. A note of a total may say that the
total is not the sum of its rows.
"""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each group, basis and currency, and a total for each basis and currency."""
    return limited_by(span, by, NO_LIMITS)


def limited_by(span: Span, by: tuple[str, ...], limits: Limits) -> Sheet:
    """Return the report limited to some values. Rows by dealer or hour have no counts, so their totals are
    the sums of these rows.
    """
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
    overnight = OvernightBoxes(span)
    rows = sums(span, by, overnight)
    chance = HoldChance(span, by, rows, overnight.periods)
    if limits:
        rows, total_rows = rows_and_totals(
            rows, by, limits, lambda names: sums(span, names, overnight), as_rows=bool(PLAY_ALONE & set(by))
        )
        total_rows = _less_rows(by, rows, total_rows) if "shift" in by or overnight else total_rows
    else:
        total_rows = totals(span, by, rows, overnight) if by else []
    notes_of_rows, notes_of_totals = _misplaced(span, by), _notes_of(span, limits)
    return Sheet(
        TITLE,
        columns,
        Rows(rows, lambda row: _row(row, notes_of_rows)),
        tuple(_row(row, notes_of_totals, len(by)) for row in total_rows),
        has_absent=True,
        leads=(*by, "currency", *LEADS),
        chances=chance.of_rows,
    )


def _notes_of(span: Span, limits: Limits) -> dict[tuple[str, ...], list[str]]:
    """Return the notes on misplaced boxes for the totals of a report that may be limited."""
    values = tuple(limits.values())
    return {
        key[len(values) :]: notes
        for key, notes in _misplaced(span, tuple(limits)).items()
        if key[: len(values)] == values
    }


def _misplaced(span: Span, by: tuple[str, ...]) -> dict[tuple[str, ...], list[str]]:
    """Return notes on misplaced boxes, by the key of the row. If the report is grouped by dealer or hour,
    there are no notes, because a box has no dealer and no hour.
    """
    if PLAY_ALONE & set(by):
        return {}
    pits = pits_for(by)
    return misplaced_boxes.notes(span, by, lambda day: (*of_day(day, by, pits), FELT, day.currency))


def sums(span: Span, by: tuple[str, ...], overnight: OvernightBoxes | None = None) -> list[HoldRow]:
    """Return one row with the hold for each group, basis and currency.

    Args:
        overnight: the overnight boxes of the span, if they have been read already.
    """
    pits = pits_for(by)

    def read_by(names: tuple[str, ...]) -> ReadRows[HoldFigures]:
        def read_rows(part: Span) -> Iterator[HoldRow]:
            return _from_play(part, names, pits) if PLAY_ALONE & set(names) else _from_days(part, names, pits)

        return read_rows

    read_rows = month_from_tables("hold", by, HoldFigures, read_by)
    overnight = OvernightBoxes(span) if overnight is None else overnight
    name = name_of_sums("hold", by, pits)
    cached = aggregate(name, span, read_rows, HoldFigures, overnight.periods)
    return merge_more(cached, _from_overnight_boxes(overnight, by, pits))


def totals(
    span: Span, by: tuple[str, ...], rows: list[HoldRow], overnight: OvernightBoxes | None = None
) -> list[HoldRow]:
    """Return the total of whole days for each basis and currency. It is the same for every grouping.

    The drop of a box that stayed on its table overnight is included, even if the days of the box are in
    several rows. A day with a pending shift is left out.
    """
    overnight = OvernightBoxes(span) if overnight is None else overnight
    total_rows = totals_of_days(by, rows, bool(overnight), lambda: sums(span, (), overnight))
    return _less_rows(by, rows, total_rows) if "shift" in by or overnight else total_rows


def _less_rows(by: tuple[str, ...], rows: list[HoldRow], total_rows: list[HoldRow]) -> list[HoldRow]:
    """Return the totals with a note on each that is not the sum of its rows."""
    sums = merge(_of_total(row, blank(by)) for row in rows)
    return with_differences(total_rows, sums, NOTHING, _compared, lambda figures: figures.known)


def _compared(key: tuple[str, ...]) -> dict[str, str]:
    """Return the figures of a total that are compared with its rows, with their names."""
    return {"win": "win", "over": "drop" if key[-2] == FELT else "handle"}


def _of_total(row: HoldRow, blanks: tuple[str, ...]) -> HoldRow:
    """Return a row with the key of its total."""
    return row._replace(key=(*blanks, *row.key[len(blanks) :]))


def _from_days(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[HoldRow]:
    for day in cached_days.table_days(span, by_shift="shift" in by):
        if not overnight_boxes.box_not_pulled(day):
            yield row_of_day(day, by, pits)


def row_of_day(day: TableDay, by: tuple[str, ...], pits: Pits | None) -> HoldRow:
    """Return the row of a single stream, or of one of its shifts."""
    own = figure(day)
    return _of_day(day, own, own.pending, by, pits)


def _from_overnight_boxes(
    overnight: OvernightBoxes, by: tuple[str, ...], pits: Pits | None
) -> Iterator[HoldRow]:
    if not PLAY_ALONE & set(by):
        yield from overnight_boxes.rows(
            overnight,
            by,
            pits,
            lambda day, reason: _of_day(day, figure(day), reason, by, pits),
            missing_counts,
        )


def _of_day(day: TableDay, own: HoldFigure, pending: str, by: tuple[str, ...], pits: Pits | None) -> HoldRow:
    key = (*of_day(day, by, pits), own.basis, day.currency)
    if pending:
        note = f"{day.stream}{f' {day.shift}' if day.shift else ''}: {pending}"
        return Aggregate(key, HoldFigures(day.rounds, win=0, over=0, known=0, pending=1), (note,))
    return Aggregate(key, HoldFigures(day.rounds, exact_number(own.win), own.over, known=1, pending=0))


def _from_play(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[HoldRow]:
    for key, row in by_play(span, of_days(by), pits):
        basis = LIVE if row.live_dealer else WAGERED
        if row.any:
            figures = HoldFigures(
                row.rounds, exact_number(row.won), row.staked - row.returned, known=1, pending=0
            )
            yield Aggregate((*key, basis, row.currency), figures)


def format_figures(row: HoldRow) -> tuple[str, str, str, str]:
    """Return the win, the drop or handle, and their ratio as text for display. The fourth text is a note."""
    basis, currency = row.key[-2:]
    win, over, pending = Fraction(row.figures.win), row.figures.over, row.figures.pending
    notes = [note for note in row.notes if note.startswith(TOTAL_LESS_ROWS)]
    if pending:
        remainder = f" and {pending - NAMED} more" if pending > NAMED else ""
        named = [note for note in row.notes if note not in notes]
        notes.append(f"pending {'; '.join(named[:NAMED])}{remainder}")
    if not row.figures.known:
        return PENDING, PENDING, PENDING, "; ".join(notes)
    if basis == WAGERS:
        return money(win, currency), NOT_APPLICABLE, NOT_APPLICABLE, "; ".join(notes)
    if over <= 0:
        notes.append(f"{basis.split(' / ')[1]} is {'0' if over == 0 else 'below 0'}")
    hold = rounded(100 * win / over, 1) if over > 0 else NOT_APPLICABLE
    return money(win, currency), decimal(over, currency), hold, "; ".join(notes)


def _row(row: HoldRow, notes_by_key: dict[tuple[str, ...], list[str]], blanks: int = 0) -> Row:
    """Return a row of the sheet. In a row of totals, `blanks` is the number of empty cells in place of the
    grouping.
    """
    *figures, note = format_figures(row)
    notes = notes_by_key.get(row.key[blanks:], [])
    remainder = [f"and {len(notes) - NAMED} more"] if len(notes) > NAMED else []
    return (
        *row.key,
        row.figures.rounds,
        *figures,
        "; ".join(filter(None, (note, *notes[:NAMED], *remainder))),
    )
