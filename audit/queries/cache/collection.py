"""Turn off garbage collection while many small tuples are built that stay in use."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Turn off garbage collection inside the `with` block. A year of a report or a journal has tens of
    thousands of small tuples that stay in use, and scanning them took the collector a quarter of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
