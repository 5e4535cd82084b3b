"""Columns and sheets: what a report yields, before a format writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeVar

from audit.queries.lazy_sequence import LazySequence
from audit.queries.list_filters import Query

Type = Literal["text", "day", "instant", "count", "money", "percent"]
"""The type of a column. Money is a decimal of the row's currency, as text: exact to its minor unit. An
instant is RFC 3339, UTC, microseconds.
"""


class Column(NamedTuple):
    """A column: its name for programs and for people, and the type of its values."""

    key: str
    heading: str
    type: Type = "text"


class Absent(str):
    """A word for why a value is missing: `pending`, `n/a`. Programs are given null, people the word."""

    __slots__ = ()


Row = Sequence[Any]
One = TypeVar("One")


def _unchanged(row: Any) -> Any:
    return row


class Rows(LazySequence[Row]):
    """Rows that are formatted when they are read: a page that shows a hundred rows formats only these, and a
    file formats AT_ONCE rows at a time.
    """

    AT_ONCE = 1000

    def __init__(self, items: Sequence[One], format_row: Callable[[One], Row]) -> None:
        """Format each item by itself."""
        self._items: Sequence[Any] = items
        self._format: Callable[[Sequence[Any]], Iterable[Row]] = partial(map, format_row)
        self._last_rows: Sequence[Row] = ()

    @classmethod
    def together(
        cls,
        items: Sequence[One],
        format_rows: Callable[[Sequence[One]], Iterable[Row]],
        last_rows: Sequence[Row] = (),
    ) -> Rows:
        """Return rows whose items are formatted several at once, followed by `last_rows`."""
        every: Sequence[Any] = items
        rows = cls(every, _unchanged)
        rows._format, rows._last_rows = format_rows, last_rows
        return rows

    def __len__(self) -> int:
        return len(self._items) + len(self._last_rows)

    def slice(self, begins: int, ends: int) -> list[Row]:
        """Return the rows from one position to another, formatted now."""
        number = len(self._items)
        return [
            *self._format(self._items[begins:ends]),
            *self._last_rows[max(begins - number, 0) : max(ends - number, 0)],
        ]

    def __iter__(self) -> Iterator[Row]:
        items = iter(self._items)
        while some := list(islice(items, self.AT_ONCE)):
            yield from self._format(some)
        yield from self._last_rows


class Sheet(NamedTuple):
    """Columns and rows. `totals` are rows of the same columns, for people: summing the rows gives them.

    `query`, if there is one, returns exactly these rows, so a format may copy them instead. `recorded` names
    the column, if there is one, whose value is by itself the row's line in NDJSON: a recorded fact, byte for
    byte.
    """

    title: str
    columns: tuple[Column, ...]
    rows: Iterable[Row]
    totals: tuple[Row, ...] = ()
    query: Query | None = None
    recorded: str = ""
