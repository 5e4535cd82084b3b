"""A preview of an archived export: its first rows, read from its stored bytes.

Cells are shown as they are in the file. A file that must be read whole has a preview only up to a certain
size; for a larger one, the page says that the file is too large.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from decimal import Decimal
from functools import partial
from io import BytesIO, StringIO
from itertools import islice
from typing import Any, NamedTuple
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

from msgspec import MsgspecError, json

from casino.exports.formats import locales
from casino.exports.formats.xlsx import DAY_NOUGHT, NUMBERS
from casino.presentation.formatting import grouped

ROWS = 20
LARGEST = 8 * 1024 * 1024
"""Maximum size in bytes of a file that is read whole for a preview."""
WHOLE = frozenset({"xlsx", "parquet"})
"""Formats that must be read whole."""
UNREAD = frozenset({"pdf", "zip", "parquet-days"})
"""Formats without a preview: a browser shows a PDF itself, and an evidence pack (zip) or Parquet by day
contains files.
"""
BOOK = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
Cells = list[str]


class Preview(NamedTuple):
    """The contents of a preview. `headings`: each heading, and True if its column contains figures. `rows`:
    rows of cells. `lines`: plain lines, if the file has no columns.
    """

    headings: list[tuple[str, bool]]
    rows: list[list[tuple[str, bool]]]
    lines: list[str]
    more: bool
    broken: bool = False
    """True if the file cannot be read in its format, because its stored bytes were changed."""

    @property
    def shown(self) -> int:
        """Return the number of rows, or of lines if there are no columns."""
        return len(self.rows) or len(self.lines)


def preview(
    format: str, length: int, read: Callable[[], Iterator[bytes]], columns: Mapping[str, tuple[str, str]]
) -> Preview | None:
    """Return the first rows of a file. Return None if the file is too large to preview, or if its format is
    one of UNREAD.

    Args:
        format: The file's format.
        length: The length of the file in bytes.
        read: Returns the file's bytes from the beginning, in chunks.
        columns: {key: (heading, type)}, from the manifest.
    """
    if format in UNREAD or (format in WHOLE and length > LARGEST):
        return None
    try:
        return _first(format, length, read(), columns)
    except BROKEN:
        return Preview([], [], [], more=False, broken=True)


BROKEN = (
    ValueError,
    TypeError,
    OverflowError,
    LookupError,
    BadZipFile,
    ElementTree.ParseError,
    MsgspecError,
    csv.Error,
    OSError,
)
"""Exceptions that readers raise for bytes that are not in the expected format."""


def _first(
    name: str, length: int, pieces: Iterator[bytes], columns: Mapping[str, tuple[str, str]]
) -> Preview:
    format, locale = locales.split(name)
    content = b"".join(pieces) if format in WHOLE else next(pieces, b"")
    if format not in READERS or (
        format == "ndjson" and not columns
    ):  # Facts are exported as recorded, and each kind has its own fields.
        lines = _lines(content, length)
        return Preview([], [], lines[:ROWS], len(lines) > ROWS)
    reader: Callable[[bytes, int], Iterator[Cells]] = READERS[format]
    if format in locales.WITH_LOCALE:
        reader = partial(READERS[format], separator=locales.LOCALES[locale].cell)
    keys, *rows = list(islice(reader(content, length), ROWS + 2)) or [[]]
    figures = [columns.get(key, ("", "text"))[1] in NUMBERS for key in keys]
    shown = [
        [(grouped(cell) if figure else cell, figure) for cell, figure in zip(row, figures, strict=True)]
        for row in rows[:ROWS]
    ]
    headings = [columns.get(key, (key.replace("_", " "), ""))[0] for key in keys]
    return Preview(list(zip(headings, figures, strict=True)), shown, [], len(rows) > ROWS)


def _lines(content: bytes, length: int) -> list[str]:
    """Return the complete lines of the bytes that were read. Leave out the last line if it may be cut."""
    lines = content.decode(errors="replace").removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").split("\n")
    return lines[:-1] if len(content) < length or not lines[-1] else lines


def _csv(content: bytes, length: int, separator: str = ",") -> Iterator[Cells]:
    """Yield the complete rows of a CSV. If the file was not read to its end, the last row is not yielded,
    because it may be cut. Cells may contain line breaks, so this row can be longer than the last line.
    """
    rows = csv.reader(StringIO("\n".join(_lines(content, length)), newline=""), delimiter=separator)
    before: Cells | None = None
    for row in rows:
        if before is not None:
            yield before
        before = row
    if before is not None and len(content) == length:
        yield before


def _excel(content: bytes, length: int, separator: str = ",") -> Iterator[Cells]:
    """Yield the rows of a CSV for Excel as Excel shows them: `1-5` for the cell `="1-5"`."""
    for row in _csv(content, length, separator):
        yield [cell[2:-1] if cell.startswith('="') and cell.endswith('"') else cell for cell in row]


def _ndjson(content: bytes, length: int) -> Iterator[Cells]:
    yield from _objects(_lines(content, length))


def _json(content: bytes, length: int) -> Iterator[Cells]:
    """Yield the rows of a JSON export. The first line comes before the rows, each row is on a line of its
    own, and the totals follow the last row.
    """
    head, *rows = (line.partition(TOTALS)[0].rstrip(",") for line in _lines(content, length))
    yield [column["key"] for column in json.decode(f"{head}]}}")["columns"]]
    yield from islice(_objects(rows), 1, None)


TOTALS = '],"totals":'
"""The text after the last row of a JSON export. No value contains it, because quotation marks in a value are
escaped.
"""


def _objects(lines: Iterable[str]) -> Iterator[Cells]:
    """Yield the keys of the first object as a row of headings, then the values of every object."""
    keys: list[str] | None = None
    for line in filter(None, lines):
        value = json.decode(line, type=dict[str, Any])
        if keys is None:
            keys = list(value)
            yield keys
        yield [_word(value.get(key)) for key in keys]


def _word(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.encode(value).decode()


def _xlsx(content: bytes, length: int) -> Iterator[Cells]:
    """Yield the rows of the first worksheet of a file that `formats/xlsx.py` wrote, with the texts in the
    cells.
    """
    with ZipFile(BytesIO(content)) as book, book.open("xl/worksheets/sheet1.xml") as sheet:
        wide, digits = 0, _digits(book.read("xl/styles.xml"))
        for _, row in ElementTree.iterparse(sheet):
            if row.tag != f"{BOOK}row":
                continue
            cells = {_place(cell.attrib["r"]): _cell(cell, digits) for cell in row.iterfind(f"{BOOK}c")}
            wide = wide or len(cells)
            yield [cells.get(place, "") for place in range(wide)]


def _digits(styles: bytes) -> list[int]:
    """Return a list with one item for each cell style of a workbook: the number of decimals, or DATED for a
    style of dates.
    """
    read = ElementTree.fromstring(styles)
    codes = BUILT_IN | {
        element.attrib["numFmtId"]: element.attrib["formatCode"] for element in read.iter(f"{BOOK}numFmt")
    }
    (styled,) = read.iter(f"{BOOK}cellXfs")
    named = (codes.get(style.attrib["numFmtId"], "") for style in styled)
    return [DATED if code.startswith("yyyy") else len(code.partition(".")[2]) for code in named]


DATED = -1
BUILT_IN = {"1": "0", "2": "0.00", "3": "#,##0", "4": "#,##0.00"}


def _cell(cell: ElementTree.Element, digits: list[int]) -> str:
    text = "".join(cell.itertext())
    if "t" in cell.attrib:
        return text
    behind = digits[int(cell.get("s", 0))]
    return (
        (DAY_NOUGHT + timedelta(days=int(text))).isoformat()
        if behind == DATED
        else f"{Decimal(text):.{behind}f}"
    )


def _place(name: str) -> int:
    """Return the column index of a cell reference: 0 for `A1`, 27 for `AB7`."""
    place = 0
    for letter in name.rstrip("0123456789"):
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1


def _parquet(content: bytes, length: int) -> Iterator[Cells]:
    from pyarrow import parquet

    file = parquet.ParquetFile(BytesIO(content))
    yield list(file.schema_arrow.names)
    for batch in file.iter_batches(batch_size=ROWS + 1):
        for row in batch.to_pylist():
            yield ["" if cell is None else str(cell) for cell in row.values()]


READERS: dict[str, Callable[..., Iterator[Cells]]] = {
    "csv": _csv,
    "csv-excel": _excel,
    "json": _json,
    "ndjson": _ndjson,
    "xlsx": _xlsx,
    "parquet": _parquet,
}
