"""Short functions for database queries: rows, records with named fields, and statements.

All modules of `audit` and `casino` use these functions to read and write. A module opens its own cursor only
for operations that they do not offer, such as COPY.

Inside `reading_from`, the functions that read use another connection, such as the one to a replica. `execute`
and `execute_many` always use the primary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache
from operator import itemgetter
from typing import Any, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import Model

from audit import binary_arrays

Values = Sequence[Any] | Mapping[str, Any]
"""The values of a query's placeholders, by position or by name."""
PAGE = 2000
"""Number of rows that `stream_rows` takes from the server at a time."""


R = TypeVar("R", bound=tuple[Any, ...])
"""The type of a record, a subclass of NamedTuple."""


_read_alias: ContextVar[str] = ContextVar("connection for reading", default=DEFAULT_DB_ALIAS)


class NeedsPrimary(Exception):
    """A replica cannot answer, for example because new facts must be examined first. The text says why."""


def read_alias() -> str:
    """Return the alias of the connection that reads."""
    return _read_alias.get()


def reads_primary() -> bool:
    """Return True if the primary is read, and False inside `reading_from` another connection."""
    return _read_alias.get() == DEFAULT_DB_ALIAS


def read_connection() -> Any:
    """Return the connection that reads."""
    return connections[_read_alias.get()]


@contextmanager
def reading_from(alias: str) -> Iterator[None]:
    """Read through the connection with this alias inside the `with` block."""
    token = _read_alias.set(alias)
    try:
        yield
    finally:
        _read_alias.reset(token)


def rows(query: str, values: Values = ()) -> list[tuple[Any, ...]]:
    """Return all rows of a query."""
    with read_connection().cursor() as cursor:
        cursor.execute(query, values)
        fetched: list[tuple[Any, ...]] = cursor.fetchall()
    return fetched


def first_row(query: str, values: Values = ()) -> tuple[Any, ...] | None:
    """Return the first row of a query, or None if there are no rows."""
    with read_connection().cursor() as cursor:
        cursor.execute(query, values)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


def records(record: type[R], query: str, values: Values = (), **parsers: Callable[[Any], Any]) -> list[R]:
    """Return the rows of a query as NamedTuples; each field gets the column of the same name.

    Columns without a field are ignored. Raises ValueError if a field has no column.

    Args:
        record: the NamedTuple.
        query: the SQL.
        values: the values of its placeholders.
        parsers: {field: function that returns the field's value from the column's}.
    """
    with read_connection().cursor() as cursor:
        cursor.execute(query, values)
        columns = [column.name for column in cursor.description]
        named: Any = record
        fields = itemgetter(*map(columns.index, named._fields))
        fetched = map(fields, cursor.fetchall())
        if not parsers:
            return list(map(named._make, fetched))
        parsed = [(named._fields.index(name), parse) for name, parse in parsers.items()]
        return [named._make(_parse(row, parsed)) for row in fetched]


def _parse(row: Sequence[Any], parsers: Sequence[tuple[int, Callable[[Any], Any]]]) -> list[Any]:
    """Return the values of a row. A parser is applied to the value at its index. Values without a parser are
    only copied, which saves the time of a function call for each of them.
    """
    values = list(row)
    for index, parse in parsers:
        values[index] = parse(values[index])
    return values


@contextmanager
def advisory_lock(name: str) -> Iterator[bool]:
    """Take the advisory lock of this name during the `with` block, and yield True. Yield False if another
    session has the lock.
    """
    is_taken = rows("SELECT pg_try_advisory_lock(hashtext(%s))", [name]) == [(True,)]
    try:
        yield is_taken
    finally:
        if is_taken:
            rows("SELECT pg_advisory_unlock(hashtext(%s))", [name])


def execute(query: str, values: Values = ()) -> int:
    """Execute a statement and return the number of rows that it changed."""
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        changed: int = cursor.rowcount
    return changed


def execute_many(query: str, rows: Iterable[Sequence[Any]]) -> None:
    """Execute a statement once for each row of values."""
    rows = list(rows)
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(query, rows)


def close_after_errors() -> None:
    """Close the connection if a query on it has failed, for example because the database was unreachable. The
    next query opens a new connection. Call this at the start of a task.
    """
    if connection.errors_occurred:
        connection.close()


@contextmanager
def snapshot() -> Iterator[None]:
    """Run the block in a transaction that sees one state of the database and writes nothing. A replica is
    always read in such a transaction.
    """
    if not reads_primary():
        yield
        return
    with transaction.atomic():
        execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def stream_rows(query: str, values: Values = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query through a server-side cursor. The memory used does not grow with the number
    of rows.
    """
    with transaction.atomic(using=read_alias()), read_connection().chunked_cursor() as cursor:
        cursor.execute(query, values)
        while page := cursor.fetchmany(PAGE):
            yield from page


def prepared_rows(
    query: str,
    values: Values,
    make: Callable[[Sequence[Any]], Any] = tuple,
    meanwhile: Callable[[], object] | None = None,
) -> Iterator[Any]:
    """Run a query as a prepared statement and return its rows. Each connection prepares the query when it
    first runs it.

    Values and rows are sent in binary format.

    Args:
        make: builds the item to return from a row.
        meanwhile: a function to call while the server runs the query. It must not use the connection.
    """
    wrapper = read_connection()
    wrapper.ensure_connection()
    driver = wrapper.connection
    # Use psycopg's own cursor, because Django's cursor writes the values into the text of the query.
    with psycopg.Cursor(driver, row_factory=lambda _: make) as cursor, _preparing(driver):
        for array, dumper in binary_arrays.DUMPERS.items():
            cursor.adapters.register_dumper(array, dumper)
        # In a pipeline, `execute` sends the query, and the end of the block waits for its result.
        with driver.pipeline() if meanwhile else nullcontext():
            cursor.execute(query, values, binary=True)
            if meanwhile:
                meanwhile()
        fetched: list[Any] = cursor.fetchall()
    return iter(fetched)


M = TypeVar("M", bound=Model)
"""The type of an instance of a Django model."""


def prepared_instances(model: type[M], condition: str, values: Values) -> list[M]:
    """Return the instances of a Django model for which a condition is true, from the primary. The query is a
    prepared statement. Django would write its SQL again for each call, which takes longer than reading a row.

    Args:
        condition: SQL with placeholders, such as `key = %s`. It must be a constant text.
        values: the values of the placeholders.
    """
    query, names = _query_of(model, condition)
    # With wrapped errors, Django connects again at the next request if the connection was lost.
    with reading_from(DEFAULT_DB_ALIAS), connection.wrap_database_errors:
        return [model.from_db(DEFAULT_DB_ALIAS, names, row) for row in prepared_rows(query, values)]


@cache
def _query_of(model: type[Model], condition: str) -> tuple[str, list[str]]:
    """Return the SQL of `prepared_instances`, and the names of the fields in the order of its columns."""
    fields = model._meta.concrete_fields
    columns = ", ".join(f'"{field.column}"' for field in fields)
    query = f'SELECT {columns} FROM "{model._meta.db_table}" WHERE {condition}'
    return query, [field.attname for field in fields]


@contextmanager
def _preparing(driver: Any) -> Iterator[None]:
    """Let psycopg prepare the queries in the `with` block. Django turns this off for all other queries."""
    before, driver.prepare_threshold = driver.prepare_threshold, 0
    try:
        yield
    finally:
        driver.prepare_threshold = before
