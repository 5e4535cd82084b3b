"""Read the officers' queue for pages. The module offers keyset pages in several orders, the rows that have
changed since a page was rendered, and the number of hands that need a verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple, Protocol

from audit import database
from audit.review.projections import FLAGGED
from audit.review.queue_money import AMOUNTS, MONEY, MoneyTotal

PAGE = 50
COUNTED = 1000
"""Rows are counted only up to this number. Higher numbers are shown as `1,000 or more`."""
NEWS = 200
"""Maximum number of changed rows that are returned at once. A page with more changes should be reloaded."""
STATES = ("open", "second", "escalated", "decided")
SNOOZED = "snoozed"
"""The state filter for hands without a verdict that are snoozed."""
NOTICE_RANK = 5
WAITS = f"q.state <> 'decided' AND q.rank < {NOTICE_RANK}"
"""SQL condition that selects hands that need a verdict. Such a hand has a finding other than a notice, and at
least one of its findings is not decided. Snoozed hands are included. The queue, the floor, the admin and the
closing of a day all count hands by this condition.
"""
AWAKE = "(q.until IS NULL OR q.until <= now())"
"""SQL condition for a hand that is not snoozed now."""
WOKEN = "2 minutes"
"""How long after the end of a snooze `news` still returns the row, so that no page misses it."""


class Hand(NamedTuple):
    """A row of the queue: a hand with findings. `to_player` and `to_house` are what players and the casino
    received beyond the amounts owed, in minor units.
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
    owner: str
    until: datetime | None


class Wanted(NamedTuple):
    """Filters of the queue. An empty filter matches all rows. The value `todo` of `state` matches all rows
    that are neither decided nor snoozed.

    Attributes:
        owner: a staff ID, an empty text for hands without an owner, or None for all hands.
        sort: a key of ORDERS.
        property: the property that the user chose, or empty text for all of `properties`.
        currency: only hands at tables with this currency.
        money: a key of MONEY, or empty text for hands with and without amounts.
    """

    properties: tuple[str, ...]
    rank: int = 0
    code: str = ""
    table: str = ""
    day: date | None = None
    state: str = "todo"
    owner: str | None = None
    sort: str = "grade"
    property: str = ""
    currency: str = ""
    money: str = ""


class Page(NamedTuple):
    """Rows of the queue.

    Attributes:
        more: True if further rows follow.
    """

    rows: list[Hand]
    more: bool


class News(NamedTuple):
    """Rows that have changed, each with True if it matches the filters. Pass `since` to the next call."""

    rows: list[tuple[Hand, bool]]
    since: str
    too_many: bool


Key = tuple[Any, ...]
"""The key of a row in an order. The next page begins after the row with this key."""


