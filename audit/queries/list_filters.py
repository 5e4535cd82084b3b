"""The filters and the query of a list, shared by pages, commands and exported files.

Each list has a unique order by its key and can begin after any key. Lists that are read only from the ledger
(facts and their contents) never get new rows before a key that was already returned, because positions are
assigned in the order of commit.
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

    `after`: the key of the row after which the list begins, or None for the beginning. `limit`: the maximum
    number of rows, or None for all. `until`: the last ledger position to include. Findings and sums are not
    limited by `until`: query them inside `audit.findings.as_of`.
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
    """The SQL of a query and its values. Its columns have the names and formats that exports use. Read it row
    by row or through COPY.

    Attributes:
        minor: SQL for the same rows and values without order and format: amounts in whole minor units, counts
            as numbers. If it is given, the rows can be added up many times faster.
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
        """Add the condition that the gaming day of a stream is one of the requested days. Days are compared
        as text, because every day has ten characters.
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
    """Return the requested streams as SQL that follows `FROM`, with its values. The streams are called `s`.

    The game of a day is the game with which its table was opened.
    """
    condition = Where()
    if selection.span.property is not None:
        condition.add("s.property = %s", selection.span.property)
    condition.within("s.name", selection)
    if selection.table is not None:
        condition.add("left(s.name, -11) = %s", selection.table)
    if selection.game is not None:
        condition.add(
            """EXISTS (SELECT FROM fact o WHERE o.property = s.property AND o.stream = s.name AND o.number = 1
                AND o.kind = 'table-opened' AND convert_from(o.body, 'UTF8')::json->>'game' = %s)""",
            selection.game,
        )
    return f"FROM stream s WHERE {condition}", condition.values


def within_streams(condition: Where, column: str, selection: Selection) -> None:
    """Add the condition that a row belongs to one of the requested streams."""
    if selection.table is None and selection.game is None and selection.span.property is None:
        condition.within(column, selection)
    elif asks_of_streams(selection):
        from_streams, values = streams(selection)
        condition.add(f"{column} IN (SELECT s.name {from_streams})", *values)


def limited(selection: Selection) -> str:
    """Return the LIMIT at the end of a query, or an empty text if there is no limit."""
    return "" if selection.limit is None else f" LIMIT {selection.limit:d}"


def instant(column: str, name: str) -> str:
    """Return SQL for an instant as exports write it: RFC 3339, UTC, microseconds."""
    return f"to_char({column} AT TIME ZONE 'UTC', '{UTC}') AS {name}"


def money(column: str, currency: str, name: str) -> str:
    """Return SQL for an amount in the format of exports: a decimal with all digits of its currency.

    The amount is multiplied and not divided, because dividing long numbers would round.
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
