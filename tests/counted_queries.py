"""Count the queries of a page, also those of prepared statements, which bypass Django's cursor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import psycopg


@contextmanager
def counted_queries() -> Iterator[list[str]]:
    """Yield a list that gets the SQL of every query in this block."""
    statements: list[str] = []
    execute = psycopg.Cursor.execute

    def count(self: Any, query: Any, *others: Any, **named: Any) -> Any:
        statements.append(str(query))
        return execute(self, query, *others, **named)

    with patch.object(psycopg.Cursor, "execute", count):
        yield statements
