"""Prevent cached aggregates from including facts that have not been examined.

The fingerprint of a cached aggregate depends on how far each stream was examined. A fact that has not been
examined yet changes no fingerprint. If a cached aggregate included such a fact, a report as of a position
before that fact would find the aggregate under the same fingerprint and show wrong figures. So code that
builds cached aggregates must not read the ledger's own tables: a query of them raises `ReadsLedger`.

A query inside `covered` is allowed. Use `covered` only for facts that are part of the fingerprint.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from audit import database

LEDGER = re.compile(
    r"\b(?:FROM|JOIN)\s+(?:public\.)?(fact|fact_json|head|stream|verdict|flag)\b", re.IGNORECASE
)
"""Pattern of the names of tables that contain rows of unexamined facts."""

_covered: ContextVar[bool] = ContextVar("covered", default=False)


class ReadsLedger(RuntimeError):
    """Code that builds a cached aggregate has read a table of the ledger. The text names the table and says
    what to do.
    """

    def __init__(self, table: str) -> None:
        super().__init__(
            "A cached aggregate depends on how far its streams were examined, but its code reads the table"
            f" {table}, which may contain later facts. Read tallies, or limit the query by examination.cursor"
            " and run it under audit.queries.examination.covered()."
        )


@contextmanager
def only_examined() -> Iterator[None]:
    """Raise an error if a query in this block reads one of the ledger's tables.

    Raises:
        ReadsLedger: a query reads one of the tables.
    """
    with database.read_connection().execute_wrapper(_refuse):
        yield


@contextmanager
def covered() -> Iterator[None]:
    """Allow this block to query the ledger's tables.

    Use it only for facts that are part of the cached aggregate's fingerprint, because other facts would not
    invalidate the cache.
    """
    before = _covered.set(True)
    try:
        yield
    finally:
        _covered.reset(before)


def covered_rows(query: str, values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a query of the ledger's tables. The query must read only facts that are part of the
    cache fingerprint.
    """
    with covered():
        return database.rows(query, values)


def _refuse(
    execute: Callable[..., Any], query: Any, values: Any, is_many: bool, context: dict[str, Any]
) -> Any:
    table = None if _covered.get() else LEDGER.search(str(query))
    if table is not None:
        raise ReadsLedger(table[1])
    return execute(query, values, is_many, context)
