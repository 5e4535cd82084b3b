"""What is kept under a stamp is made of what the stamp names: how far each stream was examined, and by which
rules.

A fact that was recorded and not examined yet is in no stamp. Sums that had read it would be found again,
under the same stamp, by a reader of the ledger as it was before that fact. So the ledger's own tables are
closed to what is added up to be kept: a query of them raises
`ReadsLedger`. One that reads only facts which the stamp covers says so with `covered`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connection

from audit import database

LEDGER = re.compile(
    r"\b(?:FROM|JOIN)\s+(?:public\.)?(fact|fact_json|head|stream|verdict|flag)\b", re.IGNORECASE
)
"""Tables that take a row before anything is examined."""

_covered: ContextVar[bool] = ContextVar("covered", default=False)


class ReadsLedger(RuntimeError):
    """What is kept under a stamp has read a table of the ledger. Its text names the table and says what to
    do.
    """

    def __init__(self, table: str) -> None:
        super().__init__(
            "What is added up here is kept under how far its streams were examined, and it reads the table"
            f" {table}, which may have more. Read tallies, or bound the query by examination.cursor and run"
            " it under audit.queries.examination.covered()."
        )


@contextmanager
def only_examined() -> Iterator[None]:
    """Close the tables of the ledger to the queries of this block.

    Raises:
        ReadsLedger: a query reads one of them.
    """
    with connection.execute_wrapper(_refuse):
        yield


@contextmanager
def covered() -> Iterator[None]:
    """Open them to queries that read only facts which the stamp covers."""
    before = _covered.set(True)
    try:
        yield
    finally:
        _covered.reset(before)


def covered_rows(query: str, values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of one such query."""
    with covered():
        return database.rows(query, values)


def _refuse(execute: Callable[..., Any], query: Any, values: Any, many: bool, context: dict[str, Any]) -> Any:
    table = None if _covered.get() else LEDGER.search(str(query))
    if table is not None:
        raise ReadsLedger(table[1])
    return execute(query, values, many, context)
