"""Call a function for many items in several processes. All processes see the same state of the database."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import Any, TypeVar

from django.db import connections, transaction

from audit import database

R = TypeVar("R")
Map = Callable[[Callable[..., R], Iterable[tuple[Any, ...]]], Iterator[R]]
"""The type of a mapping function. It takes a function and tuples with the arguments of its calls, and yields
the results in the same order.
"""
ALIAS = "default"
SETTINGS = ("SET LOCAL search_path = pg_catalog, public, pg_temp", "SET LOCAL row_security = off")
_inherited: list[Any] = []
"""Connections of the parent process. A child must neither use nor close them."""


@contextmanager
def snapshot_map(processes: int) -> Iterator[Map[Any]]:
    """Yield a function that works like `itertools.starmap`, in several processes if `processes` is more
    than 1.

    Call it in a transaction of `database.snapshot`, and not in a savepoint.
    """
    if processes <= 1:
        yield _one_by_one
        return
    ((snapshot,),) = database.rows("SELECT pg_catalog.pg_export_snapshot()")
    pool = ProcessPoolExecutor(processes, mp_context=get_context("fork"), initializer=_begin_worker)
    try:
        yield lambda function, items: pool.map(partial(_in_snapshot, str(snapshot), function), items)
    finally:
        pool.shutdown(cancel_futures=True)


def _one_by_one(function: Callable[..., Any], items: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    for item in items:
        yield function(*item)


def _begin_worker() -> None:
    """Give this process its own connection, and exclude all inherited objects from garbage collection."""
    gc.freeze()
    _inherited.append(connections[ALIAS])
    del connections[ALIAS]


def _in_snapshot(snapshot: str, function: Callable[..., Any], item: tuple[Any, ...]) -> Any:
    with transaction.atomic():
        database.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        database.execute("SET TRANSACTION SNAPSHOT %s", [snapshot])
        for statement in SETTINGS:
            database.execute(statement)
        return function(*item)
