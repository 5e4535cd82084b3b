"""PDF files of reports, to print, sign and file: the title, what the report is about, the rows with their
totals, the control totals, and lines for signatures.

A4 in landscape format. Texts are broken into lines, amounts never. Columns of exact minor units, which are
for programs, are left out. The same rows give the same bytes: the file contains no time of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from fpdf.enums import XPos, YPos

from casino.cage.slips.pdf import printable
from casino.exports.formats.control_totals import Counting, Total
from casino.exports.formats.pdf_layout import (
    PAD,
    PrintedColumn,
    heading_text,
    layout,
    lines_of,
    shown,
)
from casino.exports.formats.pdf_pages import INSIDE, MARGIN, Pages, make_room, new_pages, use_font
from casino.presentation.formatting import grouped
from casino.reports.columns import Absent, Column, Heading, Row, Sheet

PALE, RULE = 120, 205
ROWS = 2_000
"""Maximum number of rows that are printed. The totals are always those of all rows."""
LINE = 1.25
"""The height of a line as a multiple of the font size."""
BASE = 0.8
"""Distance from the top of a line to the baseline of its text, as a fraction of the line's height."""
POINT = 25.4 / 72
GAP = 0.5
"""Empty space below the text of each row, in millimeters."""
SIGNED_LINE = 6.5
"""Minimum height of a row in which people sign, in millimeters."""
BELOW_TABLE, TOTALS_HEADING, TEXT_LINE, SIGNATURES = 3.0, 6.0, 4.6, 26.0
"""Heights in millimeters: the space below a table, the heading of the control totals, a line of text, and the
lines for signatures with the space above them.
"""
MOST_BELOW = 120.0
"""The last row of a table is kept on a page with what follows the table, if this needs at most this height in
millimeters.
"""
SIGNERS = ("Prepared by", "Checked by", "Approved by")
CONTROL_TOTALS = (
    "The sum of each column over all rows, as in the manifest. They show that no row is missing. "
    "A cell without a figure is in no sum."
)


def as_pdf(sheet: Sheet) -> Iterator[bytes]:
    """Yield the bytes of the file."""
    heading = sheet.heading or Heading()
    count = Counting(sheet._replace(query=None), lambda rows: None)
    counted = iter(count.sheet.rows)
    rows = list(islice(counted, ROWS))
    left_out = sum(1 for _ in counted)
    pages = new_pages(sheet, heading)
    pages.add_page()
    _head(pages, sheet, heading)
    totals_lines = _control_totals_lines(sheet.columns, count)
    if rows:
        _table(pages, sheet, rows, _height_below(pages, totals_lines, is_cut=left_out > 0))
    else:
        _text(pages, "No rows in these days.")
        pages.ln(3)
    if left_out:
        _text(pages, f"The first {ROWS:,} of {ROWS + left_out:,} rows. Totals are of all rows.")
    _control_totals(pages, totals_lines, are_sums=bool(count.totals()))
    _signatures(pages)
    yield bytes(pages.output())


