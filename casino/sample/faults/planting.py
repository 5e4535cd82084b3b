"""Faults that can be planted. Each is planted in one round of a short stream that is otherwise correct, and
has the findings that it must cause.

A fault is a function that plays the faulty round at a `Day`. Its name is `code` or `code:variant`. `@shared`
registers it for every game whose table satisfies a condition. `listed` registers it for one game, if the
fault's settings depend on the game. `@fault` registers it for the only game that has it. A name that ends in
`honest` or begins with `at-` marks play that is correct and must *not* cause a finding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from casino.sample.tables.day import Day
from casino.sample.tables.table import TABLES, Table

Act = Callable[[Day], None]


@dataclass(frozen=True)
class Plant:
    """One fault: the function that plants it, and the settings of the table where it is planted."""

    name: str
    act: Act
    opening: bool
    """True if the fault is in the opening of the table, and not in a round after a first correct round."""
    house: bool
    settings: dict[str, Any]


FAULTS: dict[str, dict[str, Plant]] = {}
"""For each game: its faults, by name."""


def fault(
    name: str, game: str, *, opening: bool = False, house: bool = False, **settings: Any
) -> Callable[[Act], Act]:
    """Return a decorator that registers a function as the fault `name` at one game. The decorator raises
    ValueError if the game already has a fault with this name.
    """

    def own(act: Act) -> Act:
        if name in FAULTS.setdefault(game, {}):
            raise ValueError(
                f"{name} is already a fault of this game. To plant it differently, first add it to the"
                " game's `lacks`"
            )
        FAULTS[game][name] = Plant(name, act, opening, house, settings)
        return act

    return own


def listed(
    table: type[Table], name: str, act: Act, *, opening: bool = False, house: bool = False, **settings: Any
) -> None:
    """Register a shared fault at one game, unless the game's table names the fault in `lacks`."""
    if name not in table.lacks:
        fault(name, table.game, opening=opening, house=house, **settings)(act)


def every(table: type[Table]) -> bool:
    """Return True for any game."""
    return True


def felt(table: type[Table]) -> bool:
    """Return True for a table with seats and a cage."""
    return not table.studio


def studio(table: type[Table]) -> bool:
    """Return True for a live-dealer table."""
    return table.studio


def from_shoe(table: type[Table]) -> bool:
    """Return True for a table that is shuffled once for each shoe."""
    return not table.every_round


def shared(
    name: str, condition: Callable[[type[Table]], bool] = every, **options: Any
) -> Callable[[Act], Act]:
    """Return a decorator that registers a function as the fault `name` at every game whose table satisfies
    `condition`.
    """

    def everywhere(act: Act) -> Act:
        for table in TABLES.values():
            if condition(table):
                listed(table, name, act, **options)
        return act

    return everywhere


def plant(
    name: str, game: str, seed: int, *, property: str = "aurora", table: str = "", **options: Any
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the facts of a short stream with the fault `name`. Also return the expected findings in a dict
    with the keys `stream` `game` `edition` `seed` `fault` `planted_in` `expect` `also`.

    Facts of the property or of a second table come before or after the facts of the stream. Raises KeyError
    if the game has no such fault.
    """
    planted = FAULTS[game][name]
    table = table or f"{TABLES[game].letters}-{100 + list(FAULTS[game]).index(name)}"
    settings = TABLES[game].exact | planted.settings | options
    day = Day(game, f"{name}/{seed}", property=property, table=table, house=planted.house, **settings)
    day.cut = 26 * day.table.decks
    day.open()
    if not planted.opening:
        day.table.keep(day.table.play())
    first = day.table.rounds + 1
    planted.act(day)
    rounds = [f"r-{number:04d}" for number in range(first, day.table.rounds + 1)]
    if not day.last:
        day.table.keep(day.table.play())
    day.close()
    facts = day.facts()
    parts = {
        "stream": f"{property}/{table}/{day.day.isoformat()}",
        "game": game,
        "edition": day.table.edition,
        "seed": seed,
    }
    return facts, parts | {
        "fault": [name],
        "planted_in": rounds,
        "expect": day.findings(),
        "also": day.findings(optional=True),
    }
