"""XLSX files. Numbers and dates are typed, texts are never run as formulas, and the same rows give the same
bytes.

Spreadsheets calculate with doubles, which have fifteen digits. So an amount with more digits is written as
exact text. An instant is text too, because a double would round its microseconds. A day before March 1900 is
also text, because spreadsheets number these days differently. A text that begins like a formula is
permanently marked as text (Excel's quote prefix), so that editing the cell does not run it. The text itself
is not changed.

The rows are on the first worksheet, which is named after the sheet. The keys of the columns are in its first
line. This line and the first column stay in view, and the line is repeated on each printed page. The last
worksheet, `Summary`, has the title, what the sheet is about, its totals, and the headings of its columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import partial
from typing import IO, Any, NamedTuple

import xlsxwriter

from audit.queries.cell_patterns import is_run
from casino.exports.formats.temp_file import stream_temp_file
from casino.reports.columns import Absent, Column, Heading, Sheet

RUN_BEFORE = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Characters that earlier versions of the format treated as the beginning of a formula. Exports in these
versions are rebuilt with this list.
"""
ROWS = 1_048_575
"""Maximum number of rows on a worksheet, without its heading. Further rows are written to another
worksheet.
"""
LONGEST = 32_767
"""Maximum number of characters in a cell. A longer text is cut and ends with CUT."""
CUT = " … (cut)"
DIGITS = 15
NUMBERS = ("count", "money", "percent")
WIDE = {"text": 18, "day": 12, "instant": 28, "count": 12, "money": 18, "percent": 12}
"""For each type of column: its minimum width in characters. A number that does not fit would be shown as
###.
"""
DAY_NOUGHT, FIRST_DAY = date(1899, 12, 30), date(1900, 3, 1)
"""The date of a spreadsheet's day 0, and the first date to which all spreadsheets give the same number."""
GROUPED = ("count", "money")
"""Types of numbers that have separators of thousands."""
SUMMARY, SUMMARY_WIDTH = "Summary", 24
LONGEST_NAME = 31
"""Maximum number of characters in the name of a worksheet."""
FORBIDDEN = re.compile(r"[][:*?/\\\x00-\x1f]+")
"""Characters that the name of a worksheet must not contain."""
RESERVED = frozenset({"", "history", SUMMARY.casefold()})
"""Names that the worksheets with the rows must not have. Excel reserves `History` for itself."""
A4, LONGEST_HEADER = 9, 120
"""The number of the paper size A4, and the maximum number of characters of the title on printed pages."""
Runs = Callable[[str], bool]
"""A function that returns True if a spreadsheet would run a text as a formula."""
MADE = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""The creation time in every file. A real time would give different bytes for the same rows."""


def as_xlsx(
    sheet: Sheet,
    *,
    wide: bool = True,
    dated: bool = True,
    full_width: bool = True,
    printed: bool = True,
    named: bool = True,
) -> Iterator[bytes]:
    """Yield the bytes of the file, which is built on disk with constant memory.

    The other parameters are False only to write a file as an earlier release did.

    Args:
        wide: False for no column widths.
        dated: False for days as text.
        full_width: False for no guard against formulas that begin with full-width signs.
        printed: False for no separators of thousands, no print settings and no summary.
        named: False for worksheets with the names `Sheet1`, `Sheet2`.
    """
    options = Options(wide, dated, printed, named, is_run if full_width else _was_run)
    return stream_temp_file(partial(_write, sheet, options))


class Options(NamedTuple):
    """How a file is written. The parameters of `as_xlsx` describe the first four.

    Attributes:
        runs: returns True if a spreadsheet would run a text as a formula.
    """

    wide: bool
    dated: bool
    printed: bool
    named: bool
    runs: Runs


def worksheet_name(title: str, number: int = 1) -> str:
    """Return the name of a worksheet with rows of the sheet with this title. `number` is 2 for the second
    worksheet, which has the rows that the first one cannot hold.

    Of a title that is too long, only the part before its colon is used.
    """
    suffix = f" ({number})" if number > 1 else ""
    longest = LONGEST_NAME - len(suffix)
    short_title = title if len(title) <= longest else title.partition(":")[0]
    name = " ".join(FORBIDDEN.sub(" ", short_title).split()).strip("' ")
    if len(name) > longest:
        name = name[: longest - 1].rpartition(" ")[0].rstrip("' ") or name[: longest - 1]
        name += "…"
    return f"{name if name.casefold() not in RESERVED else 'Rows'}{suffix}"


def _was_run(text: str) -> bool:
    return text.lstrip(" ").startswith(RUN_BEFORE)


class Book:
    """A workbook with its cell formats."""

    def __init__(self, file: IO[bytes], title: str, *, dated: bool, printed: bool, runs: Runs) -> None:
        options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
        self.book = xlsxwriter.Workbook(file, {"constant_memory": True, **options})
        self.book.set_properties({"title": title, "created": MADE})
        self.guarded, self.bold = (
            self.book.add_format({"quote_prefix": True}),
            self.book.add_format({"bold": True}),
        )
        self.number_heading = self.book.add_format({"bold": True, "align": "right"}) if printed else self.bold
        self._day = self.book.add_format({"num_format": "yyyy-mm-dd"}) if dated else None
        self._printed, self._runs = printed, runs
        self._scales: dict[tuple[str, int], Any] = {}

    def write(self, page: Any, place: int, across: int, column: Column, cell: Any) -> None:
        """Write a cell: a number or a day with its format, or a text. `place` is the index of the row, and
        `across` the index of the column.
        """
        if (number := _number(column, cell)) is not None:
            page.write_number(place, across, number, self._scale(column, cell))
        elif self._day is not None and (count := _days(column, cell)) is not None:
            page.write_number(place, across, count, self._day)
        elif text := _text(cell):
            page.write_string(place, across, text, self.guarded if self._runs(text) else None)

    def heading_format(self, column: Column) -> Any:
        """Return the format of a column's heading. The heading of numbers is on the right, as they are."""
        return self.number_heading if column.type in NUMBERS else self.bold

    def _scale(self, column: Column, cell: Any) -> Any:
        """Return the format of a number: amounts and counts have separators of thousands."""
        digits = len(str(cell).partition(".")[2])
        integer_format = "#,##0" if self._printed and column.type in GROUPED else "0"
        if (integer_format, digits) not in self._scales:
            code = f"{integer_format}.{'0' * digits}" if digits else integer_format
            self._scales[integer_format, digits] = self.book.add_format({"num_format": code})
        return self._scales[integer_format, digits]


