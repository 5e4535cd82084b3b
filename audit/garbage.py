"""Pause Python's cyclic garbage collection while many objects are made that do not need it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Pause Python's cyclic garbage collection.

    Garbage collection would take a tenth of the time of an examination or a verification, and a quarter of
    the time in which a report or journal of a year is built. Rounds, wagers and rows are freed without it.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
