"""The charts on the page of a report: bars of one of its columns, for the rows of the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

from casino.exports.report_comparison import NOTHING, Comparison
from casino.exports.report_table import CURRENCY
from casino.presentation.charts.rows import Bar, RowChart, bar_chart
from casino.presentation.formatting import display, grouped
from casino.reports.catalog import Report
from casino.reports.columns import Absent, Column, Row, RowChance, Sheet
from casino.reports.row_links import Scope, details_address
from casino.reports.verdict_words import TOO_FEW

BARS = 20
"""Number of bars in a chart. The page can show all of its rows."""
CHARTED_APART = ("basis", "kind", CURRENCY)
"""If a report has one of these columns, there is a separate chart for each value of the column. Counts of
several currencies are in one chart.
"""
SERIALS = ("slip", "deposit")
"""Columns with the serial of a row. If a report that is not grouped has one of them, it alone names the
rows.
"""
NAMES = (*SERIALS, "table", "code", "day", "shift")
"""Columns that name the rows of a report that is not grouped. Only columns that the report has are used."""
GAME = "game"
"""If the report is grouped, but not by game, this column also names the rows. For example, the New Jersey
form has a row for each game.
"""
LARGEST_FIRST = "the largest first"
FARTHEST_FIRST = "the farthest from zero first"
IN_TIPS, LINES = ("money", "count", "percent"), 4
"""Types of the other figures in a tooltip, and the largest number of them."""
LONGEST = 32
"""Maximum number of characters of a name in a chart."""
IN_TIME = frozenset({"day", "month", "shift", "hour"})
"""If one of these columns names the bars of a chart, the bars have the order of the rows. Other bars are
ordered by their value.
"""
UNITS = {"z": "standard deviations", "per_1000": "errors", "points": "percentage points"}
"""Units of figures that are not amounts, counts or percentages."""


class Drawn(NamedTuple):
    """What the charts of a page need in addition to its rows.

    Attributes:
        scope: the property and the days of the report.
        by: the names by which the report is grouped.
        every: the address of the page with all bars.
        every_bar: True if all bars were requested.
        is_part: True if the report has rows on further pages.
    """

    scope: Scope
    by: Sequence[str]
    every: str
    every_bar: bool
    is_part: bool


class Mark(NamedTuple):
    """A figure of a row that a chart draws, and the values that name the row, by column.

    Attributes:
        others: other figures of the row with their headings, for the tooltip.
        chance: how the row compares with its bounds, if the report has any.
    """

    named: dict[str, str]
    cell: Any
    others: tuple[str, ...] = ()
    chance: RowChance = NOTHING

    @property
    def value(self) -> Fraction:
        return Fraction(str(self.cell))

    def name(self, keys: Iterable[str]) -> str:
        """Return the name of the row, made of these columns."""
        texts = (display(key, self.named[key]) for key in keys)
        return " ".join(filter(None, texts)).strip()


class Group(NamedTuple):
    """The figures of one chart: those of one currency and one basis of the hold.

    Attributes:
        words: what the drawing of the expected figures and of their bounds means, how many rows are outside
            their bounds, and how many are not judged and why. Empty text if the report compares nothing.
    """

    title: str
    unit: str
    marks: list[Mark]
    words: str = ""


def charts_of(report: Report, sheet: Sheet, rows: Iterable[Row], drawn: Drawn) -> list[RowChart]:
    """Return bar charts of the column that the report names in `CHART`. There is one chart for each currency
    and each basis of the hold (drop or handle) that has values. A row without a value has no bar.
    """
    names = names_of(sheet, drawn.by)
    is_count = any(column.key == report.CHART and column.type == "count" for column in sheet.columns)
    charts = []
    for group in groups_of(report, sheet, rows, drawn.by):
        bars = [
            Bar(
                mark.name(names)[:LONGEST],
                mark.value,
                grouped(mark.cell),
                details_address(drawn.scope, mark.named),
                mark.chance.expected,
                mark.chance.bounds,
                outside=mark.chance.is_outside,
                counted=is_count,
                tip=(*mark.chance.tip, *mark.others),
                not_judged=mark.chance.reason,
            )
            for mark in group.marks
        ]
        order = "in the order of the table" if IN_TIME & {*names} else _order(bars)
        note = f"; {group.words}" if group.words else ""
        charts.append(_chart((group.title, group.unit), bars, drawn, order, note))
    return charts


def groups_of(report: Report, sheet: Sheet, rows: Iterable[Row], by: Sequence[str]) -> Iterator[Group]:
    """Yield the figures of each chart. Charts without any figure other than zero are left out."""
    keys = [column.key for column in sheet.columns]
    if report.CHART not in keys:
        return
    place, names = keys.index(report.CHART), names_of(sheet, by)
    column = sheet.columns[place]
    is_count = column.type == "count"
    split_by = [key for key in CHARTED_APART if key in keys and not (is_count and key == CURRENCY)]
    groups: dict[tuple[str, ...], list[Mark]] = {}
    compared: dict[tuple[str, ...], list[RowChance]] = {}
    comparison = Comparison.of(sheet, place)
    for row in rows:
        group, chance = tuple(str(row[keys.index(key)]) for key in split_by), comparison.judge(row)
        compared.setdefault(group, []).append(chance)
        if isinstance(row[place], Absent) or row[place] in ("", None) or chance.reason == TOO_FEW:
            continue
        named = {key: row[keys.index(key)] for key in names}
        groups.setdefault(group, []).append(
            Mark(named, row[place], _others(sheet, row, report.CHART), chance)
        )
    has_currencies = CURRENCY in split_by and len({group[-1] for group in groups}) > 1
    for group, marks in sorted(groups.items()):
        if any(mark.value for mark in marks):
            parts = dict(zip(split_by, group, strict=True))
            title, unit = _words(column, parts, has_currencies=has_currencies)
            yield Group(title, unit, marks, comparison.words_of(compared[group]))


def _order(bars: Iterable[Bar]) -> str:
    """Return the order of bars that are sorted by their value without its sign."""
    return FARTHEST_FIRST if any(bar.value < 0 for bar in bars) else LARGEST_FIRST


def _others(sheet: Sheet, row: Row, charted: str) -> tuple[str, ...]:
    """Return the first amounts, counts and percentages of a row that the chart does not draw, in words."""
    figures = (
        f"{column.heading} {grouped(cell)}"
        for column, cell in zip(sheet.columns, row, strict=True)
        if column.type in IN_TIPS
        and column.key != charted
        and not isinstance(cell, Absent)
        and cell not in ("", None)
    )
    return tuple(islice(figures, LINES))


def names_of(sheet: Sheet, by: Sequence[str]) -> list[str]:
    """Return the keys of the columns that name a row of a report."""
    keys = [column.key for column in sheet.columns]
    names = [key for key in dict.fromkeys((*by, GAME) if by else NAMES) if key in keys] or keys[:1]
    return names[: 1 if names[0] in SERIALS else None]


def _words(column: Column, group: Mapping[str, str], *, has_currencies: bool) -> tuple[str, str]:
    """Return the title of a chart, and the unit of its axis.

    Args:
        column: the column that is drawn.
        group: for each of CHARTED_APART: the value that all rows of the chart have.
        has_currencies: True if there are charts in several currencies. The title then names the currency of
            figures whose unit is not a currency.
    """
    currency, is_money = group.get(CURRENCY, ""), column.type == "money"
    kinds = [text for key, text in group.items() if key != CURRENCY]
    named = currency if has_currencies and not is_money else ""
    title = ", ".join(filter(None, (column.heading.removesuffix(" %"), *kinds, named)))
    unit = currency if is_money else "%" if column.type == "percent" else ""
    return title[:1].upper() + title[1:], UNITS.get(column.key) or unit


def _chart(words: tuple[str, str], bars: list[Bar], drawn: Drawn, order: str, note: str) -> RowChart:
    """Return the chart of one group of rows: one currency and one basis of the hold. It has at most BARS
    bars, in the order of the rows or with the largest first. `order` says which, and `note` follows it.
    """
    title, unit = words
    largest_first = sorted(bars, key=lambda bar: abs(Fraction(bar.value)), reverse=True)
    ordered = largest_first if order in (LARGEST_FIRST, FARTHEST_FIRST) else bars
    return bar_chart(
        ordered if drawn.every_bar else ordered[:BARS],
        title,
        unit=unit,
        note=f"{order}{'; only the rows of this page' if drawn.is_part else ''}{note}",
        total=len(bars),
        every=drawn.every,
    )
