"""Read as text all times that Python cannot represent, such as `infinity` or the year 20000.

Without this, a query that meets such a value raises an error. The proof of the table would then end at this
value, and would not report the faults in the rest of the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from psycopg import DataError
from psycopg.pq import Format
from psycopg.types.datetime import DateLoader

TYPES = ("date", "timestamptz")


@contextmanager
def read_any_time() -> Iterator[None]:
    """Return as text all dates and times that Python cannot represent, in all queries of the `with` block."""
    connection.ensure_connection()
    adapters = connection.connection.adapters
    before = {name: _loader(adapters, name) for name in TYPES}
    for name, loader in before.items():
        adapters.register_loader(name, _lenient(loader))
    try:
        yield
    finally:
        for name, loader in before.items():
            adapters.register_loader(name, loader)


def _loader(adapters: Any, name: str) -> Any:
    """Return the class that reads values of a type. For dates this is the implementation in Python, because
    it can be extended.
    """
    return DateLoader if name == "date" else adapters.get_loader(adapters.types[name].oid, Format.TEXT)


def _lenient(loader: Any) -> Any:
    class Lenient(loader):  # type: ignore[misc]
        def load(self, data: Any) -> Any:
            try:
                return super().load(data)
            except DataError:
                return bytes(data).decode()

    return Lenient
