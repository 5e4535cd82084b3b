"""PDF files of reports, to print, sign and file: the title, what the report is about, the rows with their
totals, the control totals, and lines for signatures. The position of the ledger and `page x of y` are at the
foot of each page.

A4 in landscape format. Texts are broken into lines, amounts never. Columns of exact minor units, which are
for programs, are left out. The same rows give the same bytes: the file contains no time of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, time
from itertools import islice
from typing import Any, NamedTuple

from fpdf import FPDF
from fpdf.enums import XPos, YPos

from casino.cage.slips.pdf import printable
from casino.exports.formats.control_totals import Counting, Total
from casino.exports.formats.xlsx import MADE, NUMBERS
from casino.presentation.formatting import display, grouped
from casino.reports.columns import Absent, Column, Heading, Row, Sheet

WIDE, HIGH, MARGIN, FOOT = 297.0, 210.0, 12.0, 16.0
INSIDE = WIDE - 2 * MARGIN
GREY, PALE = 95, 120
ROWS = 2_000
"""Maximum number of rows that are printed. The totals are always those of all rows."""
MEASURED = 200
"""Number of rows from which the widths of the columns are computed."""
SIZES = (8.5, 7.5, 6.5, 5.5)
"""Font sizes in points. The largest one at which a table fits is used."""
PAD, LINE = 3.0, 1.25
"""Space between columns in millimeters, and the height of a line as a multiple of the font size."""
BASE = 0.8
"""Distance from the top of a line to the baseline of its text, as a fraction of the line's height."""
POINT = 25.4 / 72
TOLERANCE = 0.01
LEAST_TEXT = 16.0
"""Minimum width of a column of texts in millimeters, if texts are broken into lines."""
EXACT = "_exact"
"""The suffix of the keys of columns with exact minor units. A PDF leaves these columns out."""
SIGNERS = ("Prepared by", "Checked by", "Approved by")


class PrintedColumn(NamedTuple):
    """A column of the table: its index in the sheet, its width in millimeters, and its alignment."""

    place: int
    column: Column
    width: float
    align: str


class Pages(FPDF):
    """A PDF with the position of the ledger and the page number at the foot of each page."""

    says = ""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._widths: dict[tuple[str, str], float] = {}

    def width_of(self, text: str) -> float:
        """Return the width of a text in the current font, in millimeters. The widths of its characters are
        added up, because the library measures a whole text much more slowly. The built-in fonts have no
        kerning.
        """
        style, size = self.font_style, self.font_size
        total = 0.0
        for letter in text:
            width = self._widths.get((style, letter))
            if width is None:
                width = self._widths[style, letter] = self.get_string_width(letter) / size
            total += width
        return total * size

    def footer(self) -> None:
        self.set_y(-11)
        _font(self, 7, grey=True)
        self.cell(INSIDE - 30, 4, printable(self.says))
        self.cell(30, 4, f"page {self.page_no()} of {{nb}}", align="R")


def as_pdf(sheet: Sheet) -> Iterator[bytes]:
    """Yield the bytes of the file."""
    heading = sheet.heading or Heading()
    count = Counting(sheet._replace(query=None), lambda rows: None)
    shown = iter(count.sheet.rows)
    rows = list(islice(shown, ROWS))
    left_out = sum(1 for _ in shown)
    pages = _pages(sheet, heading)
    pages.add_page()
    _head(pages, sheet, heading)
    if rows:
        _table(pages, sheet, rows)
    else:
        _text(pages, "No rows in these days.")
    if left_out:
        _text(pages, f"The first {ROWS:,} of {ROWS + left_out:,} rows. Totals are of all rows.")
    _control_totals(pages, sheet.columns, count.totals(), count.rows)
    _signatures(pages)
    yield bytes(pages.output())


def _pages(sheet: Sheet, heading: Heading) -> Pages:
    pages = Pages(format=(HIGH, WIDE), orientation="landscape")
    pages.set_compression(False)  # Compressed bytes would depend on the version of the compression library.
    last = heading.last
    pages.set_creation_date(datetime.combine(last, time(), UTC) if last else MADE.replace(tzinfo=UTC))
    pages.set_producer("Catwalk")
    pages.set_title(printable(sheet.title))
    pages.set_lang("en")
    pages.set_margins(MARGIN, MARGIN)
    pages.c_margin = 0
    pages.set_auto_page_break(False)
    pages.says = "; ".join(_positions(heading)) or "Catwalk"
    return pages


def _positions(heading: Heading) -> Iterator[str]:
    """Yield a text for each ledger: its property, its position, and the chain hash at that position."""
    for property, position, chain in heading.ledgers:
        yield f"{property}, ledger position {position:,}, chain {chain}"


