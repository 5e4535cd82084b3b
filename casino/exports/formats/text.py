"""Text formats, written row by row: a table for a terminal, CSV, one JSON object, and JSON lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import json

from audit.management.tables import table
from audit.queries.cell_patterns import is_converted, is_run
from casino.exports.formats.locales import POINT, Separators
from casino.exports.formats.xlsx import NUMBERS, RUN_BEFORE
from casino.reports.columns import Absent, Column, Sheet

_TO_QUOTE = {cell: re.compile(f'[{cell}"\\r\\n]').search for cell in ",;"}
"""For each cell separator: a function that returns a match if a cell must be written in quotation marks."""
ROWS = 1000
"""Number of rows written at a time."""


def as_table(sheet: Sheet) -> Iterator[str]:
    """Yield a sheet as a table for a terminal, with numbers aligned to the right and totals at the bottom."""
    rows = [[_word(cell) for cell in row] for row in (*sheet.rows, *sheet.totals)]
    if not rows:
        yield "nothing was counted in these days\n"
        return
    right = frozenset(place for place, column in enumerate(sheet.columns) if column.type in NUMBERS)
    yield f"{sheet.title}\n{table([column.heading for column in sheet.columns], rows, right)}\n"


def heading(columns: Iterable[Column], separators: Separators = POINT) -> str:
    """Return the first line of a CSV: the keys of the columns."""
    return _line((column.key for column in columns), separators)


def as_csv(
    sheet: Sheet, text_cell: Callable[[Any], str] | None = None, separators: Separators = POINT
) -> Iterator[str]:
    """Yield a sheet as CSV: a line with the keys of the columns, then the rows. `text_cell` formats the
    texts.
    """
    yield heading(sheet.columns, separators)
    write, decimal = text_cell or guarded, separators.decimal
    writers = [
        write
        if column.type == "text"
        else (lambda cell: _word(cell).replace(".", decimal))
        if column.type in NUMBERS and decimal != "."
        else _word
        for column in sheet.columns
    ]
    lines: list[str] = []
    for row in sheet.rows:
        lines.append(_line((write(cell) for write, cell in zip(writers, row, strict=True)), separators))
        if len(lines) == ROWS:
            yield "".join(lines)
            lines.clear()
    yield "".join(lines)


def as_ndjson(sheet: Sheet) -> Iterator[str]:
    """Yield one JSON object for each row, on a line of its own. Facts are written exactly as recorded."""
    place = next((place for place, column in enumerate(sheet.columns) if column.key == sheet.recorded), None)
    for row in sheet.rows:
        yield (_json(_object(sheet.columns, row)) if place is None else row[place]) + "\n"


def as_json(sheet: Sheet) -> Iterator[str]:
    """Yield one JSON object with the title, columns, rows and totals."""
    columns = [
        {"key": column.key, "heading": column.heading, "type": column.type} for column in sheet.columns
    ]
    yield f'{{"title":{_json(sheet.title)},"columns":{_json(columns)},"rows":['
    for number, row in enumerate(sheet.rows):
        yield f"{',' if number else ''}\n{_json(_object(sheet.columns, row))}"
    yield f'],"totals":{_json([_object(sheet.columns, row) for row in sheet.totals])}}}\n'


def _line(cells: Iterable[str], separators: Separators) -> str:
    # Lines are written here, because the csv module of Python 3.11 does not quote a lone carriage return, and
    # readers then see two rows.
    to_quote = _TO_QUOTE[separators.cell]
    quoted = ('"' + cell.replace('"', '""') + '"' if to_quote(cell) else cell for cell in cells)
    return separators.cell.join(quoted) + "\n"


def _word(cell: Any) -> str:
    return "" if cell is None else str(cell)


def guarded(cell: Any) -> str:
    """Return a text that no spreadsheet runs as a formula. A text that begins like a formula gets an
    apostrophe.
    """
    text = _word(cell)
    return f"'{text}" if is_run(text) else text


def kept_as_text(cell: Any) -> str:
    """Return a text that Excel neither runs as a formula nor converts to a number, a date or a time. For
    example, `1-5`, `0012` and `1E5` stay as they are.
    """
    text = _word(cell)
    return f'="{text}"' if is_converted(text) else guarded(text)


def guarded_before(cell: Any) -> str:
    """Return a text as earlier versions wrote it: formulas that begin with full-width signs get no
    apostrophe.
    """
    text = _word(cell)
    return f"'{text}" if text.lstrip(" ").startswith(RUN_BEFORE) else text


def _object(columns: Sequence[Column], row: Sequence[Any]) -> dict[str, Any]:
    return {
        column.key: None if isinstance(cell, Absent) else cell
        for column, cell in zip(columns, row, strict=True)
    }


def _json(value: Any) -> str:
    return json.encode(value).decode()
