"""Read the facts about money after the table (`audit.facts.money_kinds`). They are not part of tallies: they
are in the property's own stream and have an index of their own (migration 0042).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date
from typing import NamedTuple

from audit import database
from audit.facts import decode
from audit.facts.money_kinds import MONEY_KINDS
from audit.queries.span import LAST
from games.kit.events import Event, kind_of

OF_MONEY = """kind IN ('marker-written-off', 'marker-recovered', 'drop-received', 'deposit-sent',
    'deposit-confirmed')"""
"""The condition of the index of these facts. Postgres uses the index only if a query repeats it."""


class MoneyFact(NamedTuple):
    """A fact about money, with its place in the ledger."""

    stream: str
    number: int
    position: int
    event: Event

    @property
    def day(self) -> date:
        """Return the gaming day of the fact."""
        return self.event.day

    @property
    def kind(self) -> str:
        return kind_of(self.event)


_FACTS = f"""SELECT stream, number, position, body FROM fact
    WHERE property = %s AND {OF_MONEY} AND kind = ANY(%s) AND position <= %s
        AND right(stream, 10)::date >= coalesce(%s, '-infinity'::date)
        AND right(stream, 10)::date < coalesce(%s, 'infinity'::date)
    ORDER BY position"""


def money_facts(
    property: str,
    begins: date | None = None,
    ends: date | None = None,
    until: int | None = None,
    kinds: Collection[str] = MONEY_KINDS,
) -> Iterator[MoneyFact]:
    """Yield the facts of these kinds on the gaming days from `begins` to `ends`, exclusive, in the order of
    commit.

    Args:
        until: the last ledger position that is read, or None for all facts.
    """
    values = [property, sorted(kinds), LAST if until is None else until, begins, ends]
    for stream, number, position, body in database.rows(_FACTS, values):
        yield MoneyFact(stream, int(number), position, decode(bytes(body)))
