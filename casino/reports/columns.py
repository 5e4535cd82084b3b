"""Columns and sheets: what a report returns before a format writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeVar

from audit.queries.lazy_sequence import LazySequence
from audit.queries.list_filters import Query
from casino.presentation.charts.bands import state_words
from casino.presentation.formatting import day_label, display, streams_in_words, table_label

Type = Literal["text", "day", "instant", "count", "money", "percent"]
"""The type of a column. Money is a decimal of the row's currency, as text, exact to the minor unit. The
control totals of a file add up counts and money. A figure that must not be added, such as a rate or a
standard deviation, has the type `percent`, also if its unit is a currency. An instant is RFC 3339, in UTC,
with microseconds.
"""


class Column(NamedTuple):
    """A column: its key for programs, its heading for people, and the type of its values."""

    key: str
    heading: str
    type: Type = "text"


SENTENCES = frozenset({"note", "text", "entry"})
"""Keys of columns with sentences, in which pages and PDF files write tables and dates in words."""


class Absent(str):
    """A word that says why a value is missing, such as `pending` or `n/a`. Programs get null, and people see
    the word.
    """

    __slots__ = ()


def cell_text(column: Column, cell: Any, property: str | None = None) -> str:
    """Return the text of a cell that is not a figure, as pages and PDF files show it.

    Args:
        column: the column of the cell.
        cell: its value.
        property: the property of the sheet, or empty text if it has rows of several. A table of another
            property is named with its property. If it is None, no table is.
    """
    is_day = column.type == "day" and cell not in ("", None) and not isinstance(cell, Absent)
    if column.key in SENTENCES:
        return streams_in_words(str(cell or ""), property)
    if column.key == "table":
        return table_label(str(cell or ""), property)
    return day_label(str(cell)) if is_day else display(column.key, cell)


Row = Sequence[Any]
One = TypeVar("One")


def _unchanged(row: Any) -> Any:
    return row


class Rows(LazySequence[Row]):
    """Rows that are formatted when they are read. A page that shows a hundred rows formats only those rows. A
    file formats AT_ONCE rows at a time.
    """

    AT_ONCE = 1000

    def __init__(self, items: Sequence[One], format_row: Callable[[One], Row]) -> None:
        """Create rows from items that are formatted one by one."""
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
        """Create rows from items that are formatted several at a time. The rows `last_rows` follow them
        unchanged.
        """
        every: Sequence[Any] = items
        rows = cls(every, _unchanged)
        rows._format, rows._last_rows = format_rows, last_rows
        return rows

    def only(self, is_chosen: Callable[[Any], bool]) -> Rows:
        """Return the rows of the items for which `is_chosen` returns True. It formats no row yet."""
        rows = Rows([item for item in self._items if is_chosen(item)], _unchanged)
        rows._format = self._format
        return rows

    def arranged(self, arrange: Callable[[Sequence[Any]], Sequence[Any]]) -> Rows:
        """Return these rows in another order. `arrange` returns their items in this order. The last rows
        stay the last.
        """
        rows = Rows(arrange(self._items), _unchanged)
        rows._format, rows._last_rows = self._format, self._last_rows
        return rows

    def __len__(self) -> int:
        return len(self._items) + len(self._last_rows)

    def slice(self, begins: int, ends: int) -> list[Row]:
        """Format and return the rows from position `begins` up to but not including `ends`."""
        number = len(self._items)
        return [
            *self._format(self._items[begins:ends]),
            *self._last_rows[max(begins - number, 0) : max(ends - number, 0)],
        ]

    def __iter__(self) -> Iterator[Row]:
        items = iter(self._items)
        while batch := list(islice(items, self.AT_ONCE)):
            yield from self._format(batch)
        yield from self._last_rows


class Heading(NamedTuple):
    """What a sheet is about, for formats that are printed: property, gaming days, grouping, books and
    filters.

    Attributes:
        ledgers: for each ledger, its property, its position, and its chain at that position.
    """

    property: str = ""
    begins: date | None = None
    last: date | None = None
    by: tuple[str, ...] = ()
    books: str = ""
    filters: tuple[tuple[str, str], ...] = ()
    ledgers: tuple[tuple[str, int, str], ...] = ()

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield a label and a text for each part of the heading."""
        yield "Property", self.property or "all properties"
        yield ("Gaming day" if self._is_one_day() else "Gaming days"), self._days()
        if self.by:
            yield "Grouped by", ", ".join(name.replace("_", " ") for name in self.by)
        yield "Books", self._books()
        for name, value in self.filters:
            yield name.replace("_", " ").capitalize(), value
        for property, position, chain in self.ledgers:
            yield "Ledger", f"{property}, position {position:,}, chain {chain}"

    def in_short(self) -> Iterator[str]:
        """Yield the texts that tell this sheet from others with the same title."""
        yield self.property or "all properties"
        yield self._days()
        yield self._books()
        for name, value in self.filters:
            yield f"{name.replace('_', ' ')} {value}"

    def ledger_line(self, *, with_chain: bool = True) -> str:
        """Return the property and the position of each ledger, and its chain at that position."""
        return "; ".join(
            f"{property}, ledger position {position:,}{f', chain {chain}' if with_chain else ''}"
            for property, position, chain in self.ledgers
        )

    def _is_one_day(self) -> bool:
        return self.begins is not None and self.begins == self.last

    def _days(self) -> str:
        begins, last = (day_label(day) if day else "" for day in (self.begins, self.last))
        return begins if self._is_one_day() else f"{begins or 'the first'} to {last or 'the last'}"

    def _books(self) -> str:
        return f"{self.books} books" if self.books else "everything recorded"