def _head(pages: Pages, sheet: Sheet, heading: Heading) -> None:
    _font(pages, 9, grey=True)
    pages.cell(INSIDE / 2, 5, printable(heading.property or "All properties"))
    pages.cell(INSIDE / 2, 5, "Catwalk", align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    _font(pages, 16, bold=True)
    pages.multi_cell(INSIDE, 8, printable(sheet.title), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    for label, value in heading.lines():
        _font(pages, 9, grey=True)
        pages.cell(30, 4.6, printable(label))
        _font(pages, 9)
        pages.multi_cell(INSIDE - 30, 4.6, printable(value), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pages.ln(3)


def _table(pages: Pages, sheet: Sheet, rows: Sequence[Row]) -> None:
    """Print the table, with its headings on every page and its totals at the end. If its columns do not fit
    a page, print it in parts, each with the first column.
    """
    parts, size = _layout(pages, sheet, rows)
    for columns in parts:
        _room(pages, 20)
        _headings(pages, columns, size)
        for row in rows:
            _row(pages, columns, row, size)
        for place, row in enumerate(sheet.totals):
            _row(pages, columns, row, size, bold=True, ruled=place == 0)
        pages.ln(3)


def _layout(pages: Pages, sheet: Sheet, rows: Sequence[Row]) -> tuple[list[list[PrintedColumn]], float]:
    """Return the groups of columns in which a table is printed, and the font size. If the table fits the
    width of a page in one of SIZES, there is one group, in the largest size that fits. Otherwise there are
    several groups, in the smallest size.
    """
    places = [place for place, column in enumerate(sheet.columns) if not column.key.endswith(EXACT)]
    sample = [*rows[:MEASURED], *rows[-1:], *sheet.totals]
    for size in SIZES:
        wanted = [_width(pages, sheet.columns[place], place, sample, size) for place in places]
        minimums = [_least(pages, sheet.columns[place]) for place in places]
        widths = _fitted(wanted, minimums)
        if sum(widths) <= INSIDE + TOLERANCE:
            break
    columns = [
        PrintedColumn(place, sheet.columns[place], width, _align(sheet.columns[place]))
        for place, width in zip(places, widths, strict=True)
    ]
    return _parts(columns), size


def _align(column: Column) -> str:
    return "R" if column.type in NUMBERS else "L"


def _parts(columns: Sequence[PrintedColumn]) -> list[list[PrintedColumn]]:
    """Return the columns in groups, each of which fits the width of a page. The first column is in every
    group.
    """
    name, *others = columns
    parts, width = [[name]], name.width
    for column in others:
        if width + column.width > INSIDE + TOLERANCE and len(parts[-1]) > 1:
            parts.append([name])
            width = name.width
        parts[-1].append(column)
        width += column.width
    return parts


def _width(pages: Pages, column: Column, place: int, sample: Iterable[Row], size: float) -> float:
    """Return the width that a column needs: that of its longest value, or of the longest word of its
    heading.
    """
    _font(pages, size, bold=True)
    longest = max((pages.width_of(_shown(column, row[place])) for row in sample), default=0.0)
    return max(_longest_word(pages, column), longest) + PAD


def _least(pages: Pages, column: Column) -> float | None:
    """Return the minimum width of a column in the current font. Return None if the values of the column are
    never broken into lines.
    """
    if column.type != "text":
        return None
    return max(LEAST_TEXT, _longest_word(pages, column) + PAD)


def _longest_word(pages: Pages, column: Column) -> float:
    return max((pages.width_of(word) for word in _heading(column).split()), default=0.0)


def _fitted(wanted: Sequence[float], minimums: Sequence[float | None]) -> list[float]:
    """Return the widths of the columns on a page. If the wanted widths do not fit, columns of texts get less,
    but at least their minimum.
    """
    floors = [width if low is None else min(low, width) for width, low in zip(wanted, minimums, strict=True)]
    too_wide, spare = sum(wanted) - INSIDE, sum(wanted) - sum(floors)
    if too_wide <= 0 or spare <= 0:
        return list(wanted)
    part = min(1.0, too_wide / spare)
    return [width - part * (width - low) for width, low in zip(wanted, floors, strict=True)]


def _shown(column: Column, cell: Any) -> str:
    """Return the text of a cell, formatted as on web pages."""
    if column.type in NUMBERS:
        return printable(grouped(cell).replace("\N{MINUS SIGN}", "-"))
    return printable(display(column.key, cell))


def _heading(column: Column) -> str:
    return printable(column.heading[:1].upper() + column.heading[1:])


def _headings(pages: Pages, columns: Sequence[PrintedColumn], size: float) -> None:
    _font(pages, size, bold=True)
    high = size * POINT * LINE
    lines = [_lines(pages, _heading(column.column), column.width) for column in columns]
    _cells(pages, columns, lines, high)
    top = pages.get_y()
    pages.set_draw_color(0)
    pages.line(MARGIN, top, WIDE - MARGIN, top)
    pages.set_y(top + 0.6)


def _row(
    pages: Pages,
    columns: Sequence[PrintedColumn],
    row: Row,
    size: float,
    *,
    bold: bool = False,
    ruled: bool = False,
) -> None:
    _font(pages, size, bold=bold)
    high = size * POINT * LINE
    lines = [
        _lines(pages, _shown(column.column, row[column.place]), column.width, column.align)
        for column in columns
    ]
    if pages.get_y() + high * max(map(len, lines)) > HIGH - FOOT:
        pages.add_page()
        _headings(pages, columns, size)
        _font(pages, size, bold=bold)
    if ruled:
        pages.set_draw_color(0)
        pages.line(MARGIN, pages.get_y(), WIDE - MARGIN, pages.get_y())
        pages.set_y(pages.get_y() + 0.6)
    pale = [isinstance(row[column.place], Absent) for column in columns]
    _cells(pages, columns, lines, high, pale)


def _cells(
    pages: Pages,
    columns: Sequence[PrintedColumn],
    lines: Sequence[Sequence[str]],
    high: float,
    pale: Sequence[bool] = (),
) -> None:
    """Print the lines of each cell of a row, and move below the row."""
    top, x = pages.get_y(), MARGIN
    for place, (column, of_cell) in enumerate(zip(columns, lines, strict=True)):
        if pale and pale[place]:
            pages.set_text_color(PALE)
        for number, line in enumerate(of_cell):
            spare = column.width - PAD - pages.width_of(line) if column.align == "R" else 0
            pages.text(x + spare, top + (number + BASE) * high, line)
        pages.set_text_color(0)
        x += column.width
    pages.set_xy(MARGIN, top + high * max(map(len, lines)) + 0.5)


def _lines(pages: Pages, text: str, width: float, align: str = "L") -> list[str]:
    """Break a text into lines that fit a width, and return them. A figure (a right-aligned cell) is never
    broken.
    """
    if align == "R" or pages.width_of(text) <= width - PAD:
        return [text]
    broken = pages.multi_cell(width - PAD, 4, text, align="L", dry_run=True, output="LINES")
    assert isinstance(broken, list)
    return broken or [""]


def _control_totals(pages: Pages, columns: Sequence[Column], totals: Sequence[Total], rows: int) -> None:
    """Print the control totals, which are also in the manifest of the file."""
    _room(pages, 12 + 5 * len(totals))
    _font(pages, 10, bold=True)
    pages.cell(INSIDE, 6, "Control totals", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    headings = {column.key: column.heading for column in columns}
    for total in totals:
        sums = ", ".join(f"{headings[key]} {grouped(value)}" for key, value in total.sums.items())
        currency = f" in {total.currency}" if total.currency else ""
        _text(pages, f"{total.rows:,} row{'s' if total.rows != 1 else ''}{currency}: {sums or 'no sums'}")
    if not totals:
        _text(pages, f"{rows:,} rows")


def _signatures(pages: Pages) -> None:
    """Draw a line for the name, the signature and the date of each signer."""
    _room(pages, 26)
    pages.ln(12)
    width, top = INSIDE / len(SIGNERS), pages.get_y()
    for place, signer in enumerate(SIGNERS):
        x = MARGIN + place * width
        pages.line(x, top, x + width - 8, top)
        pages.set_xy(x, top + 0.8)
        _font(pages, 8, grey=True)
        pages.cell(width - 8, 4, f"{signer}: name, signature, date")
    pages.set_xy(MARGIN, top + 8)


def _room(pages: Pages, high: float) -> None:
    """Begin a new page if less than this height is left on the current page."""
    if pages.get_y() + high > HIGH - FOOT:
        pages.add_page()


def _text(pages: Pages, text: str) -> None:
    _font(pages, 9)
    shown = printable(text.replace("\N{MINUS SIGN}", "-"))
    pages.multi_cell(INSIDE, 4.6, shown, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _font(pages: Pages, size: float, *, bold: bool = False, grey: bool = False) -> None:
    pages.set_font("Helvetica", "B" if bold else "", size)
    pages.set_text_color(GREY if grey else 0)
