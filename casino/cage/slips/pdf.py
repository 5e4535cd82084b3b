"""Render slips as PDF, each on its own A5 pages.

The same papers always give the same bytes, because the file contains no time other than the fact's own.
"""

from __future__ import annotations

from collections.abc import Sequence

from fpdf import FPDF
from fpdf.enums import XPos, YPos

from casino.cage.slips.document import Paper

WIDE, HIGH, MARGIN = 148.0, 210.0, 12.0
INSIDE = WIDE - 2 * MARGIN
ASCII_FORMS = str.maketrans(
    {
        "\N{BLACK SPADE SUIT}": "s",
        "\N{BLACK HEART SUIT}": "h",
        "\N{BLACK DIAMOND SUIT}": "d",
        "\N{BLACK CLUB SUIT}": "c",
        "\N{MINUS SIGN}": "-",
        "\N{EN DASH}": "-",
        "\N{HORIZONTAL ELLIPSIS}": "...",
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    }
)
RULE, GREY, RED = 200, 95, (170, 30, 25)


class Sheet(FPDF):
    """A PDF of slips. While `void` is set, VOID is stamped on each page that is completed."""

    void = False

    def footer(self) -> None:
        if self.void:
            _stamp(self)


def render_pdf(papers: Sequence[Paper]) -> bytes:
    """Return a PDF of these papers, in their order. Raise ValueError for an empty sequence."""
    if not papers:
        raise ValueError("no slip to print")
    sheet = Sheet(format=(WIDE, HIGH))
    sheet.set_compression(
        False
    )  # slips are short; uncompressed text can be searched, and the bytes do not depend on a library
    sheet.set_creation_date(papers[0].at)
    sheet.set_producer("Catwalk")
    sheet.set_title(printable(f"{papers[0].title} {papers[0].serial}".strip()))
    sheet.set_lang("en")
    sheet.set_margins(MARGIN, MARGIN)
    sheet.set_auto_page_break(True, margin=MARGIN)
    for paper in papers:
        sheet.add_page()  # Completes the previous page and stamps it, so set `void` afterwards.
        sheet.void = bool(paper.void)
        _page(sheet, paper)
    return bytes(sheet.output())


def printable(text: str) -> str:
    """Return the text with each character that PDF's built-in font lacks replaced: signs such as the minus
    sign by their ASCII form, suits of cards by their letter, and any other character by its code point, such
    as `[U+0928]`.
    """
    text = text.translate(ASCII_FORMS)
    return "".join(
        letter if letter.isprintable() and ord(letter) < 256 else f"[U+{ord(letter):04X}]" for letter in text
    )


def _page(sheet: Sheet, paper: Paper) -> None:
    _head(sheet, paper)
    _said(sheet, paper)
    _lines(sheet, paper)
    _signatures(sheet, paper)
    _proof(sheet, paper)


def _head(sheet: Sheet, paper: Paper) -> None:
    _type(sheet, 9, grey=True)
    _cell(sheet, INSIDE / 2, 5, printable(paper.house))
    _cell(sheet, INSIDE / 2, 5, "Catwalk", align="R", last=True)
    _type(sheet, 17, bold=True)
    _cell(sheet, INSIDE, 9, printable(paper.title), last=True)
    if paper.serial:
        sheet.set_font("Courier", "B", 16)
        _cell(sheet, INSIDE, 8, printable(paper.serial), last=True)
    if paper.void:
        sheet.set_text_color(*RED)
        sheet.set_font("Helvetica", "B", 10)
        sheet.multi_cell(
            INSIDE, 5, printable(f"VOID. {paper.void}"), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT
        )
        sheet.set_text_color(0)
    sheet.ln(2)


def _said(sheet: Sheet, paper: Paper) -> None:
    for label, value in (("Table", paper.table), *paper.said):
        _type(sheet, 9, grey=True)
        _cell(sheet, 28, 5.4, label)
        _type(sheet, 10, bold=label == "Table")
        sheet.multi_cell(INSIDE - 28, 5.4, printable(value), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    sheet.ln(2)


def _lines(sheet: Sheet, paper: Paper) -> None:
    if paper.lines:
        _type(sheet, 9, grey=True)
        for width, text, align in (
            (54, "Denomination", "L"),
            (30, "Pieces", "R"),
            (INSIDE - 84, "Worth", "R"),
        ):
            _cell(sheet, width, 5.5, text, border="B", align=align)
        sheet.ln(5.5)
        _type(sheet, 10)
        for line in paper.lines:
            for width, text, align in (
                (54, line.what, "L"),
                (30, line.pieces, "R"),
                (INSIDE - 84, line.worth, "R"),
            ):
                _cell(sheet, width, 5.4, printable(text), align=align)
            sheet.ln(5.4)
    if paper.total:
        _type(sheet, 12, bold=True)
        _cell(sheet, INSIDE / 2, 8, "Total" if paper.lines else "Amount", border="T" if paper.lines else "")
        _cell(
            sheet,
            INSIDE / 2,
            8,
            printable(paper.total),
            border="T" if paper.lines else "",
            align="R",
            last=True,
        )
    sheet.ln(2)


def _signatures(sheet: Sheet, paper: Paper) -> None:
    for role, id, at in paper.signatures:
        _type(sheet, 9, grey=True)
        _cell(sheet, 42, 8, printable(role), border="B")
        _type(sheet, 11, bold=True)
        _cell(sheet, INSIDE - 42 - 26, 8, printable(id), border="B")
        _type(sheet, 9)
        _cell(sheet, 26, 8, at, border="B", align="R", last=True)
    if any(signature.at for signature in paper.signatures):
        _type(sheet, 8, grey=True)
        _cell(
            sheet,
            INSIDE,
            5,
            "Each person signed with their own password at the time shown.",
            last=True,
        )


def _proof(sheet: Sheet, paper: Paper) -> None:
    sheet.ln(3)
    for label, value in paper.proof:
        _type(sheet, 7, grey=True)
        _cell(sheet, 14, 3.6, label)
        sheet.set_font("Courier", "", 7)
        sheet.multi_cell(INSIDE - 14, 3.6, printable(value), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _stamp(sheet: Sheet) -> None:
    """Print VOID across the page, translucent so that the text below stays readable."""
    sheet.set_text_color(*RED)
    sheet.set_font("Helvetica", "B", 110)
    with sheet.local_context(fill_opacity=0.28), sheet.rotation(50, WIDE / 2, 90):
        sheet.text(WIDE / 2 - sheet.get_string_width("VOID") / 2, 103, "VOID")
    sheet.set_text_color(0)


def _cell(
    sheet: Sheet,
    width: float,
    height: float,
    text: str,
    *,
    border: str = "",
    align: str = "L",
    last: bool = False,
) -> None:
    """Print a cell with one line of text. `last` ends the row."""
    to = (XPos.LMARGIN, YPos.NEXT) if last else (XPos.RIGHT, YPos.TOP)
    sheet.cell(width, height, text, border=border or 0, align=align, new_x=to[0], new_y=to[1])


def _type(sheet: Sheet, size: float, *, bold: bool = False, grey: bool = False) -> None:
    sheet.set_font("Helvetica", "B" if bold else "", size)
    sheet.set_text_color(GREY if grey else 0)
