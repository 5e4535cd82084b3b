"""Where the hold went: win by count = theoretical win at perfect play + cost of players' choices + luck +
dealer errors + unexplained.

- Theoretical win: stakes times the certificate's edge, and the effect of rounding at the table.
- Choices: what each recorded decision cost compared with the best one, before the deciding card.
- Luck: the remaining result of play by the rules. It is zero on average.
- Errors: what was moved beyond what was owed (each a finding), less later corrections.
- Unexplained: the counted win less the column `dealt`, which is the sum of the other parts. If the purchases
  of chips were recorded, the unexplained amount has two parts: the tray compared with the play, and the box
  compared with the chips bought.

If a decision was not recorded, or a hand cannot be judged, theoretical win, choices and luck are shown as one
figure (`undivided`). At a live-dealer table, only the wagers are counted. A day whose count is pending is in
`not_counted`, so counted + not counted = dealt + unexplained always holds. By dealer or hour there are no
counts, and corrections are left out because they name no dealer.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from audit.queries.cache import table_days as cached_days
from audit.queries.cache.aggregates import (
    Aggregate,
    Exact,
    ReadRows,
    aggregate,
    exact_number,
    exact_ratio,
    merge_more,
)
from audit.queries.cache.play import divided
from audit.queries.hold_attribution import Divided
from audit.queries.span import Span
from audit.queries.table_day import TableDay
from casino.reports import overnight_boxes
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.definitions.hold import NAMED
from casino.reports.definitions.statistics import ODDS
from casino.reports.expected_win import price
from casino.reports.grouping import (
    PLAY_ALONE,
    Pits,
    as_registered,
    columns_of,
    money,
    month_from_tables,
    name_of_sums,
    of_day,
    of_days,
    pits_for,
    rounded,
    totals_of_days,
)
from casino.reports.hold_figure import LIVE, WAGERS, figure, missing_counts
from casino.reports.limits import NO_LIMITS, Limits, rows_and_totals
from casino.reports.overnight_boxes import OvernightBoxes

TITLE = "Where the hold went"
DEPARTMENT = "Table games"
NEEDED = "When a win is not what you expected, to see what was luck, error or unexplained."
BY = ("property", "table", "game", "pit", "day", "month", "shift", "dealer", "hour")
DEFAULT_BY = ("table",)
CHART = "unexplained"
LEADS = ("unexplained", "basis", "dealt", "counted", "not_counted")
"""The columns that the page of the report shows first, after those of the grouping."""
FELT, STUDIO = "felt", "live dealer"
PENDING, NOT_APPLICABLE = Absent("pending"), Absent("n/a")
OLD = "some days were examined by a version that did not divide the hold: run manage.py reexamine"


class AttributionFigures(NamedTuple):
    """The sums in a row. Luck is not a field: it is `owed` minus `theoretical` and `choices`.

    Attributes:
        known: the number of days with a count.
        pending: the number of days without a count.
        split: the number of days on which the unexplained amount can be divided into tray and box.
        old: the number of rows of play that were examined by a release that did not divide the win yet.
    """

    decided: Exact = 0
    theoretical: Exact = 0
    choices: Exact = 0
    owed: Exact = 0
    undivided: Exact = 0
    errors: Exact = 0
    corrections: Exact = 0
    counted: Exact = 0
    unexplained: Exact = 0
    not_counted: Exact = 0
    known: int = 0
    pending: int = 0
    tray: Exact = 0
    box: Exact = 0
    split: int = 0
    old: int = 0


AttributionRow = Aggregate[AttributionFigures]
"""The parts of the win of one group, at one kind of table, in one currency. The notes name the days that are
not counted.
"""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each group, kind of table and currency, and a total for each kind and currency."""
    return limited_by(span, by, NO_LIMITS)


def limited_by(span: Span, by: tuple[str, ...], limits: Limits) -> Sheet:
    """Return the report limited to some values. Rows by dealer or hour have no counts, so their totals are
    the sums of these rows.
    """
    overnight = OvernightBoxes(span)
    rows = sums(span, by, overnight)
    play_alone = bool(PLAY_ALONE & set(by))
    if limits:
        rows, total_rows = rows_and_totals(
            rows, by, limits, lambda names: sums(span, names, overnight), as_rows=play_alone
        )
    else:
        total_rows = totals(span, by, rows, overnight) if by else []
    return Sheet(
        TITLE,
        headings(by),
        Rows(rows, partial(format_row, play_alone=play_alone)),
        tuple(format_row(row, play_alone=play_alone) for row in total_rows),
        has_absent=True,
        leads=(*by, "currency", *LEADS),
    )


