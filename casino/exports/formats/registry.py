"""All file formats. Each format can write every sheet, and a report has the same contents in all formats.

CSV is UTF-8 without a byte order mark, with one line for each row. A text that a spreadsheet would run as a
formula gets an apostrophe; a number never does. `csv-excel` begins with the byte order mark. Excel needs it
to recognize UTF-8, but other programs would read it as a part of the first column's name. `csv-excel` writes
a text that Excel would convert to a number or a date as `="1-5"`, which Excel shows as `1-5`. Amounts are
numbers in major units with all decimals of their currency, which has a column of its own. In JSON they are
text, because many programs read JSON numbers as doubles. A column of figures never contains words such as
`pending` or `n/a`: the cell is empty, null in JSON, and the word is in the column `status`. PDF has the
words, because people read it. XLSX, Parquet and PDF are in modules of their own.

Totals are for people, so they are only in `table`, `json`, `pdf` and on the last worksheet of XLSX. If a
sheet comes from one query, the database itself writes CSV, JSON lines and the rows of Parquet (COPY), with
the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from typing import IO, Any, NamedTuple

from audit.queries import copy_rows
from audit.queries.copy_rows import RowProgress as RowProgress
from casino.exports.formats import locales
from casino.exports.formats import text as lines
from casino.exports.formats.control_totals import Counting, Total
from casino.exports.formats.locales import LOCALES, POINT, WITH_LOCALE, Separators
from casino.exports.formats.parquet import as_parquet, copied_parquet
from casino.exports.formats.pdf import as_pdf
from casino.exports.formats.xlsx import as_xlsx
from casino.reports.columns import Column, Sheet, without_words

Write = Callable[[Sheet], Iterator[bytes]]
MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8."""


def _encoded(write: Callable[[Sheet], Iterator[str]]) -> Write:
    return lambda sheet: (text.encode() for text in write(sheet))


def _marked(write: Write) -> Write:
    def marked(sheet: Sheet) -> Iterator[bytes]:
        yield MARK
        yield from write(sheet)

    return marked


def _csv(text_cell: Callable[[Any], str], separators: Separators = POINT) -> Write:
    return _encoded(partial(lines.as_csv, text_cell=text_cell, separators=separators))


FORMATS: dict[str, Write] = {
    "table": _encoded(lines.as_table),
    "csv": _csv(lines.guarded),
    "csv-excel": _marked(_csv(lines.kept_as_text)),
    "json": _encoded(lines.as_json),
    "ndjson": _encoded(lines.as_ndjson),
    "xlsx": as_xlsx,
    "parquet": as_parquet,
    "pdf": as_pdf,
}
WITH_STATUS = {"csv": 3, "csv-excel": 3, "json": 2, "ndjson": 2, "parquet": 2, "xlsx": 4}
"""For each format: the first version in which a word such as `pending` is in the column `status`, and the
cell of its figure is empty.
"""
WRITINGS = WITH_STATUS | {"xlsx": 6}
"""For each format that has changed: the current version of its writer, which a manifest names. Formats that
are not listed have version 1. A format in a locale has the version of the format. Exports from before there
were manifests have version 0.
"""
_CSV_BEFORE = _csv(lines.guarded_before)
FORMER: dict[tuple[str, int], Write] = {
    ("csv", 0): _CSV_BEFORE,
    ("csv", 1): _CSV_BEFORE,
    ("csv-excel", 0): _marked(_CSV_BEFORE),
    ("csv-excel", 1): _marked(_CSV_BEFORE),
    ("xlsx", 0): partial(as_xlsx, wide=False, dated=False, full_width=False, printed=False, named=False),
    ("xlsx", 1): partial(as_xlsx, dated=False, full_width=False, printed=False, named=False),
    ("xlsx", 2): partial(as_xlsx, full_width=False, printed=False, named=False),
    ("xlsx", 3): partial(as_xlsx, printed=False, named=False),
    ("xlsx", 4): partial(as_xlsx, printed=False, named=False),
    ("xlsx", 5): partial(as_xlsx, named=False),
}
"""For each earlier version of a format: the function that writes it. An export that was archived in this
version is rebuilt with this function, byte for byte.
"""
BINARY = frozenset({"xlsx", "parquet", "pdf"})
"""Formats that are not text."""
HEADED = frozenset({"xlsx", "pdf"})
"""Formats that name property, days and position of the ledger in the file (`Sheet.heading`)."""


class Download(NamedTuple):
    """A format as it is downloaded: its label, its file name extension, and its content type."""

    label: str
    suffix: str
    content_type: str


