"""The wagers of void rounds: what each was worth when the round was voided. If the round was cancelled after
its close, this is what each wager was worth at the close.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from audit import database
from audit.queries.span import DAYS, Span, day_values

DIMENSIONS = {
    "property": "x.property",
    "table": 'x."table"',
    "game": "x.game",
    "days_game": "x.game",
    "day": "x.day::text",
    "month": "to_char(x.day, 'YYYY-MM')",
    "shift": "v.shift",
    "written_hour": "v.hour",
    "dealer": "v.dealer",
    "round": "v.round",
    "spot": "v.spot",
}
"""The dimensions by which void rounds can be grouped, with the same names as for play. Only void rounds can
be grouped by round and spot.
"""


class Voided(NamedTuple):
    """One wager of a void round, with amounts in minor units. `worth` is positive if the player gains, or
    None if nothing was decided.

    Attributes:
        first: True if it is the first wager of its round in its group. This is used to count rounds.
    """

    by: tuple[str, ...]
    currency: str
    first: bool
    refunded: int
    worth: Fraction | None


def voided(span: Span, by: tuple[str, ...]) -> Iterator[Voided]:
    """Yield every wager of the void rounds of a span, with the values of `by`."""
    named = [DIMENSIONS[name] for name in by]
    group = ", ".join((*named, "v.currency", "v.property", "v.stream", "v.number"))
    query = f"""SELECT {", ".join((*named, "v.currency"))}, row_number() OVER (PARTITION BY {group}
        ORDER BY v.spot, v.wager) = 1,
            v.refunded, v.worth
        FROM ({DAYS}) x, LATERAL (SELECT * FROM void_tally t WHERE t.property = x.property
            AND t.stream = x.stream OFFSET 0) v
        ORDER BY v.property, v.stream, v.number, v.spot, v.wager"""
    for *values, currency, first, refunded, worth in database.rows(query, day_values(span)):
        yield Voided(
            tuple(map(str, values)),
            currency,
            first,
            int(refunded),
            None if worth is None else Fraction(worth),
        )
