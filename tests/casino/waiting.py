"""Wait in a test for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

HALF_AN_HOUR = 30 * 60.0
"""Seconds to wait in tests that send many thousands of events."""


def until(condition: Callable[[], Any], seconds: float = 30.0) -> None:
    """Wait until a condition is true, and fail if it is still false after this time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"still false after {seconds:.0f} seconds"
        time.sleep(0.02)