DOWNLOADS = {
    "csv": Download("CSV", "csv", "text/csv; charset=utf-8"),
    "csv-excel": Download("CSV for Excel", "excel.csv", "text/csv; charset=utf-8"),
    "xlsx": Download("XLSX", "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "json": Download("JSON", "json", "application/json"),
    "ndjson": Download("JSON lines", "ndjson", "application/x-ndjson"),
    "parquet": Download("Parquet", "parquet", "application/vnd.apache.parquet"),
    "pdf": Download("PDF", "pdf", "application/pdf"),
}


BY_DAY = "parquet-days"
"""The format of archived exports with one Parquet file for each gaming day (`archive/days.py`)."""
ARCHIVED = DOWNLOADS | {BY_DAY: Download("Parquet by day (ZIP)", "days.zip", "application/zip")}
"""The formats of archived exports."""
MAX_DAYS = 400
"""Maximum number of gaming days of an export in the format BY_DAY."""
CHOICES = ("csv", "csv-excel", "csv-de", "csv-excel-de", "xlsx", "pdf", "json", "ndjson", "parquet")
"""The formats that pages and schedules offer. If several locales have the same separators, only one of them
is offered.
"""
ARCHIVE_CHOICES = (*CHOICES, BY_DAY)
"""The formats that the pages of archived exports and schedules offer."""


class WriteResult(NamedTuple):
    """The result of writing a file: the number of rows, the control totals, the length and hash of the bytes,
    and the columns of the file.
    """

    rows: int
    totals: list[Total]
    length: int
    sha256: str
    columns: tuple[Column, ...] = ()


def writer_of(name: str) -> Write:
    """Return the function that writes this format row by row, in its locale. Raise LookupError, with a
    sentence, if there is no such format.
    """
    format, locale = locales.split(name)
    if format not in FORMATS:
        raise LookupError(f"unknown format {name!r}; available: {', '.join(FORMATS)}")
    if locale == locales.DEFAULT:
        return FORMATS[format]
    excel = format == "csv-excel"
    write = _csv(lines.kept_as_text if excel else lines.guarded, LOCALES[locale])
    return _marked(write) if excel else write


def download_of(name: str) -> Download | None:
    """Return the label, the extension and the content type of a format in its locale. Return None if there is
    no such format.
    """
    format, locale = locales.split(name)
    download = ARCHIVED.get(format)
    if download is None or locale == locales.DEFAULT:
        return download
    return download._replace(label=f"{download.label}, decimal comma", suffix=f"{locale}.{download.suffix}")


def parts(sheet: Sheet, format: str, on_progress: RowProgress = lambda rows: None) -> Iterator[bytes]:
    """Yield the bytes of a sheet in a format, with the fastest writer of the format. `on_progress` is called
    with the number of rows written. Raise LookupError if there is no such format.
    """
    write = writer_of(format)
    sheet = as_file(sheet, format)
    if sheet.query is None:
        return write(sheet)
    plain, locale = locales.split(format)
    if plain in WITH_LOCALE:
        return _copied_csv(sheet, on_progress, LOCALES[locale], excel=plain == "csv-excel")
    return COPIED[plain](sheet, on_progress) if plain in COPIED else write(sheet)


def as_file(sheet: Sheet, name: str, writing: int | None = None) -> Sheet:
    """Return the sheet as this format writes it. In most formats, cells of figures contain no words such as
    `pending`, and the words are in the column `status`. A table for a terminal, a PDF, and earlier versions
    of the other formats have the words in the cells.
    """
    since = WITH_STATUS.get(locales.split(name)[0])
    if since is None or (writing is not None and writing < since):
        return sheet._replace(has_absent=False)
    return without_words(sheet)


def write(
    sheet: Sheet,
    format: str,
    file: IO[bytes],
    on_progress: RowProgress | None = None,
    *,
    writing: int | None = None,
) -> WriteResult:
    """Write a sheet into a file with constant memory, and return its control totals and hash. `on_progress`
    is called with the number of rows written so far.

    Args:
        writing: the version of the format to write, a key of FORMER, or None for the current version.
    """
    count = Counting(as_file(sheet, format, writing), on_progress or (lambda rows: None))
    digest, length = sha256(), 0
    before = FORMER.get((format, -1 if writing is None else writing))
    for part in before(count.sheet) if before is not None else parts(count.sheet, format, count.tell):
        digest.update(part)
        length += len(part)
        file.write(part)
    return WriteResult(count.rows, count.totals(), length, digest.hexdigest(), count.sheet.columns)


def as_recorded(sheet: Sheet, format: str) -> bool:
    """Return True if a file of this format has the JSON of each fact as it was recorded, instead of the
    sheet's columns.
    """
    return format == "ndjson" and sheet.recorded != ""


def _copied_csv(
    sheet: Sheet, on_progress: RowProgress, separators: Separators, *, excel: bool
) -> Iterator[bytes]:
    assert sheet.query is not None
    if excel:
        yield MARK
    yield lines.heading(sheet.columns, separators).encode()
    yield from copy_rows.lines(
        sheet.query,
        [(column.key, column.type) for column in sheet.columns],
        on_progress,
        excel=excel,
        delimiter=separators.cell,
        decimal=separators.decimal,
    )


def _copied_ndjson(sheet: Sheet, on_progress: RowProgress) -> Iterator[bytes]:
    assert sheet.query is not None
    if sheet.recorded:
        return copy_rows.bodies(sheet.query, sheet.recorded, on_progress)
    return copy_rows.objects(sheet.query, [column.key for column in sheet.columns], on_progress)


COPIED: dict[str, Callable[[Sheet, RowProgress], Iterator[bytes]]] = {
    "csv": partial(_copied_csv, separators=POINT, excel=False),
    "csv-excel": partial(_copied_csv, separators=POINT, excel=True),
    "ndjson": _copied_ndjson,
    "parquet": copied_parquet,
}
"""For each format that the database can write itself: the function that writes it in the default locale."""
