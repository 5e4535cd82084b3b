"""Read the officers' queue for pages: keyset pages by grade and money, and the rows that have changed since a
page was rendered.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple, Protocol

from audit import database
from audit.review.projections import FLAGGED

PAGE = 50
COUNTED = 1000
"""Rows are counted only up to this number. Higher numbers are shown as `1,000 or more`."""
NEWS = 200
"""Maximum number of changed rows that are returned at once. A page with more changes should be reloaded."""
STATES = ("open", "second", "escalated", "decided")
NOTICE_RANK = 5


class Hand(NamedTuple):
    """A row of the queue: a hand with findings. It has the amounts in minor units that went to players and to
    the casino beyond what was owed.
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
    """Filters of the queue. An empty filter matches all rows. The `state` `todo` matches all rows that are
    not decided.
    """

    properties: tuple[str, ...]
    rank: int = 0
    code: str = ""
    table: str = ""
    day: date | None = None
    state: str = "todo"


class Page(NamedTuple):
    """Rows of the queue. `more`: True if further rows follow."""

    rows: list[Hand]
    more: bool


class News(NamedTuple):
    """Rows that have changed, each with True if it matches the filters. Pass `since` to the next call."""

    rows: list[tuple[Hand, bool]]
    since: str
    too_many: bool


_COLUMNS = ", ".join(f'q."{name}"' for name in Hand._fields)
_ORDER = "q.property, q.rank, q.less, q.stream, q.hand"


def page(wanted: Wanted, after: tuple[int, Decimal, str, str] | None = None) -> Page:
    """Return a page of the queue that begins after the row with the key (rank, less, stream, hand)."""
    parts: list[list[Hand]] = [_of_property(wanted, name, after) for name in wanted.properties]
    rows = sorted((row for part in parts for row in part), key=place)
    return Page(rows[:PAGE], len(rows) > PAGE)


def open_hands(property: str, day: date) -> dict[str, int]:
    """Return {table: number of hands} of the hands of a gaming day that have findings without a verdict."""
    rows = database.rows(
        """SELECT q."table", count(*) FROM queued q WHERE q.property = %s AND q.day = %s AND q.rank < %s
            AND q.state <> 'decided' GROUP BY 1""",
        [property, day, NOTICE_RANK],
    )
    return dict(rows)


class NamesHand(Protocol):
    """A row that names a hand with its codes, the worst one first, and the number of its first fact."""

    @property
    def stream(self) -> str:
        """Return the name of its stream."""

    @property
    def hand(self) -> str:
        """Return its name in the queue."""

    @property
    def codes(self) -> list[str]:
        """Return its codes."""

    @property
    def number(self) -> int:
        """Return the number of its first fact."""

    @property
    def property(self) -> str:  # the last member, because from here on the name is no longer the decorator
        """Return its property."""


def worst_sentences(rows: Sequence[NamesHand]) -> list[str]:
    """Return one sentence per row: the sentence of its first finding with the row's worst code, or of its
    flag. If there is neither, the text is empty.
    """
    values = [
        [row.property for row in rows],
        [row.stream for row in rows],
        [row.hand for row in rows],
        [row.codes[0] if row.codes else "" for row in rows],
        [row.number for row in rows],
    ]
    return [str(says) for (says,) in database.rows(_SENTENCES, values)] if rows else []


_SENTENCES = f"""SELECT coalesce(
    (SELECT f.says FROM finding f WHERE f.property = w.property AND f.stream = w.stream AND f.code = w.code
        AND f.number >= w.number AND coalesce(f.round, '#' || f.number) = w.hand ORDER BY f.number LIMIT 1),
    (SELECT 'Flagged by ' || g.by || ': ' || g.why FROM flag g WHERE w.code = '{FLAGGED}'
        AND g.property = w.property AND g.stream = w.stream AND g.round = w.hand
        ORDER BY g.position LIMIT 1), '')
    FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::bigint[])
        WITH ORDINALITY AS w (property, stream, hand, code, number, place) ORDER BY w.place"""


def place(row: Hand) -> tuple[int, Decimal, str, str]:
    """Return the key by which the queue is sorted, for a row."""
    return row.rank, row.less, row.stream, row.hand


def _of_property(wanted: Wanted, name: str, after: tuple[int, Decimal, str, str] | None) -> list[Hand]:
    condition, values = _condition(wanted)
    if after is not None:
        condition += " AND (q.rank, q.less, q.stream, q.hand) > (%s, %s, %s, %s)"
        values.extend(after)
    if wanted.state == "todo" and not (wanted.table or wanted.day or wanted.code):
        # Each state has its own index entries: three short reads replace one that skips everything decided.
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
    """Return the condition for the filters other than the property and the state `todo`."""
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
    """Return a text for a later call of `news`. That call returns the changes of all transactions that are
    not visible now.
    """
    since: str = database.rows("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")[0][0]
    return since


def news(wanted: Wanted, since: str) -> News:
    """Return the rows that have changed since a moment. A row may be returned twice, but none is missed,
    regardless of the order of commits.
    """
    condition, values = _condition(wanted)
    if wanted.state == "todo":
        condition += " AND q.state <> 'decided'"
    query = f"""SELECT {_COLUMNS}, ({condition}) FROM queued q
        WHERE q.touched >= %s::xid8 AND q.property = ANY (%s) ORDER BY {_ORDER} LIMIT {NEWS + 1}"""
    on = now()  # before the rows are read, so that no commit in between is missed
    rows = database.rows(query, [*values, since, list(wanted.properties)])
    return News([(Hand._make(row[:-1]), row[-1]) for row in rows[:NEWS]], on, len(rows) > NEWS)


def counted(wanted: Wanted) -> int:
    """Return the number of rows that match the filters, or COUNTED if there are more."""
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
    """Return all tables that have been examined, for the filter of the page. Each is found with one index
    lookup.
    """
    query = """WITH RECURSIVE t AS (
        (SELECT property, "table" FROM queued WHERE property = ANY (%s) ORDER BY property, "table" LIMIT 1)
        UNION ALL SELECT n.* FROM t, LATERAL (
            SELECT property, "table" FROM queued q WHERE q.property = ANY (%s)
                AND (q.property, q."table") > (t.property, t."table")
            ORDER BY q.property, q."table" LIMIT 1) n
    ) SELECT "table" FROM t LIMIT 500"""
    return [name for (name,) in database.rows(query, [list(properties), list(properties)])]