class ExpectedRange(NamedTuple):
    """The range in which the figures of a report's chart are expected, and what it is in words.

    Attributes:
        confidence: the share of figures that chance keeps inside the range, in percent.
    """

    low: Fraction
    high: Fraction
    words: str
    confidence: int


class RowChance(NamedTuple):
    """How a row that a chart draws compares with chance.

    Attributes:
        expected: the expected figure, in the unit of the chart, or None if it is not known.
        bounds: the range that chance allows for the figure, or None if it is not known.
        is_outside: True if the row is outside this range.
        reason: why the row is not judged, or empty text if it is judged.
        tip: the expected figure and its range in words.
        expected_win: the expected win in minor units, or None if the row is not judged.
        reach: how far the win may be from it by chance.
    """

    expected: Fraction | None = None
    bounds: tuple[Fraction, Fraction] | None = None
    is_outside: bool = False
    reason: str = ""
    tip: tuple[str, ...] = ()
    expected_win: Fraction | None = None
    reach: Fraction = Fraction(0)

    @property
    def state(self) -> tuple[str, ...]:
        """Return in words that the row is outside the range, or why it is not judged."""
        return state_words(outside=self.is_outside, not_judged=self.reason)


class RowChances(NamedTuple):
    """How the figures of a report's chart compare with chance.

    Attributes:
        judge: a function that compares a row of the report.
        words: what the drawing of the expected figure and of the range means.
        judged: the number of all rows that are compared with chance.
        confidence: how sure the ranges are of all these rows together, in percent.
    """

    judge: Callable[[Row], RowChance]
    words: str
    judged: int
    confidence: int

    @property
    def allowed(self) -> int:
        """Return the probability, in percent, that chance alone puts any of these rows outside."""
        return 100 - self.confidence


class Sheet(NamedTuple):
    """The columns and rows of a report or a dataset.

    Attributes:
        totals: rows with the sums of the rows, in the same columns.
        query: a query that returns exactly these rows, or None. A format may copy the result of the query
            instead of writing the rows.
        recorded: the name of a column that contains facts as they were recorded, or empty. NDJSON then writes
            the fact itself as the line of the row.
        has_absent: True if cells of figures may be an `Absent`.
        leads: the keys of the columns that a page shows first, if the order of a file would leave what one
            decides from beyond the edge of the screen.
        to_sign: the keys of the columns in which people sign on paper. A page does not show them.
        expected: the range in which the figures of the chart are expected, or None.
        notes: sentences about the rows that a page shows above the table.
        chances: a function that compares the figures of the chart with chance, or None. Only a page with a
            chart calls it, so that a file does not read what it does not show.
    """

    title: str
    columns: tuple[Column, ...]
    rows: Iterable[Row]
    totals: tuple[Row, ...] = ()
    query: Query | None = None
    recorded: str = ""
    has_absent: bool = False
    heading: Heading | None = None
    leads: tuple[str, ...] = ()
    to_sign: tuple[str, ...] = ()
    expected: ExpectedRange | None = None
    notes: tuple[str, ...] = ()
    chances: Callable[[], RowChances] | None = None


STATUS = Column("status", "status")
"""The column of a file that says why other cells of the row have no figure."""


def without_words(sheet: Sheet) -> Sheet:
    """Return a copy of the sheet in which columns of figures contain only figures. Words such as `pending`
    move from these columns to the additional column `status`. A sheet that never has such words is returned
    unchanged.
    """
    if not sheet.has_absent:
        return sheet
    places = [place for place, column in enumerate(sheet.columns) if column.type != "text"]
    keys = [column.key for column in sheet.columns]

    def stated(row: Row) -> Row:
        words: dict[str, list[str]] = {}
        cells = list(row)
        for place in places:
            if isinstance(cells[place], Absent):
                words.setdefault(str(cells[place]), []).append(keys[place])
                cells[place] = None
        is_single = len(words) == 1
        sentences = (word if is_single else f"{word}: {', '.join(named)}" for word, named in words.items())
        return (*cells, "; ".join(sentences))

    return sheet._replace(
        columns=(*sheet.columns, STATUS),
        rows=map(stated, sheet.rows),
        totals=tuple(map(stated, sheet.totals)),
        has_absent=False,
    )
