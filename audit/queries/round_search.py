"""Search finished rounds by the columns of `round_tally`. The module reads a page of the results, their
totals, and the values that can narrow the search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from audit import database
from audit.facts.input_parsing import whole

MOST = 2_000
"""Maximum number of rounds that are counted and added up. Higher numbers are shown as `2,000 or more`."""
SAMPLE = 500
"""Maximum number of rounds from which offered values are read, if the user has typed no name of a filter.
Values of several filters are then offered together.
"""
OFFERED = 12
"""Maximum number of values that are offered at once."""


class Condition(NamedTuple):
    """SQL condition on a round `r`, with the values of its placeholders."""

    sql: str
    values: tuple[Any, ...]


class Search(NamedTuple):
    """A search in one property.

    Attributes:
        order: a key of ORDERS.
    """

    property: str
    conditions: tuple[Condition, ...] = ()
    order: str = "opened"
    descending: bool = True


class Found(NamedTuple):
    """A round in the results of a search. Amounts are in minor units.

    Attributes:
        rank: the rank of the gravest grade of the round's findings and flags, or 0 if it has none.
    """

    property: str
    stream: str
    number: int
    hand: str
    """The name of the round."""
    table: str
    day: date
    game: str
    shift: str
    dealer: str
    supervisor: str
    opened_at: datetime
    ended_at: datetime
    voided: bool
    currency: str
    bets: int
    staked: Decimal
    paid: Decimal
    taken: Decimal
    returned: Decimal
    spots: list[str]
    players: list[str]
    wagers: list[str]
    outcomes: list[str]
    cards: list[str]
    rank: int
    codes: list[str]
    state: str
    to_player: Decimal
    to_house: Decimal
    verdicts: list[str]
    officers: list[str]
    difference: Decimal


class Total(NamedTuple):
    """The number of rounds in the results of a search, and the money in their findings in minor units, in one
    currency.
    """

    currency: str
    rounds: int
    to_player: Decimal
    to_house: Decimal


class Offer(NamedTuple):
    """A value of a filter, with the number of rounds that have it."""

    name: str
    value: str
    rounds: int


def equals(column: str, values: Sequence[Any]) -> Condition:
    """Return the condition that a column has one of these values."""
    if len(values) == 1:
        return Condition(f'r."{column}" = %s', (values[0],))
    return Condition(f'r."{column}" = ANY (%s)', (list(values),))


def contains(column: str, values: Sequence[str]) -> Condition:
    """Return the condition that the list in a column has at least one of these values."""
    sign = "@>" if len(values) == 1 else "&&"
    return Condition(f'r."{column}" {sign} %s::text[]', (list(values),))


def at_least(column: str, amount: int, currency: str) -> Condition:
    """Return the condition that an amount in minor units is at least this much, in this currency."""
    return Condition(f'r."{column}" >= %s AND r.currency = %s', (amount, currency))


def within(column: str, begins: Any, ends: Any) -> Condition:
    """Return the condition that a date or an instant is in a range. The range includes `begins` but not
    `ends`. None means no limit.
    """
    if type(begins) is date and ends == begins + timedelta(days=1):
        return Condition(f'r."{column}" = %s', (begins,))  # one day is read in the order of an index
    limits = [(sign, limit) for sign, limit in ((">=", begins), ("<", ends)) if limit is not None]
    sql = " AND ".join(f'r."{column}" {sign} %s' for sign, _ in limits)
    return Condition(sql or "true", tuple(limit for _, limit in limits))


def at_tables(places: Sequence[tuple[str, date, date]]) -> Condition:
    """Return the condition that a round was played at one of these tables, in one of its ranges of gaming
    days. The end of a range is not included.
    """
    tables, begins, ends = ([place[part] for place in places] for part in range(3))
    sql = """r."table" = ANY (%s) AND EXISTS (
        SELECT FROM unnest(%s::text[], %s::date[], %s::date[]) AS p (name, begins, ends)
        WHERE p.name = r."table" AND p.begins <= r.day AND r.day < p.ends)"""
    return Condition(sql, (sorted(set(tables)), tables, begins, ends))


class _Part(NamedTuple):
    """A column by which an order sorts: its name, its SQL type, and the functions that convert its value to
    text and back. A key contains these texts.
    """

    column: str
    cast: str
    write: Callable[[Any], Any]
    read: Callable[[str], Any]


def _instant(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError("an instant must have a UTC offset")
    return at


def _number(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise ValueError("not a number") from None
    if not number.is_finite() or abs(number) >= 10**60:
        raise ValueError("not a number")
    return number


def _integer(text: str) -> int:
    number = whole(text, 18)
    if number is None:
        raise ValueError("not a whole number")
    return number


def _text(text: str) -> str:
    if "\0" in text:
        raise ValueError("not a text")
    return text


_OPENED = _Part("opened_at", "timestamptz", lambda at: at.astimezone(UTC).isoformat(), _instant)
_TABLE, _DEALER = (_Part(name, "text", str, _text) for name in ("table", "dealer"))
_STAKED, _DIFFERENCE = (_Part(name, "numeric", str, _number) for name in ("staked", "difference"))
_PLACE = (_Part("stream", "text", str, _text), _Part("number", "bigint", str, _integer))
ORDERS: dict[str, tuple[_Part, ...]] = {
    "opened": (_OPENED, *_PLACE),
    "table": (_TABLE, _OPENED, *_PLACE),
    "dealer": (_DEALER, _OPENED, *_PLACE),
    "staked": (_STAKED, *_PLACE),
    "difference": (_DIFFERENCE, *_PLACE),
}
"""For each order: the columns of its key. Every order has an index, and no two rounds have the same key."""


def key_of(row: Found, order: str) -> list[str]:
    """Return the key of a round in an order, as a list of texts."""
    return [part.write(getattr(row, part.column)) for part in ORDERS[order]]


def parse_key(texts: Sequence[Any], order: str) -> list[Any]:
    """Convert the texts of a key from `key_of` back to values. Raise ValueError if they are not a key of this
    order.
    """
    parts = ORDERS[order]
    if len(texts) != len(parts) or not all(isinstance(text, str) for text in texts):
        raise ValueError("not a key of this order")
    return [part.read(text) for part, text in zip(parts, texts, strict=True)]


def page(
    search: Search, size: int, after: Sequence[Any] | None = None, *, is_selective: bool = False
) -> list[Found]:
    """Return at most `size` rounds of a search that follow the key `after`. If further rounds follow, the
    result has one extra round.

    Args:
        is_selective: True if the caller knows that few rounds match. All matching rounds are then read and
            sorted, because it would take longer to read all rounds in order until enough of them match.
    """
    condition, values = _where(search)
    parts = ORDERS[search.order]
    if after is not None:
        keys = ", ".join(f'r."{part.column}"' for part in parts)
        marks = ", ".join(f"%s::{part.cast}" for part in parts)
        condition += f" AND ({keys}) {'<' if search.descending else '>'} ({marks})"
        values.extend(after)
    order = ", ".join(f'r."{part.column}"{" DESC" if search.descending else ""}' for part in parts)
    source = f"round_tally r WHERE {condition}"
    if is_selective:
        query = f"WITH r AS MATERIALIZED (SELECT r.* FROM {source}) SELECT {_COLUMNS} FROM r"
    else:
        query = f"SELECT {_COLUMNS} FROM {source}"
    query += f" ORDER BY {order} LIMIT %s"
    return list(map(Found._make, database.rows(query, [*values, size + 1])))


def totals(search: Search) -> list[Total]:
    """Return the number of rounds and their money for each currency. At most MOST rounds are counted. If the
    result is MOST, there may be more.
    """
    condition, values = _where(search)
    by_state = [part.sql for part in search.conditions] == [equals("state", [""]).sql]
    # This is the order of the index of states. Without it, the planner may read all rounds.
    order = "ORDER BY r.opened_at" if by_state else ""
    query = f"""SELECT currency, count(*), sum(to_player), sum(to_house) FROM (
            SELECT currency, to_player, to_house FROM round_tally r WHERE {condition} {order} LIMIT {MOST}
        ) counted GROUP BY currency ORDER BY 2 DESC, 1"""
    return list(map(Total._make, database.rows(query, values)))


def offers(search: Search, names: Sequence[str], typed: str) -> tuple[list[Offer], bool]:
    """Return the most frequent values of these columns that begin with the typed text, each with the number
    of rounds that have it. Also return True if all rounds of the search were counted. Upper and lower case
    letters are treated as equal.

    Args:
        names: keys of OFFERING.
    """
    condition, values = _where(search)
    limit = MOST if len(names) == 1 else SAMPLE
    lists = ", ".join(f"('{name}', {OFFERING[name]})" for name in names)
    query = f"""WITH r AS MATERIALIZED (SELECT r.* FROM round_tally r WHERE {condition} LIMIT {limit}),
        counted AS (
            SELECT o.name, v.value, count(*) AS rounds
            FROM r, LATERAL (VALUES {lists}) AS o (name, values), LATERAL unnest(o.values) AS v (value)
            WHERE starts_with(lower(v.value), lower(%s)) GROUP BY 1, 2
        )
        SELECT name, value, rounds, (SELECT count(*) FROM r) FROM counted
        ORDER BY rounds DESC, name, value LIMIT {OFFERED}"""
    rows = database.rows(query, [*values, typed])
    return [Offer(*row[:3]) for row in rows], not rows or rows[0][3] < limit


OFFERING = {
    **{name: f"ARRAY[r.{name}]" for name in ("dealer", "supervisor", "shift", "game", "state")},
    "table": 'ARRAY[substr(r."table", length(r.property) + 2)]',
    **{
        name: f"r.{column}"
        for name, column in (
            ("spot", "spots"),
            ("player", "players"),
            ("wager", "wagers"),
            ("outcome", "outcomes"),
            ("card", "cards"),
            ("code", "codes"),
            ("verdict", "verdicts"),
            ("officer", "officers"),
        )
    },
}
"""For each filter that can offer values: SQL for the array of values that a round `r` has for this filter."""


def not_summarized(property: str) -> int:
    """Return the number of gaming days of tables whose rounds cannot be searched yet, because an earlier
    release examined these days and stored no rounds for the search. `manage.py reexamine` stores the rounds.
    """
    query = """SELECT count(*) FROM examination x WHERE x.property = %s AND x.cursor > 0
        AND EXISTS (SELECT FROM tally t WHERE t.property = x.property AND t.stream = x.stream AND t.wager = ''
            AND t.rounds > 0)
        AND NOT EXISTS (SELECT FROM round_tally r WHERE r.property = x.property AND r.stream = x.stream)"""
    number: int = database.rows(query, [property])[0][0]
    return number


_COLUMNS = ", ".join("r.round AS hand" if name == "hand" else f'r."{name}"' for name in Found._fields)


def _where(search: Search) -> tuple[str, list[Any]]:
    conditions = [Condition("r.property = %s", (search.property,)), *search.conditions]
    return (
        " AND ".join(f"({condition.sql})" for condition in conditions),
        [value for condition in conditions for value in condition.values],
    )
