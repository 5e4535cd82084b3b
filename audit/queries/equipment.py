"""Find the kinds of facts that the equipment of each table reports, and the days on which it reports them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from msgspec import json

from audit import database
from audit.queries.span import DAYS, Span, day_values


class Sight(NamedTuple):
    """A table, the game with which it was opened, the kinds of facts that its equipment reports, and the days
    on which it was opened in this way.
    """

    table: str
    game: str
    sees: frozenset[str]
    cage: bool
    """True if the cage or the count room recorded a fact for the table on these days."""
    seated: bool
    """True if a hand on these days has a dealer."""
    days: tuple[date, ...]


def sights(span: Span) -> Iterator[Sight]:
    """Yield the kinds of facts that each table reported, with the days, by table. A day may occur twice if
    the table was opened more than once on it.
    """
    query = f"""SELECT "table", opening.value->>1, (opening.value->2)::text, {_HAS_CAGE}, {_IS_SEATED},
        array_agg(DISTINCT day)
        FROM ({DAYS}) AS days, jsonb_array_elements(settings) AS opening (value) GROUP BY 1, 2, 3, 4, 5
            ORDER BY 1, 2, 3, 4, 5"""
    for table, game, sees, cage, seated, days in database.rows(query, day_values(span)):
        yield Sight(table, game, frozenset(json.decode(sees, type=list[str])), cage, seated, tuple(days))


_OF_DAY = "of.property = days.property AND of.stream = days.stream"
_HAS_CAGE = f"EXISTS (SELECT FROM cage_tally of WHERE {_OF_DAY} AND of.kind <> 'corrected' OFFSET 0)"
_IS_SEATED = f"EXISTS (SELECT FROM tally of WHERE {_OF_DAY} AND of.dealer <> '' OFFSET 0)"
"""Without OFFSET 0, the planner would read the tallies of all days of the property into a hash table."""
