"""Parquet files, for DuckDB, Spark and pandas. Decimals are exact, days are dates, and a word such as
`pending` is null.

The same rows give the same bytes with the same version of pyarrow. pyarrow takes 180 MB of memory, so it is
imported only when a file is requested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import IO, Any

from audit.queries import copy_rows
from audit.queries.copy_rows import RowProgress
from casino.exports.formats.temp_file import stream_temp_file
from casino.reports.columns import Absent, Sheet

ROWS = 50_000
"""Number of rows in memory at a time, and in a row group."""
MONEY, PERCENT = (38, 4), (38, 6)
"""For amounts and for percentages: the number of digits in total, and after the decimal point. No currency
has more than four decimals, and no ratio of Catwalk has more than six.
"""
BLOCK = 4 * 1024 * 1024
"""Minimum size in bytes of the blocks that pyarrow reads. The rows that the database writes are joined into
such blocks.
"""
_READ: dict[str, Callable[[str], Any]] = {
    "text": str,
    "day": date.fromisoformat,
    "count": int,
    "money": Decimal,
    "percent": Decimal,
    "instant": datetime.fromisoformat,
}


def as_parquet(sheet: Sheet) -> Iterator[bytes]:
    """Yield the bytes of the file, which is built on disk with constant memory."""
    return stream_temp_file(partial(_write, sheet))


def copied_parquet(sheet: Sheet, on_progress: RowProgress) -> Iterator[bytes]:
    """Yield the bytes of the file for a sheet whose rows come from one query. The database writes the rows as
    text, and pyarrow reads them by columns. The file has the same rows and row groups as the file of
    `as_parquet`.
    """
    return stream_temp_file(partial(_copy, sheet, on_progress))


def _write(sheet: Sheet, file: IO[bytes]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    schema = _schema(sheet)
    rows = iter(sheet.rows)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while part := list(islice(rows, ROWS)):
            columns = zip(sheet.columns, schema.types, zip(*part, strict=True), strict=True)
            arrays = [
                pa.array([_cell(column.type, cell) for cell in cells], type)
                for column, type, cells in columns
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _copy(sheet: Sheet, on_progress: RowProgress, file: IO[bytes]) -> None:
    import pyarrow as pa
    from pyarrow import csv, parquet

    assert sheet.query is not None
    schema = _schema(sheet)
    # A null is written as an empty field, and an empty text as two quotation marks.
    words = {
        "null_values": [""],
        "strings_can_be_null": True,
        "quoted_strings_can_be_null": False,
        "check_utf8": False,
    }
    told_types = csv.ConvertOptions(column_types=schema, **words)
    any_text = csv.ParseOptions(newlines_in_values=True)
    waiting = schema.remove_metadata().empty_table()
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        # Read block by block: a streaming reader would read ahead in another thread, with another connection.
        for block in _blocks(copy_rows.exact(sheet.query, schema.names, on_progress)):
            read_options = csv.ReadOptions(
                column_names=schema.names, block_size=len(block) + 1, use_threads=False
            )
            waiting = pa.concat_tables(
                [waiting, csv.read_csv(pa.BufferReader(block), read_options, any_text, told_types)]
            )
            while waiting.num_rows >= ROWS:
                writer.write_table(waiting.slice(0, ROWS).replace_schema_metadata(schema.metadata))
                waiting = waiting.slice(ROWS)
        if waiting.num_rows:
            writer.write_table(waiting.replace_schema_metadata(schema.metadata))


def _blocks(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Yield blocks of rows. Each consists of several of the given parts. Every block except the last has at
    least BLOCK bytes.
    """
    held: list[bytes] = []
    size = 0
    for part in parts:
        held.append(part)
        size += len(part)
        if size >= BLOCK:
            yield b"".join(held)
            held, size = [], 0
    if size:
        yield b"".join(held)


def _schema(sheet: Sheet) -> Any:
    import pyarrow as pa

    types = {
        "text": pa.string(),
        "day": pa.date32(),
        "count": pa.int64(),
        "money": pa.decimal128(*MONEY),
        "percent": pa.decimal128(*PERCENT),
        "instant": pa.timestamp("us", tz="UTC"),
    }
    return pa.schema(
        [pa.field(column.key, types[column.type]) for column in sheet.columns], {"title": sheet.title}
    )


def _cell(type: str, cell: Any) -> Any:
    """Return the value to write into the file. A word such as `pending` becomes None (null). So does an empty
    text, except in a column of text.
    """
    if cell is None or isinstance(cell, Absent) or (cell == "" and type != "text"):
        return None
    return _READ[type](str(cell))
