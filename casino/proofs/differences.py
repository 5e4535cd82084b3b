"""Describe how a stored row differs from the expected row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def difference(columns: Sequence[str], stored: Sequence[Any], expected: Sequence[Any]) -> str:
    """Return a text that names the columns that differ, with both values."""
    return "; ".join(
        f"{name} is {have!r}, it must be {must!r}"
        for name, have, must in zip(columns, stored, expected, strict=True)
        if have != must
    )
