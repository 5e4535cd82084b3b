"""The pages of a report's PDF file: their size, the font, and what is on every page. A page after the first
names the report, the property and the days in its first line, so that a sheet that was separated from the
others can be recognized. At the foot are the position of the ledger and `page x of y`.
"""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Any

from fpdf import FPDF

from casino.cage.slips.pdf import printable
from casino.exports.formats.xlsx import MADE
from casino.reports.columns import Heading, Sheet

WIDE, HIGH, MARGIN, FOOT = 297.0, 210.0, 12.0, 16.0
INSIDE = WIDE - 2 * MARGIN
GREY = 95
HEAD = 6.0
"""The height of the first line of a page after the first, in millimeters."""


class Pages(FPDF):
    """A PDF in landscape format.

    Attributes:
        title_line: the text at the top of each page after the first.
        ledger_line: the text at the foot of each page.
    """

    title_line = ""
    ledger_line = ""

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

    def header(self) -> None:
        if self.page_no() > 1:
            use_font(self, 8, grey=True)
            self.set_xy(MARGIN, MARGIN)
            self.cell(INSIDE, 4, printable(self.title_line))
            self.set_xy(MARGIN, MARGIN + HEAD)

    def footer(self) -> None:
        self.set_y(-11)
        use_font(self, 7, grey=True)
        self.cell(INSIDE - 30, 4, printable(self.ledger_line))
        self.cell(30, 4, f"page {self.page_no()} of {{nb}}", align="R")


def new_pages(sheet: Sheet, heading: Heading) -> Pages:
    """Return a PDF without pages for a sheet."""
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
    pages.title_line = ", ".join((sheet.title, *heading.in_short()))
    pages.ledger_line = heading.ledger_line() or "Catwalk"
    return pages


def make_room(pages: Pages, high: float) -> bool:
    """Begin a new page if less than this height is left on the current page. Return True if it does."""
    if pages.get_y() + high <= HIGH - FOOT:
        return False
    pages.add_page()
    return True


def use_font(pages: FPDF, size: float, *, bold: bool = False, grey: bool = False) -> None:
    """Use the built-in font in this size, in points."""
    pages.set_font("Helvetica", "B" if bold else "", size)
    pages.set_text_color(GREY if grey else 0)
