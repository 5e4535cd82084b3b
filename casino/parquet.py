"""A sheet as a Parquet file, for DuckDB, Spark and pandas: exact decimals, days as days, null where people read a word.

The same rows give the same bytes with the same pyarrow. It is imported when a file is asked for: it takes 180 MB of memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import IO, Any

from casino.on_disk import in_pieces
from casino.reports import Absent, Sheet

ROWS = 50_000
"""Rows held at a time, and in a row group."""
MONEY, PERCENT = (38, 4), (38, 6)
"""Digits in all and behind the point: no currency has more than four, no ratio of ours more than six."""
_READ: dict[str, Callable[[str], Any]] = {
    "text": str, "day": date.fromisoformat, "instant": datetime.fromisoformat, "count": int, "money": Decimal, "percent": Decimal,
}  # fmt: skip


def as_parquet(sheet: Sheet) -> Iterator[bytes]:
    """The file, made on disk and in flat memory."""
    return in_pieces(partial(_write, sheet))


def _write(sheet: Sheet, file: IO[bytes]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    types = {
        "text": pa.string(), "day": pa.date32(), "instant": pa.timestamp("us", "UTC"), "count": pa.int64(),
        "money": pa.decimal128(*MONEY), "percent": pa.decimal128(*PERCENT),
    }  # fmt: skip
    schema = pa.schema([pa.field(column.key, types[column.type]) for column in sheet.columns], {"title": sheet.title})
    rows = iter(sheet.rows)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while part := list(islice(rows, ROWS)):
            columns = zip(sheet.columns, zip(*part, strict=True), strict=True)
            arrays = [pa.array([_cell(column.type, cell) for cell in cells], types[column.type]) for column, cells in columns]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _cell(type: str, cell: Any) -> Any:
    """What goes into the file: null for a word in place of a value, and for nothing in a column that is no text."""
    if cell is None or isinstance(cell, Absent) or (cell == "" and type != "text"):
        return None
    return _READ[type](str(cell))
