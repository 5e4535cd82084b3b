"""Which kinds of fact the equipment of each table reports, and on which days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from msgspec import json

from audit import database
from audit.queries.span import DAYS, Span, day_values


class Sight(NamedTuple):
    """A table that was opened with a game and with equipment that reports these kinds, and the days on which
    it was.
    """

    table: str
    game: str
    sees: frozenset[str]
    cage: bool
    """True if the cage or the count room recorded a fact on these days."""
    seated: bool
    """True if a hand of these days has a dealer."""
    days: tuple[date, ...]


def sights(span: Span) -> Iterator[Sight]:
    """Yield which kinds every table reported on which days, by table. A day on which the table was opened
    more than once may be repeated.
    """
    query = f"""SELECT "table", opening.value->>1, (opening.value->2)::text, {_HAS_CAGE}, {_IS_SEATED},
        array_agg(DISTINCT day)
        FROM ({DAYS}) AS days, jsonb_array_elements(settings) AS opening (value) GROUP BY 1, 2, 3, 4, 5
            ORDER BY 1, 2, 3, 4, 5"""
    for table, game, sees, cage, seated, days in database.rows(query, day_values(span)):
        yield Sight(table, game, frozenset(json.decode(sees, type=list[str])), cage, seated, tuple(days))


_OF_DAY = "of.property = days.property AND of.stream = days.stream"
_HAS_CAGE = f"EXISTS (SELECT FROM cage_tally of WHERE {_OF_DAY} AND of.kind <> 'corrected')"
_IS_SEATED = f"EXISTS (SELECT FROM tally of WHERE {_OF_DAY} AND of.dealer <> '')"