class Order(NamedTuple):
    """An order of the queue: its columns, and whether the largest key is first."""

    columns: tuple[str, ...]
    descending: bool = False

    def key(self, row: Hand) -> Key:
        """Return the key by which a row is sorted."""
        return tuple(getattr(row, name) for name in self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        """Return SQL for the columns."""
        return tuple(f'q."{name}"' for name in self.columns)

    @property
    def sql(self) -> str:
        """Return SQL for ORDER BY."""
        return ", ".join(f"{name} DESC" if self.descending else name for name in self.names)


ORDERS = {
    "grade": Order(("rank", "less", "stream", "hand")),
    "money": Order(("less", "stream", "hand")),
    "time": Order(("at", "stream", "hand"), descending=True),
    "oldest": Order(("at", "stream", "hand")),
    "table": Order(("table", "at", "stream", "hand")),
}
"""The orders that a page offers: the gravest grade, the largest amount, the latest or the earliest fact
first, or by table.
"""
_COLUMNS = ", ".join(f'q."{name}"' for name in Hand._fields)


def page(wanted: Wanted, after: Key | None = None) -> Page:
    """Return a page of the queue that begins after the row with this key of the wanted order."""
    parts: list[list[Hand]] = [_of_property(wanted, name, after) for name in wanted.properties]
    order = ORDERS[wanted.sort]
    rows = sorted((row for part in parts for row in part), key=order.key, reverse=order.descending)
    return Page(rows[:PAGE], len(rows) > PAGE)


class Waiting(NamedTuple):
    """The hands of one table that need a verdict, and their gravest rank."""

    hands: int
    rank: int


def waiting(property: str, day: date | None = None) -> dict[str, Waiting]:
    """Return {table: number of its hands that need a verdict, and the rank of the gravest of them}.

    Findings that concern no table, such as a missing slip, are under `property/house`.

    Args:
        day: only hands of this gaming day; by default, hands of all days.
    """
    query = f"""SELECT q."table", count(*), min(q.rank) FROM queued q WHERE q.property = %s AND {WAITS}
        AND (%s::date IS NULL OR q.day = %s) GROUP BY 1"""
    return {table: Waiting(*values) for table, *values in database.rows(query, [property, day, day])}


class NamesHand(Protocol):
    """A row that names a hand, the codes of its findings (the worst first), and the number of its
    first fact.
    """

    @property
    def stream(self) -> str:
        """Return the name of the hand's stream."""

    @property
    def hand(self) -> str:
        """Return the name of the hand in the queue."""

    @property
    def codes(self) -> list[str]:
        """Return the codes of the hand's findings, the worst first."""

    @property
    def number(self) -> int:
        """Return the number of the hand's first fact."""

    @property
    def property(self) -> str:  # This must be the last member, because it replaces the decorator `property`.
        """Return the property of the hand."""


def worst_sentences(rows: Sequence[NamesHand]) -> list[str]:
    """Return one sentence for each row: the sentence of its first finding that has the row's worst code, or
    the sentence of its flag. The text is empty if the row has neither.
    """
    values = [
        [row.property for row in rows],
        [row.stream for row in rows],
        [row.hand for row in rows],
        [row.codes[0] if row.codes else "" for row in rows],
        [row.number for row in rows],
    ]
    return [str(says) for (says,) in database.prepared_rows(_SENTENCES, values)] if rows else []


_SENTENCES = f"""SELECT coalesce(
    (SELECT f.says FROM finding f WHERE f.property = w.property AND f.stream = w.stream AND f.code = w.code
        AND f.number >= w.number AND coalesce(f.round, '#' || f.number) = w.hand ORDER BY f.number LIMIT 1),
    (SELECT 'Flagged by ' || g.by || ': ' || g.why FROM flag g WHERE w.code = '{FLAGGED}'
        AND g.property = w.property AND g.stream = w.stream AND g.round = w.hand
        ORDER BY g.position LIMIT 1), '')
    FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::bigint[])
        WITH ORDINALITY AS w (property, stream, hand, code, number, place) ORDER BY w.place"""


def place(row: Hand, sort: str = "grade") -> Key:
    """Return the key of a row in the order `sort` of the queue. The page after this row begins after it."""
    return ORDERS[sort].key(row)


def _of_property(wanted: Wanted, name: str, after: Key | None) -> list[Hand]:
    order = ORDERS[wanted.sort]
    condition, values = _condition(wanted)
    if wanted.state == "todo":
        condition += f" AND {AWAKE}"
    if after is not None:
        keys = ", ".join("%s" for _ in after)
        condition += f" AND ({', '.join(order.names)}) {'<' if order.descending else '>'} ({keys})"
        values.extend(after)
    if wanted.state == "todo" and not (wanted.table or wanted.day or wanted.code or wanted.owner is not None):
        # Each state has its own index entries: three short reads replace one that skips everything decided.
        of_states = [
            (f"q.property = %s AND q.state = %s AND {condition}", [name, state, *values])
            for state in STATES[:-1]
        ]
        return _hands(of_states, order)
    if wanted.state == "todo":
        condition += " AND q.state <> 'decided'"
    return _hands([(f"q.property = %s AND {condition}", [name, *values])], order)


def _hands(parts: Sequence[tuple[str, list[Any]]], order: Order) -> list[Hand]:
    """Return one page of rows for each condition, with a single query.

    Args:
        parts: each condition with its values.
    """
    query = " UNION ALL ".join(
        f"(SELECT {_COLUMNS} FROM queued q WHERE {condition} ORDER BY {order.sql} LIMIT {PAGE + 1})"
        for condition, _ in parts
    )
    return [
        Hand._make(row) for row in database.rows(query, [value for _, values in parts for value in values])
    ]


def chosen(property: str, names: Sequence[tuple[str, str]]) -> list[Hand]:
    """Return the rows of these hands, given as (stream, hand), in this order. Hands without a row are left
    out.
    """
    streams, hands = [stream for stream, _ in names], [hand for _, hand in names]
    query = f"""SELECT {_COLUMNS} FROM unnest(%s::text[], %s::text[]) WITH ORDINALITY w (stream, hand, place)
        JOIN queued q ON q.property = %s AND q.stream = w.stream AND q.hand = w.hand ORDER BY w.place"""
    return [Hand._make(row) for row in database.rows(query, [streams, hands, property])]


def _condition(wanted: Wanted) -> tuple[str, list[Any]]:
    """Return the condition for the filters other than the property and the state `todo`."""
    parts = ["q.rank = %s" if wanted.rank else "q.rank < %s"]
    values: list[Any] = [wanted.rank or NOTICE_RANK]
    filters: list[tuple[str, Any]] = [
        ("q.codes @> ARRAY[%s]::text[]", wanted.code),
        ('q."table" = %s', wanted.table),
        ("q.day = %s", wanted.day),
        ("q.state = %s", wanted.state if wanted.state in STATES else ""),
        ("q.currency = %s", wanted.currency),
    ]
    for condition, value in filters:
        if value:
            parts.append(condition)
            values.append(value)
    if wanted.owner is not None:
        parts.append("q.owner = %s")
        values.append(wanted.owner)
    if wanted.money:
        parts.append(MONEY[wanted.money])
    if wanted.state == SNOOZED:
        parts.append(f"q.state <> 'decided' AND NOT {AWAKE}")
    return " AND ".join(parts), values


def now() -> str:
    """Return a text that marks the present moment. A later call of `news` with this text returns all changes
    that other transactions commit after this moment.
    """
    since: str = database.rows("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")[0][0]
    return since


def news(wanted: Wanted, since: str) -> News:
    """Return the rows that have changed since a moment, and those whose snooze has just ended. A row may be
    returned twice, but none is missed, regardless of the order of commits.
    """
    condition, values = _condition(wanted)
    if wanted.state == "todo":
        condition += f" AND q.state <> 'decided' AND {AWAKE}"
    query = f"""SELECT {_COLUMNS}, ({condition}) FROM (
            SELECT * FROM queued WHERE touched >= %s::xid8
            UNION ALL SELECT * FROM queued WHERE property = ANY (%s) AND until > now() - interval '{WOKEN}'
                AND until <= now() AND state <> 'decided' AND touched < %s::xid8) q
        WHERE q.property = ANY (%s) ORDER BY {ORDERS[wanted.sort].sql} LIMIT {NEWS + 1}"""
    on = now()  # before the rows are read, so that no commit in between is missed
    places = list(wanted.properties)
    rows = database.rows(query, [*values, since, places, since, places])
    return News([(Hand._make(row[:-1]), row[-1]) for row in rows[:NEWS]], on, len(rows) > NEWS)


def counted(wanted: Wanted) -> int:
    """Return the number of rows that match the filters, or COUNTED if there are more. For the state `todo`,
    snoozed hands are counted too, because they also need a verdict.
    """
    return counts([wanted])[0]


def counts(filters: Sequence[Wanted]) -> tuple[int, ...]:
    """Return the number that `counted` returns for each of these filters, with a single query."""
    queries: list[str] = []
    all_values: list[Any] = []
    for wanted in filters:
        condition, values = _counted_condition(wanted)
        queries.append(
            f"(SELECT count(*) FROM (SELECT FROM queued q WHERE q.property = ANY (%s) AND {condition} LIMIT"
            f" {COUNTED}) AS counted)"
        )
        all_values += [list(wanted.properties), *values]
    return database.rows(f"SELECT {', '.join(queries)}", all_values)[0]


def _counted_condition(wanted: Wanted) -> tuple[str, list[Any]]:
    """Return the condition for all filters. The state `todo` includes snoozed hands."""
    condition, values = _condition(wanted)
    return (
        f"{condition} AND q.state = ANY ('{{open,second,escalated}}')"
        if wanted.state == "todo"
        else condition,
        values,
    )


def money_totals(wanted: Wanted) -> list[MoneyTotal]:
    """Return the amounts of all rows that match the filters, by currency. As in `counted`, the state `todo`
    includes snoozed hands. If the filter for money chooses one kind of amount, the other kinds are 0.
    """
    condition, values = _counted_condition(wanted)
    sums = [
        f"sum(q.{column}) FILTER (WHERE {MONEY[kind]})" if wanted.money in ("", "any", kind) else "0"
        for kind, column in AMOUNTS.items()
    ]
    query = f"""SELECT q.currency, {", ".join(f"coalesce({part}, 0)" for part in sums)} FROM queued q
        WHERE q.property = ANY (%s) AND q.currency <> '' AND {condition} GROUP BY 1 ORDER BY 1"""
    return [
        MoneyTotal(*row) for row in database.rows(query, [list(wanted.properties), *values]) if any(row[1:])
    ]


def tables(properties: Sequence[str]) -> list[str]:
    """Return the names of the casino tables that have hands in the queue, for a filter of the page. At most
    500 are returned. Each is found with one index lookup.
    """
    query = """WITH RECURSIVE t AS (
        (SELECT property, "table" FROM queued WHERE property = ANY (%s) ORDER BY property, "table" LIMIT 1)
        UNION ALL SELECT n.* FROM t, LATERAL (
            SELECT property, "table" FROM queued q WHERE q.property = ANY (%s)
                AND (q.property, q."table") > (t.property, t."table")
            ORDER BY q.property, q."table" LIMIT 1) n
    ) SELECT "table" FROM t LIMIT 500"""
    return [name for (name,) in database.rows(query, [list(properties), list(properties)])]
