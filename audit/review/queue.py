"""The officers' queue as pages read it: keyset pages in the order of grade and money, and what has changed
since a page was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from audit import database

PAGE = 50
COUNTED = 1000
"""Rows are counted up to here; more are `1,000 or more`."""
NEWS = 200
"""Changed rows given at once; a page that has missed more is better reloaded."""
STATES = ("open", "second", "escalated", "decided")
NOTICE_RANK = 5


class Hand(NamedTuple):
    """A row: a hand with findings. Money in minor units: what went to players beyond what was owed, and to
    the casino.
    """

    property: str
    stream: str
    hand: str
    table: str
    day: date
    number: int
    at: datetime
    rank: int
    less: Decimal
    to_player: Decimal
    to_house: Decimal
    currency: str
    codes: list[str]
    findings: int
    notices: int
    decided: int
    state: str


class Wanted(NamedTuple):
    """What is asked for; an empty filter matches all. `state` `todo`: all that is not decided."""

    properties: tuple[str, ...]
    rank: int = 0
    code: str = ""
    table: str = ""
    day: date | None = None
    state: str = "todo"


class Page(NamedTuple):
    """Rows, and whether there are more behind the last."""

    rows: list[Hand]
    more: bool


class News(NamedTuple):
    """Rows that changed, each with whether it is one of those wanted; `since` is where the next look
    begins.
    """

    rows: list[tuple[Hand, bool]]
    since: str
    too_many: bool


_COLUMNS = ", ".join(f'q."{name}"' for name in Hand._fields)
_ORDER = "q.property, q.rank, q.less, q.stream, q.hand"


def page(wanted: Wanted, after: tuple[int, Decimal, str, str] | None = None) -> Page:
    """Return a page of the queue after the place (rank, less, stream, hand) of the last row shown."""
    parts: list[list[Hand]] = [_of_property(wanted, name, after) for name in wanted.properties]
    rows = sorted((row for part in parts for row in part), key=place)
    return Page(rows[:PAGE], len(rows) > PAGE)


def place(row: Hand) -> tuple[int, Decimal, str, str]:
    """Return the place of a row in the queue."""
    return row.rank, row.less, row.stream, row.hand


def _of_property(wanted: Wanted, name: str, after: tuple[int, Decimal, str, str] | None) -> list[Hand]:
    condition, values = _condition(wanted)
    if after is not None:
        condition += " AND (q.rank, q.less, q.stream, q.hand) > (%s, %s, %s, %s)"
        values.extend(after)
    if wanted.state == "todo" and not (wanted.table or wanted.day or wanted.code):
        # each state has its own index entry: three short reads instead of one past all that is decided
        rows: list[Hand] = []
        for state in STATES[:-1]:
            rows += _hands(f"q.property = %s AND q.state = %s AND {condition}", [name, state, *values])
        return rows
    if wanted.state == "todo":
        condition += " AND q.state <> 'decided'"
    return _hands(f"q.property = %s AND {condition}", [name, *values])


def _hands(condition: str, values: Sequence[Any]) -> list[Hand]:
    return [
        Hand._make(row)
        for row in database.rows(
            f"SELECT {_COLUMNS} FROM queued q WHERE {condition} ORDER BY {_ORDER} LIMIT {PAGE + 1}", values
        )
    ]


def _condition(wanted: Wanted) -> tuple[str, list[Any]]:
    """Return what a row must be, besides its property and the state `todo`."""
    parts, values = ["q.rank = %s" if wanted.rank else "q.rank < %s"], [wanted.rank or NOTICE_RANK]
    filters: list[tuple[str, Any]] = [
        ("q.codes @> ARRAY[%s]::text[]", wanted.code),
        ('q."table" = %s', wanted.table),
        ("q.day = %s", wanted.day),
        ("q.state = %s", wanted.state if wanted.state in STATES else ""),
    ]
    for condition, value in filters:
        if value:
            parts.append(condition)
            values.append(value)
    return " AND ".join(parts), values


def now() -> str:
    """Return the moment from which news counts: transactions that it does not see are at or after it."""
    since: str = database.rows("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")[0][0]
    return since


def news(wanted: Wanted, since: str) -> News:
    """Return rows changed since; a row may come twice, and none is missed in any order of commits."""
    condition, values = _condition(wanted)
    if wanted.state == "todo":
        condition += " AND q.state <> 'decided'"
    query = f"""SELECT {_COLUMNS}, ({condition}) FROM queued q
        WHERE q.touched >= %s::xid8 AND q.property = ANY (%s) ORDER BY {_ORDER} LIMIT {NEWS + 1}"""
    on = (
        now()
    )  # before the rows are read: what is committed in between comes twice; after them it would never come
    rows = database.rows(query, [*values, since, list(wanted.properties)])
    return News([(Hand._make(row[:-1]), row[-1]) for row in rows[:NEWS]], on, len(rows) > NEWS)


def counted(wanted: Wanted) -> int:
    """Return how many rows match, counted up to COUNTED."""
    condition, values = _condition(wanted)
    if wanted.state == "todo":
        condition += " AND q.state = ANY ('{open,second,escalated}')"
    query = (
        f"SELECT count(*) FROM (SELECT FROM queued q WHERE q.property = ANY (%s) AND {condition} LIMIT"
        f" {COUNTED}) AS counted"
    )
    number: int = database.rows(query, [list(wanted.properties), *values])[0][0]
    return number


def tables(properties: Sequence[str]) -> list[str]:
    """Return every table that has been examined, for the filter: one step of the index each."""
    query = """WITH RECURSIVE t AS (
        (SELECT property, "table" FROM queued WHERE property = ANY (%s) ORDER BY property, "table" LIMIT 1)
        UNION ALL SELECT n.* FROM t, LATERAL (
            SELECT property, "table" FROM queued q WHERE q.property = ANY (%s)
                AND (q.property, q."table") > (t.property, t."table")
            ORDER BY q.property, q."table" LIMIT 1) n
    ) SELECT "table" FROM t LIMIT 500"""
    return [name for (name,) in database.rows(query, [list(properties), list(properties)])]