def headings(by: tuple[str, ...]) -> tuple[Column, ...]:
    """Return the columns of the sheet for this grouping."""
    return (
        *columns_of(by),
        Column("basis", "basis"),
        Column("currency", "currency"),
        Column("staked", "staked and judged", "money"),
        Column("theoretical", "theoretical win", "money"),
        Column("choices", "players' choices", "money"),
        Column("luck", "luck", "money"),
        Column("undivided", "not divided", "money"),
        Column("errors", "dealer errors", "money"),
        Column("corrections", "corrected later", "money"),
        Column("dealt", "dealt win", "money"),
        Column("unexplained", "unexplained", "money"),
        Column("tray", "unexplained, in the tray", "money"),
        Column("box", "unexplained, in the box", "money"),
        Column("counted", "counted win", "money"),
        Column("not_counted", "dealt, not counted", "money"),
        Column("note", "note"),
        Column("theoretical_exact", "theoretical, exact minor units"),
        Column("choices_exact", "choices, exact minor units"),
        Column("luck_exact", "luck, exact minor units"),
    )


def sums(span: Span, by: tuple[str, ...], overnight: OvernightBoxes | None = None) -> list[AttributionRow]:
    """Return one row for each group, kind of table and currency. The row has the parts of the win.

    Args:
        overnight: the overnight boxes of the span, if they have been read already.
    """
    pits = pits_for(by)

    def read_by(names: tuple[str, ...]) -> ReadRows[AttributionFigures]:
        def read_rows(part: Span) -> Iterator[AttributionRow]:
            yield from _from_play(part, names, pits)
            if not PLAY_ALONE & set(names):
                yield from _from_days(part, names, pits)

        return read_rows

    read_rows = month_from_tables("where-the-hold-went", by, AttributionFigures, read_by)
    overnight = OvernightBoxes(span) if overnight is None else overnight
    name = name_of_sums("where-the-hold-went", by, pits)
    cached = aggregate(name, span, read_rows, AttributionFigures, overnight.periods)
    return merge_more(cached, _from_overnight_boxes(overnight, by, pits))


def totals(
    span: Span, by: tuple[str, ...], rows: list[AttributionRow], overnight: OvernightBoxes | None = None
) -> list[AttributionRow]:
    """Return the total of whole days for each kind of table and currency. It is the same for every grouping.

    The drop of a box that stayed on its table overnight is included, even if the days of the box are in
    several rows. A day with a pending shift is left out.
    """
    overnight = OvernightBoxes(span) if overnight is None else overnight
    return totals_of_days(by, rows, bool(overnight), lambda: sums(span, (), overnight))


