"""XLSX files. Numbers and dates are typed, texts are never run as formulas, and the same rows give the same
bytes.

Spreadsheets calculate with doubles, which have fifteen digits. So an amount with more digits is written as
exact text. An instant is text too, because a double would round its microseconds. So is a day before March
1900, because spreadsheets number these days differently. A text that begins like a formula is permanently
marked as text (Excel's quote prefix), so that editing the cell does not run it. The text itself is not
changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import IO, Any

import xlsxwriter

from audit.queries.cell_patterns import is_run
from casino.exports.formats.temp_file import stream_temp_file
from casino.reports.columns import Absent, Column, Sheet

RUN_BEFORE = ("=", "+", "-", "@", "\t", "\r", "\n")
"""First characters of a formula against which earlier versions protected. Exports archived then are rebuilt
with these.
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
"""Day 0 of a spreadsheet, and the first day that all spreadsheets number in the same way."""
MADE = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""The creation time in every file. A real time would give different bytes for the same rows."""


def as_xlsx(
    sheet: Sheet, *, wide: bool = True, dated: bool = True, full_width: bool = True
) -> Iterator[bytes]:
    """Yield the bytes of the file, which is built on disk with constant memory. `wide`, `dated` and
    `full_width` are False to write a file as earlier releases did: without column widths, with days as text,
    and without a guard for full-width signs.
    """
    return stream_temp_file(partial(_write, sheet, wide, dated, is_run if full_width else _was_run))


def _was_run(text: str) -> bool:
    return text.lstrip(" ").startswith(RUN_BEFORE)


def _write(sheet: Sheet, wide: bool, dated: bool, runs: Callable[[str], bool], file: IO[bytes]) -> None:
    never = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(file, {"constant_memory": True, **never})
    book.set_properties({"title": sheet.title, "created": MADE})
    guarded, bold = book.add_format({"quote_prefix": True}), book.add_format({"bold": True})
    day = book.add_format({"num_format": "yyyy-mm-dd"}) if dated else None
    scales: dict[int, Any] = {}
    page: Any = None
    place = 0
    for row in sheet.rows:
        if page is None or place == ROWS:
            page, place = _page(book, sheet.columns, bold, wide), 0
        place += 1
        for across, (column, cell) in enumerate(zip(sheet.columns, row, strict=True)):
            if (number := _number(column, cell)) is not None:
                digits = len(str(cell).partition(".")[2])
                if digits not in scales:
                    scales[digits] = book.add_format({"num_format": f"0.{'0' * digits}" if digits else "0"})
                page.write_number(place, across, number, scales[digits])
            elif day is not None and (count := _days(column, cell)) is not None:
                page.write_number(place, across, count, day)
            elif text := _text(cell):
                page.write_string(place, across, text, guarded if runs(text) else None)
    if page is None:
        _page(book, sheet.columns, bold, wide)
    book.close()


def _page(book: Any, columns: Sequence[Column], bold: Any, wide: bool) -> Any:
    page = book.add_worksheet()
    page.freeze_panes(1, 0)
    for across, column in enumerate(columns):
        if wide:
            page.set_column(across, across, max(WIDE[column.type], len(column.key) + 2))
        page.write_string(0, across, column.key, bold)
    return page


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