def _write(sheet: Sheet, options: Options, file: IO[bytes]) -> None:
    book = Book(file, sheet.title, dated=options.dated, printed=options.printed, runs=options.runs)
    heading = sheet.heading if options.printed else None
    page: Any = None
    place = number = 0
    for row in sheet.rows:
        if page is None or place == ROWS:
            page, place = _page(book, sheet, options, heading), 0
        place, number = place + 1, number + 1
        for across, (column, cell) in enumerate(zip(sheet.columns, row, strict=True)):
            book.write(page, place, across, column, cell)
    if page is None:
        _page(book, sheet, options, heading)
    if heading is not None:
        _summary(book, sheet, heading, number)
    book.book.close()


def _page(book: Book, sheet: Sheet, options: Options, heading: Heading | None) -> Any:
    number = len(book.book.worksheets()) + 1
    page = book.book.add_worksheet(worksheet_name(sheet.title, number) if options.named else None)
    page.freeze_panes(1, 0 if heading is None else 1)
    if heading is not None:
        page.repeat_rows(0)
        _set_print(page, sheet, heading)
    for across, column in enumerate(sheet.columns):
        if options.wide:
            page.set_column(across, across, max(WIDE[column.type], len(column.key) + 2))
        page.write_string(0, across, column.key, book.heading_format(column))
    return page


def _set_print(page: Any, sheet: Sheet, heading: Heading) -> None:
    """Set how a worksheet is printed: on A4 in landscape format, one page wide. Each page has the title with
    the property and the days at its top, and the position of the ledger at its foot.
    """
    page.set_landscape()
    page.set_paper(A4)
    page.fit_to_pages(1, 0)
    page.set_header("&L" + _print_text(", ".join((sheet.title, *heading.in_short()))))
    page.set_footer("&L" + _print_text(heading.ledger_line(with_chain=False)) + "&RPage &P of &N")


def _print_text(text: str) -> str:
    """Return a text as the first line or the foot of printed pages has it."""
    return text[:LONGEST_HEADER].replace("&", "&&")


def _summary(book: Book, sheet: Sheet, heading: Heading, rows: int) -> None:
    """Write the last worksheet: title, what the sheet is about, totals, and the headings of the columns."""
    page = book.book.add_worksheet(SUMMARY)
    page.set_column(0, len(sheet.columns), SUMMARY_WIDTH)
    _set_print(page, sheet, heading)
    page.write_string(0, 0, _text(sheet.title), book.bold)
    place = 1
    for label, value in (*heading.lines(), ("Rows", f"{rows:,}")):
        page.write_string(place, 0, label)
        page.write_string(place, 1, _text(value), book.guarded)
        place += 1
    if sheet.totals:
        place += 1
        page.write_string(place, 0, "Totals", book.bold)
        for across, column in enumerate(sheet.columns):
            page.write_string(place + 1, across, _text(column.heading), book.heading_format(column))
        for row_place, row in enumerate(sheet.totals, place + 2):
            for across, (column, cell) in enumerate(zip(sheet.columns, row, strict=True)):
                book.write(page, row_place, across, column, cell)
        place += 2 + len(sheet.totals)
    place += 1
    page.write_string(place, 0, "Columns", book.bold)
    for column_place, column in enumerate(sheet.columns, place + 1):
        page.write_string(column_place, 0, column.key)
        page.write_string(column_place, 1, _text(column.heading), book.guarded)


def _number(column: Column, cell: Any) -> float | int | None:
    """Return the number in a numeric cell, or None if the cell must be written as text because a double does
    not represent the number exactly.
    """
    if column.type not in NUMBERS or cell is None or isinstance(cell, Absent) or cell == "":
        return None
    written = str(cell)
    if len(written.lstrip("-").replace(".", "").lstrip("0")) > DIGITS:
        return None
    return float(written) if "." in written else int(written)


def _days(column: Column, cell: Any) -> int | None:
    """Return the day in a date cell as a spreadsheet's day number, or None if the cell must be written as
    text.
    """
    if column.type != "day" or not cell or isinstance(cell, Absent):
        return None
    try:
        day = date.fromisoformat(str(cell))
    except ValueError:
        return None
    return (day - DAY_NOUGHT).days if day >= FIRST_DAY else None


def _text(cell: Any) -> str:
    text = "" if cell is None else str(cell)
    return text if len(text) <= LONGEST else text[: LONGEST - len(CUT)] + CUT
