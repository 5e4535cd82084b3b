"""Formats: each writes every sheet, row by row. What a report says does not depend on how it is written.

CSV is UTF-8 without a byte order mark, one line a row; a text that a spreadsheet would run as a formula gets an apostrophe,
a number never does. JSON has null where people read `pending` or `n/a`. XLSX is `casino/spreadsheet.py`, Parquet `casino/parquet.py`.
Totals are for people: in `table` and `json` only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import json

from audit.management.shown import table
from casino.parquet import as_parquet
from casino.reports import Absent, Column, Sheet
from casino.spreadsheet import NUMBERS, RUN_BY_SPREADSHEETS, as_xlsx

_TO_QUOTE = re.compile(r'[,"\r\n]').search
ROWS = 1000
"""Rows written at a time."""


def as_table(sheet: Sheet) -> Iterator[str]:
    """For a terminal: numbers to the right, totals below."""
    rows = [[_word(cell) for cell in row] for row in (*sheet.rows, *sheet.totals)]
    if not rows:
        yield "nothing was counted in these days\n"
        return
    right = frozenset(place for place, column in enumerate(sheet.columns) if column.type in NUMBERS)
    yield f"{sheet.title}\n{table([column.heading for column in sheet.columns], rows, right)}\n"


def as_csv(sheet: Sheet) -> Iterator[str]:
    """For a spreadsheet, and for programs: a heading of the columns' names, then the rows."""
    yield _line(column.key for column in sheet.columns)
    guarded = [column.type == "text" for column in sheet.columns]
    lines: list[str] = []
    for row in sheet.rows:
        lines.append(_line(_guarded(cell) if text else _word(cell) for text, cell in zip(guarded, row, strict=True)))
        if len(lines) == ROWS:
            yield "".join(lines)
            lines.clear()
    yield "".join(lines)


def as_ndjson(sheet: Sheet) -> Iterator[str]:
    """One JSON object a line."""
    for row in sheet.rows:
        yield json.encode(_object(sheet.columns, row)).decode() + "\n"


def as_json(sheet: Sheet) -> Iterator[str]:
    """One JSON object: title, columns, rows and totals."""
    columns = [{"key": column.key, "heading": column.heading, "type": column.type} for column in sheet.columns]
    yield f'{{"title":{_json(sheet.title)},"columns":{_json(columns)},"rows":['
    for number, row in enumerate(sheet.rows):
        yield f"{',' if number else ''}\n{_json(_object(sheet.columns, row))}"
    yield f'],"totals":{_json([_object(sheet.columns, row) for row in sheet.totals])}}}\n'


Write = Callable[[Sheet], Iterator[bytes]]


def _encoded(write: Callable[[Sheet], Iterator[str]]) -> Write:
    return lambda sheet: (text.encode() for text in write(sheet))


FORMATS: dict[str, Write] = {
    **{name: _encoded(write) for name, write in (("table", as_table), ("csv", as_csv), ("json", as_json), ("ndjson", as_ndjson))},
    "xlsx": as_xlsx,
    "parquet": as_parquet,
}
BINARY = frozenset({"xlsx", "parquet"})
"""Formats that are no text."""


class Download(NamedTuple):
    """A format as a browser takes it away."""

    write: Write
    content_type: str


DOWNLOADS = {
    "csv": Download(FORMATS["csv"], "text/csv; charset=utf-8"),
    "xlsx": Download(FORMATS["xlsx"], "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "json": Download(FORMATS["json"], "application/json"),
    "parquet": Download(FORMATS["parquet"], "application/vnd.apache.parquet"),
}


def writer_of(format: str) -> Write:
    """The writer of a format. Raises LookupError with a sentence where there is none."""
    if format not in FORMATS:
        raise LookupError(f"no format {format!r}; there is {', '.join(FORMATS)}")
    return FORMATS[format]


def _line(cells: Iterable[str]) -> str:
    # our own: the standard writer of 3.11 leaves a lone carriage return unquoted, and readers then see two rows
    return ",".join('"' + cell.replace('"', '""') + '"' if _TO_QUOTE(cell) else cell for cell in cells) + "\n"


def _word(cell: Any) -> str:
    return "" if cell is None else str(cell)


def _guarded(cell: Any) -> str:
    text = _word(cell)
    return f"'{text}" if text.lstrip(" ").startswith(RUN_BY_SPREADSHEETS) else text


def _object(columns: Sequence[Column], row: Sequence[Any]) -> dict[str, Any]:
    return {column.key: None if isinstance(cell, Absent) else cell for column, cell in zip(columns, row, strict=True)}


def _json(value: Any) -> str:
    return json.encode(value).decode()
