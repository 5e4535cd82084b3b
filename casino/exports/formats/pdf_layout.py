"""The layout of a table in a PDF file: the width of each column, the font size, and where texts are broken.

The widths are computed from all printed rows. Texts are broken between words and after `/` and `:`; only if
a table would not fit otherwise, words are broken. Amounts are never broken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap
from typing import NamedTuple

from casino.cage.slips.pdf import printable
from casino.exports.formats.pdf_pages import INSIDE, Pages, use_font
from casino.exports.formats.xlsx import NUMBERS
from casino.presentation.formatting import grouped
from casino.reports.columns import Column, Row, Sheet, cell_text
from casino.reports.verdict_words import VERDICT, verdict_text

SIZES = (8.5, 7.5, 6.5, 5.5)
"""Font sizes in points. The largest one at which a table fits is used."""
PAD = 3.0
"""Space between columns in millimeters."""
TOLERANCE = 0.01
LEAST_TEXT = 16.0
"""Minimum width of a column of texts in millimeters, if texts are broken into lines."""
TO_SIGN = 20.0
"""The width of a column in which people sign, in millimeters."""
EXACT = "_exact"
"""The suffix of the keys of columns with exact minor units. A PDF leaves these columns out."""
HEADING_LINES, STEP = 2, 2.0
"""If a page has space left, columns whose headings have more lines than this get wider in steps of this many
millimeters.
"""
BREAKS = re.compile(r"(\s+)|(?<=[/:])(?=\S)|(?<=[a-z]-)(?=[a-z])")
"""The places in a text at which it may be broken."""


class PrintedColumn(NamedTuple):
    """A column of the table: its index in the sheet, its width in millimeters, and its alignment."""

    place: int
    column: Column
    width: float
    align: str


class Measured(NamedTuple):
    """The widths of a column's texts in millimeters at a font size of one point.

    Attributes:
        word: the longest word of the heading.
        text: the longest value.
        piece: the longest piece of a value, or None if the values are never broken into lines.
    """

    word: float
    text: float
    piece: float | None


def shown(sheet: Sheet, row: Row, place: int) -> str:
    """Return the text of a cell, formatted as on web pages."""
    column, cell = sheet.columns[place], row[place]
    if column.key == VERDICT:
        return printable(verdict_text(_by_key(sheet, row)))
    if column.type in NUMBERS:
        return printable(grouped(cell))
    return printable(cell_text(column, cell, sheet.heading.property if sheet.heading else None))


def heading_text(column: Column) -> str:
    """Return the heading of a column."""
    return printable(column.heading[:1].upper() + column.heading[1:])


def layout(pages: Pages, sheet: Sheet, rows: Sequence[Row]) -> tuple[list[list[PrintedColumn]], float]:
    """Return the groups of columns in which a table is printed, and the font size. If the table fits the
    width of a page in one of SIZES, there is one group, in the largest size that fits. Otherwise there are
    several groups, in the smallest size.
    """
    places = [place for place, column in enumerate(sheet.columns) if not column.key.endswith(EXACT)]
    columns = [sheet.columns[place] for place in places]
    measured = [_measure(pages, sheet, place, (*rows, *sheet.totals)) for place in places]
    widths, size = _fit(columns, measured, sheet.to_sign)
    use_font(pages, size, bold=True)
    widths = _widened(pages, columns, widths)
    aligned = ("R" if column.type in NUMBERS else "L" for column in columns)
    return _parts(list(starmap(PrintedColumn, zip(places, columns, widths, aligned, strict=True)))), size


def lines_of(pages: Pages, text: str, width: float, align: str = "L") -> list[str]:
    """Break a text into lines that fit a width, and return them. A figure (a right-aligned cell) is never
    broken.
    """
    if align == "R" or pages.width_of(text) <= width - PAD + TOLERANCE:
        return [text]
    lines = [""]
    for piece in _narrow_pieces(pages, text, width - PAD):
        if lines[-1] and pages.width_of((lines[-1] + piece).rstrip()) > width - PAD + TOLERANCE:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [line.rstrip() for line in lines if line.strip()] or [""]


def _pieces(text: str) -> list[str]:
    """Return the pieces of a text between which it may be broken, with the spaces between words."""
    return [piece for piece in BREAKS.split(text) if piece]


def _narrow_pieces(pages: Pages, text: str, width: float) -> Iterator[str]:
    """Yield the pieces of a text. A piece that is wider than the width is yielded letter by letter."""
    for piece in _pieces(text):
        if pages.width_of(piece) > width + TOLERANCE:
            yield from piece
        else:
            yield piece


def _by_key(sheet: Sheet, row: Row) -> dict[str, str]:
    return {column.key: str(cell) for column, cell in zip(sheet.columns, row, strict=True)}


def _measure(pages: Pages, sheet: Sheet, place: int, rows: Sequence[Row]) -> Measured:
    use_font(pages, 1, bold=True)
    column = sheet.columns[place]
    texts = {shown(sheet, row, place) for row in rows}
    pieces = {piece for text in texts for piece in _pieces(text)} if column.type == "text" else None

    def longest(parts: Iterable[str]) -> float:
        return max(map(pages.width_of, parts), default=0.0)

    return Measured(
        longest(heading_text(column).split()), longest(texts), None if pieces is None else longest(pieces)
    )


def _fit(
    columns: Sequence[Column], measured: Sequence[Measured], to_sign: Sequence[str]
) -> tuple[list[float], float]:
    """Return the widths of the columns, and the font size. Words are broken only if the table does not fit
    the page otherwise.
    """
    signed = [column.key in to_sign for column in columns]
    for whole_pieces in (True, False):
        for size in SIZES:
            wanted, floors = [], []
            for widths, is_signed in zip(measured, signed, strict=True):
                width = max(widths.word, widths.text) * size + PAD
                wanted.append(max(width, TO_SIGN) if is_signed else width)
                floors.append(wanted[-1] if is_signed else _floor(widths, size, whole_pieces=whole_pieces))
            fitted = _fitted(wanted, floors)
            if sum(fitted) <= INSIDE + TOLERANCE:
                return fitted, size
    return fitted, size


def _floor(widths: Measured, size: float, *, whole_pieces: bool) -> float:
    """Return the minimum width of a column."""
    if widths.piece is None:
        return max(widths.word, widths.text) * size + PAD
    return max(LEAST_TEXT, max(widths.word, widths.piece if whole_pieces else 0.0) * size + PAD)


def _fitted(wanted: Sequence[float], minimums: Sequence[float]) -> list[float]:
    """Return the widths of the columns on a page. If the wanted widths do not fit, columns of texts get less,
    but at least their minimum.
    """
    floors = [min(low, width) for width, low in zip(wanted, minimums, strict=True)]
    too_wide, spare = sum(wanted) - INSIDE, sum(wanted) - sum(floors)
    if too_wide <= 0 or spare <= 0:
        return list(wanted)
    part = min(1.0, too_wide / spare)
    return [width - part * (width - low) for width, low in zip(wanted, floors, strict=True)]


def _widened(pages: Pages, columns: Sequence[Column], widths: Sequence[float]) -> list[float]:
    """Return the widths after the columns with the tallest headings got the space that is left."""
    widths = list(widths)

    def height(place: int) -> int:
        return len(lines_of(pages, heading_text(columns[place]), widths[place]))

    while sum(widths) + STEP <= INSIDE:
        tallest = max(range(len(widths)), key=height)
        if height(tallest) <= HEADING_LINES:
            break
        widths[tallest] += STEP
    return widths


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
