"""Export the rows of a query through COPY. The server formats the rows and they are passed on unchanged,
which is many times faster than formatting them in Python.

The SELECT around the query must format every cell. The order of the query is preserved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db import transaction
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus

from audit import database
from audit.queries.cell_patterns import CONVERTED, RUN
from audit.queries.list_filters import Query, money

RowProgress = Callable[[int], None]
"""Called with the number of rows written so far."""
CHUNK = 64 * 1024
DECIMALS = ("money", "percent")
"""The types of columns whose values may have decimals."""
_RUN, _CONVERTED = f"'^{RUN}'", f"'^({CONVERTED.replace('%', '%%')})$'"
_BEYOND_ASCII = "E'\\u0080'"
VERBATIM = "(FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')"
"""COPY options that write a single column unchanged. The quote character and the delimiter are characters
that JSON never contains.
"""


def lines(
    query: Query,
    columns: Sequence[tuple[str, str]],
    on_progress: RowProgress,
    *,
    excel: bool = False,
    delimiter: str = ",",
    decimal: str = ".",
) -> Iterator[bytes]:
    """Yield rows as CSV for spreadsheets. A formula in a `text` column gets an apostrophe in front.

    Args:
        columns: the name and type of each column. An empty text becomes an empty cell. With `excel`, a text
            that Excel would convert is written so that it remains text. `delimiter` is between two cells, and
            `decimal` is the decimal sign of amounts and percentages.
    """
    select = ", ".join(_cell(name, type, excel, decimal) for name, type in columns)
    return _copy(query, select, f"(FORMAT csv, DELIMITER '{delimiter}')", on_progress)


def exact(query: Query, names: Sequence[str], on_progress: RowProgress) -> Iterator[bytes]:
    """Yield rows as CSV for programs. Texts are unchanged, an empty text is written in quotes, and null is an
    empty cell.
    """
    return _copy(query, ", ".join(f'"{name}"' for name in names), "(FORMAT csv)", on_progress)


def objects(query: Query, names: Sequence[str], on_progress: RowProgress) -> Iterator[bytes]:
    """Yield rows as JSON, one object per line."""
    row = ", ".join(f'"{name}"' for name in names)
    return _copy(
        Query(f"SELECT {row} FROM ({query.text}) AS named", query.values),
        "row_to_json(given)",
        VERBATIM,
        on_progress,
    )


def bodies(query: Query, name: str, on_progress: RowProgress) -> Iterator[bytes]:
    """Yield the values of a JSON column as they were recorded, one value per line."""
    return _copy(query, f'"{name}"', VERBATIM, on_progress)


def sums(
    query: Query, columns: Sequence[tuple[str, str]], currency: str | None
) -> list[tuple[str, int, tuple[str, ...]]]:
    """Return the number of rows and the exact sum of each column, for each currency.

    If there is no currency column, the result is a single group without a currency.

    Args:
        columns: the name and type of each column. Columns of the type `count` contain numbers, and all others
            contain decimals as text.
    """
    group = f"""coalesce("{currency}", '')""" if currency else "''"
    if query.minor:
        rows, added = query.minor, [_of_minor(name, type, group) for name, type in columns]
    else:
        rows, added = query.text, [f"coalesce(sum({_number(name, type)}), 0)::text" for name, type in columns]
    sums_query = f"SELECT {', '.join([group, 'count(*)', *added])} FROM ({rows}) AS given GROUP BY 1"
    return sorted((row[0], row[1], row[2:]) for row in database.rows(sums_query, query.values))


def _of_minor(name: str, type: str, currency: str) -> str:
    return (
        f'coalesce(sum("{name}"), 0)::text'
        if type == "count"
        else money(f'coalesce(sum(trunc("{name}")), 0)', currency, f'"{name}"')
    )


def _number(name: str, type: str) -> str:
    return f'"{name}"' if type == "count" else f"""nullif("{name}", '')::numeric"""


def _cell(name: str, type: str, excel: bool, decimal: str) -> str:
    if type == "count":
        return f'"{name}"'
    if type in DECIMALS and decimal != ".":
        return f"""replace(nullif("{name}", ''), '.', '{decimal}')"""
    if type != "text":
        return f"""nullif("{name}", '')"""
    if excel:
        return f"""CASE WHEN "{name}" = '' THEN NULL WHEN "{name}" ~ {_RUN} THEN '''' || "{name}"
            WHEN "{name}" ~* {_CONVERTED} THEN '="' || "{name}" || '"' ELSE "{name}" END"""
    # A formula begins with a character below A that is not a digit, or with a character beyond ASCII. For
    # nearly every cell, comparing its first character is therefore enough, and the pattern is not needed.
    begins = f'"{name}" COLLATE "C"'
    return f"""CASE WHEN {begins} >= 'A' AND {begins} < {_BEYOND_ASCII} THEN "{name}"
        WHEN "{name}" = '' THEN NULL
        WHEN {begins} >= '0' AND {begins} < ':' THEN "{name}" WHEN "{name}" ~ {_RUN} THEN '''' || "{name}"
            ELSE "{name}" END"""


def _copy(query: Query, select: str, options: str, on_progress: RowProgress) -> Iterator[bytes]:
    values: list[Any] = query.values
    connection = database.read_connection()
    # Django does not convert errors of COPY by itself, and jobs distinguish outages by Django's classes.
    with (
        transaction.atomic(using=database.read_alias()),
        connection.cursor() as cursor,
        connection.wrap_database_errors,
        cursor.copy(
            f"COPY (SELECT {select} FROM ({query.text}) AS given) TO STDOUT {options}", values
        ) as copy,
    ):
        rows = 0
        for part, count in _chunks(copy, connection.connection.pgconn):
            rows += count
            on_progress(rows)
            yield part


def _chunks(copy: Any, driver: Any) -> Iterator[tuple[bytes, int]]:
    """Yield what a COPY sends, in chunks of about CHUNK bytes. With each chunk, yield how many rows it has.
    The last chunk may be empty.

    `copy.read()` can wait for a row, and takes more than a microsecond for each. So the rows that have
    already arrived are read directly from the driver. Each row is copied at once, because many objects of the
    driver at the same time would make Python's garbage collector run often.
    """
    held, rows = bytearray(), 0
    while row := copy.read():
        length = len(row)
        while length > 0:
            held += row
            rows += 1
            length, row = driver.get_copy_data(1)
        if length < 0:  # All rows are read.
            _check_end(driver)
            break
        if len(held) >= CHUNK:
            yield bytes(held), rows
            held, rows = bytearray(), 0
    yield bytes(held), rows


def _check_end(driver: Any) -> None:
    """Raise the error with which the server has ended a COPY, if any."""
    while (result := driver.get_result()) is not None:
        if result.status != ExecStatus.COMMAND_OK:
            raise error_from_result(result)
