"""Every fault of a game, planted once with one seed: what must be found is asked for by several tests."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from casino.sample import FAULTS, plant


class Planted(NamedTuple):
    """What planting a fault says must be found."""

    codes: frozenset[str]
    astray: tuple[str, ...]
    """The facts on which something must, or may, be found and which the night does not have."""


@cache
def planted(game: str) -> dict[str, Planted]:
    """Every fault of a game by name."""
    made = {}
    for name in FAULTS[game]:
        facts, said = plant(name, game, seed=1)
        known = {fact["uid"] for fact in facts}
        astray = tuple(each["uid"] for each in said["expect"] + said["also"] if each["uid"] not in known)
        made[name] = Planted(frozenset(each["code"] for each in said["expect"]), astray)
    return made
