"""What is asked of a list that is exported, and the query that answers it: the same for a page, a
command and a file.

A list is in a total order, that of its key, and can begin after any key of it. What belongs to the ledger
alone (facts, and what is read out of them) never comes in behind a key that was given out: positions are
given in the order of commit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from audit import database
from audit.queries.span import Span
from games.kit.amounts import EXPONENT

UTC = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'


class Asked(NamedTuple):
    """Which rows: of these days, of a table (`aurora/EOU-01`) or a game, of a kind of fact, a finding's code
    or its grade, a slip's serial.

    `after`: the key of the row before the first; None: from the beginning. `limit`: at most this many; None:
    all. `until`: of what belongs
    to the ledger, nothing that came after this position of it; what is folded is asked inside
    `audit.findings.as_of` instead.
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
    """SQL whose columns are named and written as exports write them, with its values: to be read by rows,
    or by COPY.

    `minor`: the same rows with the same values, in no order and before they are written: amounts as whole
    minor units, counts as numbers.
    Where it is given, they are added up many times as fast.
    """

    text: str
    values: list[Any]
    minor: str = ""

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Return the rows through a cursor of the server, in flat memory."""
        return database.stream_rows(self.text, self.values)

    def at_once(self) -> Iterator[tuple[Any, ...]]:
        """Return the rows of a short answer in one read."""
        return iter(database.rows(self.text, self.values))


class Where:
    """The conditions of a query, joined with AND, and their values in that order."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.values: list[Any] = []

    def add(self, condition: str, *values: Any) -> None:
        """Add a condition."""
        self.said.append(condition)
        self.values.extend(values)

    def within(self, column: str, asked: Asked) -> None:
        """Limit the gaming day of a stream to the days.

        Days of ten characters are in the same order as their text.
        """
        for sign, day in ((">=", asked.span.begins), ("<", asked.span.ends)):
            if day is not None:
                self.add(f"right({column}, 10) {sign} %s", day.isoformat())

    def __str__(self) -> str:
        return " AND ".join(self.said) or "true"


def asks_of_streams(asked: Asked) -> bool:
    """Return True if only some streams are asked for."""
    return any(each is not None for each in (asked.span.begins, asked.span.ends, asked.table, asked.game))


def streams(asked: Asked) -> tuple[str, list[Any]]:
    """Return the streams that are asked for, as the rest of a SELECT from `stream s`.

    A day's game is the one that its table was opened with.
    """
    where = Where()
    if asked.span.property is not None:
        where.add("s.property = %s", asked.span.property)
    where.within("s.name", asked)
    if asked.table is not None:
        where.add("left(s.name, -11) = %s", asked.table)
    if asked.game is not None:
        where.add(
            """EXISTS (SELECT FROM fact o WHERE o.property = s.property AND o.stream = s.name AND o.number = 1
                AND o.kind = 'table-opened' AND convert_from(o.body, 'UTF8')::json->>'game' = %s)""",
            asked.game,
        )
    return f"FROM stream s WHERE {where}", where.values


def within_streams(where: Where, column: str, asked: Asked) -> None:
    """Limit rows to these streams."""
    if asked.table is None and asked.game is None and asked.span.property is None:
        where.within(column, asked)
    elif asks_of_streams(asked):
        found, values = streams(asked)
        where.add(f"{column} IN (SELECT s.name {found})", *values)


def limited(asked: Asked) -> str:
    """Return the end of a query, with its limit."""
    return "" if asked.limit is None else f" LIMIT {asked.limit:d}"


def instant(column: str, name: str) -> str:
    """Return SQL for an instant as exports write it: RFC 3339, UTC, microseconds."""
    return f"to_char({column} AT TIME ZONE 'UTC', '{UTC}') AS {name}"


def money(column: str, currency: str, name: str) -> str:
    """Return SQL for an amount as exports write it: a decimal with all digits of its currency.

    Multiplied, because a division of long numbers rounds.
    """
    scales: dict[int, list[str]] = {}
    for code, digits in EXPONENT.items():
        scales.setdefault(digits, []).append(f"'{code}'")
    told = " ".join(
        f"WHEN {currency} IN ({', '.join(codes)}) THEN {_part(digits)}" for digits, codes in scales.items()
    )
    # nearly every amount has two digits: one look into a hash instead of a comparison with each of the others
    others = ", ".join(f"'{code}'" for code in EXPONENT)
    return (
        f"(trunc({column}) * CASE WHEN {currency} NOT IN ({others}) THEN {_part(2)} {told} ELSE {_part(2)}"
        f" END)::text AS {name}"
    )


def _part(digits: int) -> str:
    return f"0.{'1'.rjust(digits, '0')}" if digits else "1"
