"""The filters of a list that is exported, and its query: the same for a page, a command and a file.

Each list has a total order, by its key, and can begin after any key. A list that is read from the ledger
alone (facts and their contents) never gets a row before a key that it has already returned, because positions
are assigned in the order of commit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from audit import database
from audit.queries.span import Span
from games.kit.amounts import EXPONENT

UTC = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'


class Selection(NamedTuple):
    """Filters of a list: its days, a table (`aurora/EOU-01`) or a game, a kind of fact, a finding's code or
    grade, a slip's serial.

    `after`: the key of the last row before the list begins; None: from the beginning. `limit`: the maximum
    number of rows; None: all. `until`: leave out facts of the ledger after this position. For results of a
    fold, query inside `audit.findings.as_of` instead.
    """

    span: Span = Span()
    table: str | None = None
    game: str | None = None
    kind: str | None = None
    code: str | None = None
    grade: str | None = None
    slip: str | None = None
    after: tuple[Any, ...] | None = None
    limit: int | None = None
    until: int | None = None


class Query(NamedTuple):
    """SQL whose columns are named and formatted as exports write them, with its values: to be read row by
    row, or by COPY.

    `minor`: the same rows and values, not ordered and not formatted: amounts as whole minor units, counts as
    numbers. If it is given, the rows are added up many times faster.
    """

    text: str
    values: list[Any]
    minor: str = ""

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows through a server-side cursor, in constant memory."""
        return database.stream_rows(self.text, self.values)

    def at_once(self) -> Iterator[tuple[Any, ...]]:
        """Return the rows of a short result in one read."""
        return iter(database.rows(self.text, self.values))


class Where:
    """The conditions of a query, joined with AND, and their values in the same order."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.values: list[Any] = []

    def add(self, condition: str, *values: Any) -> None:
        """Add a condition with the values of its placeholders."""
        self.said.append(condition)
        self.values.extend(values)

    def within(self, column: str, selection: Selection) -> None:
        """Limit the gaming day of a stream to the requested days.

        Days of ten characters sort in the same order as their text.
        """
        for sign, day in ((">=", selection.span.begins), ("<", selection.span.ends)):
            if day is not None:
                self.add(f"right({column}, 10) {sign} %s", day.isoformat())

    def __str__(self) -> str:
        return " AND ".join(self.said) or "true"


def asks_of_streams(selection: Selection) -> bool:
    """Return True if the filters select only some streams."""
    return any(
        value is not None
        for value in (selection.span.begins, selection.span.ends, selection.table, selection.game)
    )


def streams(selection: Selection) -> tuple[str, list[Any]]:
    """Return the requested streams, as the rest of a SELECT from `stream s`.

    A day's game is the one with which its table was opened.
    """
    where = Where()
    if selection.span.property is not None:
        where.add("s.property = %s", selection.span.property)
    where.within("s.name", selection)
    if selection.table is not None:
        where.add("left(s.name, -11) = %s", selection.table)
    if selection.game is not None:
        where.add(
            """EXISTS (SELECT FROM fact o WHERE o.property = s.property AND o.stream = s.name AND o.number = 1
                AND o.kind = 'table-opened' AND convert_from(o.body, 'UTF8')::json->>'game' = %s)""",
            selection.game,
        )
    return f"FROM stream s WHERE {where}", where.values


def within_streams(where: Where, column: str, selection: Selection) -> None:
    """Limit rows to the requested streams."""
    if selection.table is None and selection.game is None and selection.span.property is None:
        where.within(column, selection)
    elif asks_of_streams(selection):
        from_streams, values = streams(selection)
        where.add(f"{column} IN (SELECT s.name {from_streams})", *values)


def limited(selection: Selection) -> str:
    """Return the end of a query, with its limit."""
    return "" if selection.limit is None else f" LIMIT {selection.limit:d}"


def instant(column: str, name: str) -> str:
    """Return SQL for an instant as exports write it: RFC 3339, UTC, microseconds."""
    return f"to_char({column} AT TIME ZONE 'UTC', '{UTC}') AS {name}"


def money(column: str, currency: str, name: str) -> str:
    """Return SQL for an amount as exports write it: a decimal with all digits of its currency.

    The amount is multiplied, because dividing long numbers would round.
    """
    scales: dict[int, list[str]] = {}
    for code, digits in EXPONENT.items():
        scales.setdefault(digits, []).append(f"'{code}'")
    cases = " ".join(
        f"WHEN {currency} IN ({', '.join(codes)}) THEN {_part(digits)}" for digits, codes in scales.items()
    )
    # Nearly every amount has two digits: one hash lookup replaces a comparison with each of the other
    # currencies.
    others = ", ".join(f"'{code}'" for code in EXPONENT)
    return (
        f"(trunc({column}) * CASE WHEN {currency} NOT IN ({others}) THEN {_part(2)} {cases} ELSE {_part(2)}"
        f" END)::text AS {name}"
    )


def _part(digits: int) -> str:
    return f"0.{'1'.rjust(digits, '0')}" if digits else "1"
