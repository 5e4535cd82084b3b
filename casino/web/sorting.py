"""Sort a table by the parameter `sort` of its page. Its value is the key of a column, with a leading `-` if
the largest value comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

RowType = TypeVar("RowType")


def order_of(sort: str, key: str) -> str:
    """Return `ascending` or `descending` if `sort` names this column, otherwise an empty text."""
    if sort.removeprefix("-") != key:
        return ""
    return "descending" if sort.startswith("-") else "ascending"


def sort_rows(rows: Iterable[RowType], sort: str, value: Callable[[RowType], Any]) -> list[RowType]:
    """Return the rows sorted by `value`, the largest value first if `sort` begins with `-`. Rows whose value
    is None come last.
    """
    pairs = [(value(row), row) for row in rows]
    known = [pair for pair in pairs if pair[0] is not None]
    known.sort(key=lambda pair: pair[0], reverse=sort.startswith("-"))
    return [row for _, row in known] + [row for key, row in pairs if key is None]
