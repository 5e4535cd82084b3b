"""Reports, one file each, found by name: there is no list to edit.

A report is a module with `TITLE`, `BY` (what it can be grouped by), `DEFAULT_BY`, `CHART` (the column that is
drawn) and `sheet(span, by)`. What it yields is the same for every format: `casino.exports` writes it.

A report whose sums or rows are kept (`audit.queries.cache.aggregates`, `audit.queries.cache.lists`) reads tallies and no facts: what it adds up is kept
under how far its streams were examined, and a query of the ledger's tables raises `audit.queries.examination.ReadsLedger`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import islice
from pkgutil import iter_modules
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, cast

from audit.queries.lazy_sequence import Placed
from audit.queries.list_filters import Query
from audit.queries.tallies import Span

Type = Literal["text", "day", "instant", "count", "money", "percent"]
"""Of a column. Money is a decimal of the row's currency, as text: exact to its minor unit. An instant is RFC 3339, UTC, microseconds."""


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


class Rows(Placed[Row]):
    """Rows that are written when they are read: a page that shows a hundred of them writes no more, and a file so many after so many."""

    AT_ONCE = 1000

    def __init__(self, found: Sequence[One], write: Callable[[One], Row]) -> None:
        """`write` is given one of what was found."""
        self._found: Sequence[Any] = found
        self._write: Callable[[Sequence[Any]], Iterable[Row]] = partial(map, write)
        self._behind: Sequence[Row] = ()

    @classmethod
    def together(cls, found: Sequence[One], write: Callable[[Sequence[One]], Iterable[Row]], behind: Sequence[Row] = ()) -> Rows:
        """`write` is given some of what was found at once; `behind` are rows that follow all of it."""
        every: Sequence[Any] = found
        rows = cls(every, _as_it_is)
        rows._write, rows._behind = write, behind
        return rows

    def __len__(self) -> int:
        return len(self._found) + len(self._behind)

    def between(self, begins: int, ends: int) -> list[Row]:
        """The rows from one place to another, written now."""
        found = len(self._found)
        return [*self._write(self._found[begins:ends]), *self._behind[max(begins - found, 0) : max(ends - found, 0)]]

    def __iter__(self) -> Iterator[Row]:
        found = iter(self._found)
        while some := list(islice(found, self.AT_ONCE)):
            yield from self._write(some)
        yield from self._behind


class Sheet(NamedTuple):
    """Columns and rows. `totals` are rows of the same columns, for people: summing the rows gives them.

    `query` gives just these rows, where there is one: so a format may copy them instead. `recorded` names the column, if there is one,
    whose value is by itself the row's line in NDJSON: a recorded fact, byte for byte.
    """

    title: str
    columns: tuple[Column, ...]
    rows: Iterable[Row]
    totals: tuple[Row, ...] = ()
    query: Query | None = None
    recorded: str = ""


class Report(Protocol):
    """What a report's module has."""

    TITLE: str
    BY: tuple[str, ...]
    DEFAULT_BY: tuple[str, ...]
    CHART: str
    """The column that a page draws; empty text for none."""

    def sheet(self, span: Span, by: tuple[str, ...]) -> Sheet:
        """The report of these days. `by`: names out of BY, one row for each of their values."""


def names() -> list[str]:
    """Every report there is, as it is called on the command line."""
    return sorted(module.name.replace("_", "-") for module in iter_modules(__path__))


def report(name: str) -> Report:
    """The report of that name. Raises LookupError when there is none."""
    if name not in names():
        raise LookupError(name)
    return cast(Report, import_module(f"{__name__}.{name.replace('-', '_')}"))


def knows_shifts(name: str) -> bool:
    """Whether a report can be made of one shift alone; the journal is booked by shift, which is another thing."""
    return "shift" in report(name).BY and "table" in report(name).BY


def of_shift(of: Report, span: Span, by: tuple[str, ...], shift: str) -> Sheet:
    """The report of one shift of these days and of no other, with the shift in each row; its totals are what the shift has by itself."""
    by = by if "shift" in by else (*by, "shift")
    whole, alone = of.sheet(span, by), of.sheet(span, ("shift",))
    place = next(at for at, column in enumerate(whole.columns) if column.key == "shift")
    blank = ("total", *[""] * (len(by) - 1))
    totals = tuple((*blank, *row[1:]) for row in alone.rows if row[0] == shift)
    return Sheet(whole.title, whole.columns, [row for row in whole.rows if row[place] == shift], totals)


def grouped(rows: Iterable[Any], key: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Rows by key, in the order of the keys."""
    groups: dict[Any, list[Any]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    yield from sorted(groups.items(), key=lambda item: item[0])
