"""Count the statements that a block sends to the database, including prepared statements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest


@contextmanager
def counted_statements() -> Iterator[list[str]]:
    """Yield a list that gets each statement which the driver executes in the block.

    Django's own list of queries does not contain prepared statements.
    """
    statements: list[str] = []
    execute = psycopg.Cursor.execute

    def listed(cursor: Any, query: Any, *values: Any, **options: Any) -> Any:
        statements.append(str(query))
        return execute(cursor, query, *values, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(psycopg.Cursor, "execute", listed)
        yield statements
