"""Faults to plant: each in a round of an otherwise honest short stream, with what must be found there.

A plant is a function that plays the faulty round at a `Day`. It is listed by `@fault` under its name,
`code` or `code:variant`; a name that ends in `honest` or begins with `at-` shows what must *not* be found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .day import GAMES, Day

Act = Callable[[Day], None]
EXACT: dict[str, dict[str, Any]] = {
    "easy_over_under": {"chip": 100, "rounding": "exact", "decks": 6, "limits": {"*": (1_000, 50_000)}},
    "andar_bahar": {"chip": 10, "rounding": "exact", "limits": {"*": (100, 100_000)}},
}
CODES = {"easy_over_under": "EOU", "andar_bahar": "AB"}


@dataclass(frozen=True)
class Plant:
    """One fault: what is done, at what table."""

    name: str
    act: Act
    opening: bool
    """Acts on the opening instead of after a first honest round."""
    house: bool
    settings: dict[str, Any]


FAULTS: dict[str, dict[str, Plant]] = {game: {} for game in GAMES}


def fault(name: str, *games: str, opening: bool = False, house: bool = False, **settings: Any) -> Callable[[Act], Act]:
    """List a function as the plant of that name, at both games if none is named."""

    def listed(act: Act) -> Act:
        for game in games or GAMES:
            FAULTS[game][name] = Plant(name, act, opening, house, settings)
        return act

    return listed


def plant(
    name: str, game: str, seed: int, *, property: str = "aurora", table: str = "", **options: Any
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The facts of a short night with that fault, and its expectation as in the shared nights: `stream` `game` `edition` `seed`
    `fault` `planted_in` `expect` `also`. Facts of the house or of a second table stand before or after. `KeyError`: no such fault."""
    planted = FAULTS[game][name]
    table = table or f"{CODES[game]}-{100 + list(FAULTS[game]).index(name)}"
    made = Day(game, f"{name}/{seed}", property=property, table=table, house=planted.house, **(EXACT[game] | planted.settings | options))
    made.cut = 26 * made.table.decks
    made.open()
    if not planted.opening:
        made.table.keep(made.table.play())
    first = made.table.rounds + 1
    planted.act(made)
    rounds = [f"r-{number:04d}" for number in range(first, made.table.rounds + 1)]
    if not made.last:
        made.table.keep(made.table.play())
    made.close()
    facts = made.facts()
    said = {"stream": f"{property}/{table}/{made.day.isoformat()}", "game": game, "edition": made.table.edition, "seed": seed}
    return facts, said | {"fault": [name], "planted_in": rounds, "expect": made.findings(), "also": made.findings(also=True)}
