"""Columns and sheets: what a report yields, before a format writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeVar

from audit.queries.lazy_sequence import LazySequence
from audit.queries.list_filters import Query

Type = Literal["text", "day", "instant", "count", "money", "percent"]
"""Of a column. Money is a decimal of the row's currency, as text: exact to its minor unit. An instant is RFC
3339, UTC, microseconds.
"""


class Column(NamedTuple):
    """Its name for programs and for people, and what stands in it."""

    key: str
    heading: str
    type: Type = "text"


class Absent(str):
    """Why there is no value, in a word: `pending`, `n/a`. Programs are given null, people the word."""

    __slots__ = ()


Row = Sequence[Any]
One = TypeVar("One")


def _as_it_is(row: Any) -> Any:
    return row


class Rows(LazySequence[Row]):
    """Rows that are written when they are read: a page that shows a hundred of them writes no more, and a
    file so many after so many.
    """

    AT_ONCE = 1000

    def __init__(self, found: Sequence[One], write: Callable[[One], Row]) -> None:
        """`write` is given one of what was found."""
        self._found: Sequence[Any] = found
        self._write: Callable[[Sequence[Any]], Iterable[Row]] = partial(map, write)
        self._behind: Sequence[Row] = ()

    @classmethod
    def together(
        cls, found: Sequence[One], write: Callable[[Sequence[One]], Iterable[Row]], behind: Sequence[Row] = ()
    ) -> Rows:
        """`write` is given some of what was found at once; `behind` are rows that follow all of it."""
        every: Sequence[Any] = found
        rows = cls(every, _as_it_is)
        rows._write, rows._behind = write, behind
        return rows

    def __len__(self) -> int:
        return len(self._found) + len(self._behind)

    def slice(self, begins: int, ends: int) -> list[Row]:
        """The rows from one place to another, written now."""
        found = len(self._found)
        return [
            *self._write(self._found[begins:ends]),
            *self._behind[max(begins - found, 0) : max(ends - found, 0)],
        ]

    def __iter__(self) -> Iterator[Row]:
        found = iter(self._found)
        while some := list(islice(found, self.AT_ONCE)):
            yield from self._write(some)
        yield from self._behind


class Sheet(NamedTuple):
    """Columns and rows. `totals` are rows of the same columns, for people: summing the rows gives them.

    `query` gives just these rows, where there is one: so a format may copy them instead. `recorded` names the
    column, if there is one,
    whose value is by itself the row's line in NDJSON: a recorded fact, byte for byte.
    """

    title: str
    columns: tuple[Column, ...]
    rows: Iterable[Row]
    totals: tuple[Row, ...] = ()
    query: Query | None = None
    recorded: str = ""
