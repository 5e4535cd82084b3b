"""The table on the page of a report: which columns are shown in which order, how the rows are sorted, in
which currency amounts are shown, and where a row links to its details and hands.

Names come first, then the column `verdict`, then figures. In some reports this column says if the row is
inside its bounds. A currency that is the same in all rows is shown once, above the table. Zeros are pale and
negative amounts are marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from casino.exports.formats.xlsx import NUMBERS
from casino.exports.report_preferences import ReportPreference
from casino.presentation.formatting import amount_class, grouped
from casino.reports.columns import Absent, Column, Row, Sheet, cell_text
from casino.reports.verdict_words import INSIDE, OUTSIDE, VERDICT, state_of, verdict_text
from casino.web.sorting import order_of, sort_rows

SORTED_ROWS = 5_000
"""Maximum number of rows that a page sorts. A file contains all rows of a longer report."""
CURRENCY, NOTE = "currency", "note"
WRAPPED = frozenset({NOTE, "words"})
"""Columns of sentences. Their lines are wrapped, so that the table is not as wide as the longest text."""

TO_PLAYERS = frozenset({"net_to_players"})
"""Columns of amounts that players gain. A negative amount in them is no loss of the casino."""


class HeadCell(NamedTuple):
    """The heading of a column.

    Attributes:
        sort: the value of the URL parameter `sort` that sorts the rows by this column, or empty text.
        order: `ascending`, `descending` or empty text.
    """

    key: str
    heading: str
    is_number: bool
    sort: str
    order: str

    @property
    def arrow(self) -> str:
        """Return the arrow that shows the sort order."""
        return "↑" if self.order == "ascending" else "↓"


class ReportTable(NamedTuple):
    """The columns of a table on the page of a report.

    Attributes:
        places: the index in the sheet of each shown column.
        head: the headings of the shown columns.
        choices: all columns that the user can choose.
        currency: the currency of all amounts, or empty text if rows have different currencies.
        property: the property of the report, or None if notes name no property.
    """

    places: list[int]
    head: list[HeadCell]
    choices: list[tuple[str, str, bool]]
    currency: str
    property: str | None = None

    def cells(self, sheet: Sheet, row: Row) -> list[tuple[str, str]]:
        """Return the CSS class and the text of each shown cell of a row."""
        return [
            _verdict(sheet, row)
            if sheet.columns[place].key == VERDICT
            else cell_of(sheet.columns[place], row[place], self.property)
            for place in self.places
        ]


def table_of(
    sheet: Sheet,
    rows: Sequence[Row],
    by: Sequence[str],
    preference: ReportPreference,
    sort: str,
    property: str | None = None,
) -> ReportTable:
    """Return the columns of a report's table.

    Args:
        sheet: the report.
        rows: the rows on the page.
        by: the names by which the report is grouped.
        preference: what the person prefers.
        sort: the key of the column by which the rows are sorted, after `-` if the largest is first.
        property: the property of the report, which the page names once, above the table.
    """
    currency = _only_currency(sheet, rows)
    ordered = sorted(range(len(sheet.columns)), key=lambda place: _rank(sheet, by, place))
    unseen = {*sheet.to_sign, *([CURRENCY] if currency else [])}
    offered = [place for place in ordered if sheet.columns[place].key not in unseen]
    shown = [place for place in offered if not preference.hides(sheet.columns[place].key)] or offered[:1]
    can_sort = is_sortable(sheet)
    return ReportTable(
        shown,
        [_head(sheet.columns[place], sort, can_sort) for place in shown],
        [(sheet.columns[place].key, sheet.columns[place].heading, place in shown) for place in offered],
        currency,
        property,
    )


def is_sortable(sheet: Sheet) -> bool:
    """Return True if the rows of a report are few enough to be sorted on a page."""
    return isinstance(sheet.rows, Sequence) and len(sheet.rows) <= SORTED_ROWS


def sorted_rows(sheet: Sheet, sort: str) -> Iterable[Row]:
    """Return the rows of a report, sorted by the column that `sort` names. Rows without a value come last. If
    there is no such column, or there are too many rows, the order does not change.
    """
    key = sort.removeprefix("-")
    places = [place for place, column in enumerate(sheet.columns) if column.key == key]
    if not places or not is_sortable(sheet):
        return sheet.rows
    place, is_number = places[0], sheet.columns[places[0]].type in NUMBERS

    def value(row: Row) -> Fraction | str | None:
        if not _has_value(row[place]):
            return None
        return Fraction(str(row[place])) if is_number else str(row[place]).casefold()

    return sort_rows(sheet.rows, sort, value)


def cell_of(column: Column, cell: Any, property: str | None = None) -> tuple[str, str]:
    """Return the CSS class and the text of a cell. Figures are aligned to the right. Zeros, and words in
    place of a value, are pale.
    """
    if column.type not in NUMBERS:
        text = cell_text(column, cell, property)
        return ("w" if column.key not in WRAPPED else "sentence" if text else ""), text
    if isinstance(cell, Absent) or cell in ("", None):
        return "n muted", grouped("" if cell is None else cell)
    mark = amount_class(cell)
    if mark == "below" and (column.type != "money" or column.key in TO_PLAYERS):
        mark = ""
    return f"n {mark}".strip(), grouped(cell)


def _verdict(sheet: Sheet, row: Row) -> tuple[str, str]:
    """Return the CSS class and the text of a row's cell in the column `verdict`: inside or outside its
    bounds. The class `grey` means that the row was not judged.
    """
    values = {column.key: str(cell) for column, cell in zip(sheet.columns, row, strict=True)}
    css_class = {OUTSIDE: "verdict outside", INSIDE: "verdict inside"}.get(state_of(values), "verdict grey")
    return css_class, verdict_text(values)


def _has_value(cell: Any) -> bool:
    return not isinstance(cell, Absent) and cell not in ("", None)


def _rank(sheet: Sheet, by: Sequence[str], place: int) -> tuple[int, int]:
    """Return the sort key of a column: columns that lead the sheet and grouping columns come first, then the
    column `verdict`, then figures, and a note last.
    """
    column = sheet.columns[place]
    if column.key in sheet.leads:
        return -1, sheet.leads.index(column.key)
    if column.key in by:
        return 0, list(by).index(column.key)
    if column.key == VERDICT:
        return 1, 0
    return (3 if column.key == NOTE else 2), place


def _head(column: Column, sort: str, can_sort: bool) -> HeadCell:
    is_number = column.type in NUMBERS
    order = order_of(sort, column.key)
    largest_first = is_number != (bool(order) and (order == "descending") == is_number)
    address = f"{'-' if largest_first else ''}{column.key}"
    return HeadCell(column.key, column.heading, is_number, address if can_sort else "", order)


def _only_currency(sheet: Sheet, rows: Sequence[Row]) -> str:
    """Return the currency of all rows on the page and of all totals, or empty text if there are several."""
    places = [place for place, column in enumerate(sheet.columns) if column.key == CURRENCY]
    if not places:
        return ""
    currencies = {str(row[places[0]]) for row in (*rows, *sheet.totals)}
    return currencies.pop() if len(currencies) == 1 else ""