def _from_play(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[AttributionRow]:
    grouped_by = of_days(by)
    dimensions = tuple(dict.fromkeys((*grouped_by, *ODDS)))
    for values, row in as_registered(partial(divided, span), dimensions, pits):
        value_of = dict(zip(dimensions, values, strict=True))
        key = (*(value_of[name] for name in grouped_by), STUDIO if row.live_dealer else FELT, row.currency)
        yield Aggregate(key, _figures_of_play(row, value_of))


def _figures_of_play(row: Divided, value_of: dict[str, str]) -> AttributionFigures:
    """Return the figures of one row of play. The theoretical win is calculated from the certificate, for the
    rules in the table's opening. Luck is the remaining part of the win.
    """
    parts, theoretical = row.parts, exact_ratio(row.rounding, row.parts)
    if row.decided:
        priced = price(*[value_of[name] for name in ODDS])
        assert priced is not None, "a wager without a certificate cannot be divided"
        edge = priced.edge
        theoretical = exact_ratio(
            row.decided * edge.numerator * parts + row.rounding * edge.denominator, edge.denominator * parts
        )
    return AttributionFigures(
        decided=row.decided,
        theoretical=theoretical,
        choices=exact_ratio(row.choices, parts),
        owed=exact_ratio(row.owed, parts),
        undivided=exact_ratio(row.undivided, parts),
        errors=exact_ratio(row.errors, parts),
        old=int(row.old),
    )


def _from_days(span: Span, by: tuple[str, ...], pits: Pits | None) -> Iterator[AttributionRow]:
    """Yield a row for each day, except the days whose box stayed on the table overnight."""
    for day in cached_days.table_days(span, by_shift="shift" in by):
        if not overnight_boxes.box_not_pulled(day):
            yield _of_day(day, figure(day).pending, by, pits)


def _from_overnight_boxes(
    overnight: OvernightBoxes, by: tuple[str, ...], pits: Pits | None
) -> Iterator[AttributionRow]:
    if not PLAY_ALONE & set(by):
        yield from overnight_boxes.rows(
            overnight, by, pits, lambda day, reason: _of_day(day, reason, by, pits), missing_counts
        )


def _of_day(day: TableDay, pending: str, by: tuple[str, ...], pits: Pits | None) -> AttributionRow:
    """Return the row of a day or of one of its shifts: the counted win, and the part of it that is
    unexplained.
    """
    key = (*of_day(day, by, pits), STUDIO if day.live_dealer else FELT, day.currency)
    own, corrections = figure(day), exact_number(day.settled - day.corrected)
    played = day.taken - day.paid + day.unseen - day.corrected
    dealt = played + day.settled
    if own.basis == LIVE:
        return Aggregate(
            key, AttributionFigures(corrections=corrections, counted=exact_number(dealt), known=1)
        )
    if own.basis == WAGERS or pending:
        reason = pending or "nothing recorded by cage or count room"
        note = f"{day.stream}{f' {day.shift}' if day.shift else ''}: {reason}"
        return Aggregate(
            key,
            AttributionFigures(corrections=corrections, not_counted=exact_number(dealt), pending=1),
            (note,),
        )
    figures = AttributionFigures(
        corrections=corrections,
        counted=exact_number(own.win),
        unexplained=exact_number(own.win - dealt),
        known=1,
    )
    return Aggregate(key, _with_tray_and_box(figures, day, played))


def _with_tray_and_box(
    figures: AttributionFigures, day: TableDay, played: Fraction | int
) -> AttributionFigures:
    """Divide the unexplained amount into that of the tray and that of the box, and return the figures with
    both. If purchases of chips were not recorded, it cannot be divided, and the figures are returned
    unchanged.
    """
    if day.drop and not day.bought:
        return figures
    expected = day.opener + day.fills - day.credits - day.bought + played
    return figures._replace(
        tray=exact_number(day.closer - expected), box=exact_number(day.drop - day.bought), split=1
    )


def format_row(row: AttributionRow, *, play_alone: bool) -> Row:
    """Return a row of the sheet.

    Args:
        play_alone: True if the rows are grouped by dealer, hour, wager or pay table, for which there are no
            counts.
    """
    basis, currency = row.key[-2:]
    amounts = {name: Fraction(number) for name, number in row.figures._asdict().items()}
    amounts["luck"] = amounts["owed"] - amounts["theoretical"] - amounts["choices"]
    dealt = amounts["owed"] + amounts["undivided"] + amounts["errors"] + amounts["corrections"]
    shown = {
        name: Fraction(rounded(amounts[name], 0))
        for name in ("theoretical", "choices", "undivided", "errors", "corrections")
    }
    luck = Fraction(rounded(dealt, 0)) - sum(shown.values())  # The displayed parts then add up exactly.
    is_counted = not play_alone and row.figures.known > 0
    absent = NOT_APPLICABLE if play_alone or not row.figures.pending else PENDING
    is_felt = is_counted and basis == FELT
    is_split = is_felt and row.figures.split == row.figures.known
    return (
        *row.key,
        money(amounts["decided"], currency),
        money(shown["theoretical"], currency),
        money(shown["choices"], currency),
        money(luck, currency),
        money(shown["undivided"], currency),
        money(shown["errors"], currency),
        NOT_APPLICABLE if play_alone else money(shown["corrections"], currency),
        money(dealt, currency),
        money(amounts["unexplained"], currency) if is_felt else absent,
        money(amounts["tray"], currency) if is_split else NOT_APPLICABLE,
        money(amounts["box"], currency) if is_split else NOT_APPLICABLE,
        money(amounts["counted"], currency) if is_counted else absent,
        NOT_APPLICABLE if play_alone else money(amounts["not_counted"], currency),
        "; ".join(_notes(row)),
        *(str(amounts[name]) for name in ("theoretical", "choices", "luck")),
    )


def _notes(row: AttributionRow) -> Iterator[str]:
    pending = row.figures.pending
    if pending:
        remainder = f" and {pending - NAMED} more" if pending > NAMED else ""
        yield f"not counted: {'; '.join(row.notes[:NAMED])}{remainder}"
    if row.figures.undivided:
        yield (
            "some decisions are not reported, or some hands cannot be judged: theoretical win, choices and"
            " luck are one figure"
        )
    if row.figures.old:
        yield OLD