def _head(pages: Pages, sheet: Sheet, heading: Heading) -> None:
    use_font(pages, 9, grey=True)
    pages.cell(INSIDE / 2, 5, printable(heading.property or "All properties"))
    pages.cell(INSIDE / 2, 5, "Catwalk", align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    use_font(pages, 16, bold=True)
    pages.multi_cell(INSIDE, 8, printable(sheet.title), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    for label, value in heading.lines():
        use_font(pages, 9, grey=True)
        pages.cell(30, 4.6, printable(label))
        use_font(pages, 9)
        pages.multi_cell(INSIDE - 30, 4.6, printable(value), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pages.ln(3)


class _Table:
    """A group of columns of a sheet while it is printed."""

    def __init__(self, pages: Pages, sheet: Sheet, columns: Sequence[PrintedColumn], size: float) -> None:
        self.pages, self.sheet, self.columns, self.size = pages, sheet, columns, size
        self.line = size * POINT * LINE
        is_signed = any(column.column.key in sheet.to_sign for column in columns)
        self.least = SIGNED_LINE if is_signed else 0.0
        self.width = sum(column.width for column in columns)

    def headings(self) -> None:
        """Print the headings of the columns."""
        use_font(self.pages, self.size, bold=True)
        lines = [lines_of(self.pages, heading_text(column.column), column.width) for column in self.columns]
        self._cells(lines, max(map(len, lines)) * self.line)
        self._rule(0)

    def row(self, row: Row, *, is_total: bool = False, below: int = 0, foot: float = 0.0) -> None:
        """Print a row. Begin a new page if this row, `below` rows of one line and `foot` millimeters do not
        fit this one.
        """
        use_font(self.pages, self.size, bold=is_total)
        lines = [
            lines_of(self.pages, shown(self.sheet, row, column.place), column.width, column.align)
            for column in self.columns
        ]
        high = max(max(map(len, lines)) * self.line, 0.0 if is_total else self.least)
        if make_room(self.pages, high + below * (self.line + 2 * GAP) + foot):
            self.headings()
            use_font(self.pages, self.size, bold=is_total)
        self._cells(lines, high, [isinstance(row[column.place], Absent) for column in self.columns])
        self._rule(RULE)

    def totals(self) -> None:
        """Print the totals of the sheet below a line."""
        if self.sheet.totals:
            self._rule(0)
        for row in self.sheet.totals:
            self.row(row, is_total=True)

    def _cells(self, lines: Sequence[Sequence[str]], high: float, pale: Sequence[bool] = ()) -> None:
        """Print the lines of each cell of a row, and move below the row."""
        pages, x = self.pages, MARGIN
        top = pages.get_y()
        for place, (column, of_cell) in enumerate(zip(self.columns, lines, strict=True)):
            if pale and pale[place]:
                pages.set_text_color(PALE)
            for number, line in enumerate(of_cell):
                spare = column.width - PAD - pages.width_of(line) if column.align == "R" else 0
                pages.text(x + spare, top + (number + BASE) * self.line, line)
            pages.set_text_color(0)
            x += column.width
        pages.set_xy(MARGIN, top + high)

    def _rule(self, color: int) -> None:
        """Draw a line below the last row."""
        top = self.pages.get_y()
        self.pages.set_draw_color(color)
        self.pages.line(MARGIN, top, MARGIN + self.width, top)
        self.pages.set_y(top + GAP)


def _table(pages: Pages, sheet: Sheet, rows: Sequence[Row], foot: float) -> None:
    """Print the table, with its headings on every page and its totals at the end, on the same page as the
    last row. If its columns do not fit a page, print it in parts, each with the first column.

    `foot` is the height of what follows the table, in millimeters. The last row is on the same page, so that
    nobody signs a page without figures.
    """
    parts, size = layout(pages, sheet, rows)
    for columns in parts:
        table = _Table(pages, sheet, columns, size)
        make_room(pages, 20)
        table.headings()
        for row in rows[:-1]:
            table.row(row)
        table.row(rows[-1], below=len(sheet.totals), foot=foot if columns is parts[-1] else 0.0)
        table.totals()
        pages.ln(BELOW_TABLE)


def _control_totals_lines(columns: Sequence[Column], count: Counting) -> list[str]:
    """Return the control totals of each currency as a text, with the number of rows that have no figure. The
    totals of a sheet without figures are its number of rows.
    """
    lines = []
    for total in count.totals():
        currency = f" in {total.currency}" if total.currency else ""
        sums = _sums(total, columns, count.without_figure(total.currency))
        lines.append(f"{total.rows:,} row{'s' if total.rows != 1 else ''}{currency}: {sums or 'no sums'}")
    return lines or [f"{count.rows:,} rows"]


def _height_below(pages: Pages, totals_lines: Sequence[str], *, is_cut: bool) -> float:
    """Return the height of what follows the table, in millimeters: the control totals and the lines for
    signatures. If they would fill most of a page, return only the height of the signatures.
    """
    use_font(pages, 9)
    printed = sum(len(lines_of(pages, printable(text), INSIDE)) for text in totals_lines) + is_cut
    high = BELOW_TABLE + TOTALS_HEADING + (printed + 1) * TEXT_LINE + SIGNATURES
    return high if high <= MOST_BELOW else SIGNATURES


def _control_totals(pages: Pages, totals_lines: Sequence[str], *, are_sums: bool) -> None:
    """Print the control totals, which are also in the manifest of the file."""
    make_room(pages, min(_height_below(pages, totals_lines, is_cut=False) - BELOW_TABLE, MOST_BELOW))
    use_font(pages, 10, bold=True)
    pages.cell(INSIDE, TOTALS_HEADING, "Control totals", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    for text in totals_lines:
        make_room(pages, 2 * TEXT_LINE)
        _text(pages, text)
    if are_sums:
        use_font(pages, 8, grey=True)
        pages.cell(INSIDE, TEXT_LINE, CONTROL_TOTALS, new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _sums(total: Total, columns: Sequence[Column], without_figure: dict[str, int]) -> str:
    headings = {column.key: column.heading for column in columns}
    return ", ".join(
        f"{headings[key]} {grouped(value)}"
        + (f" ({without_figure[key]:,} without a figure)" if without_figure.get(key) else "")
        for key, value in total.sums.items()
    )


def _signatures(pages: Pages) -> None:
    """Draw a line for the name, the signature and the date of each signer."""
    make_room(pages, SIGNATURES)
    pages.ln(12)
    pages.set_draw_color(0)
    width, top = INSIDE / len(SIGNERS), pages.get_y()
    for place, signer in enumerate(SIGNERS):
        x = MARGIN + place * width
        pages.line(x, top, x + width - 8, top)
        pages.set_xy(x, top + 0.8)
        use_font(pages, 8, grey=True)
        pages.cell(width - 8, 4, f"{signer}: name, signature, date")
    pages.set_xy(MARGIN, top + 8)


def _text(pages: Pages, text: str) -> None:
    use_font(pages, 9)
    pages.multi_cell(INSIDE, TEXT_LINE, printable(text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
