"""Every fault of a game, planted once with one seed, and the findings that several tests expect."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from casino.sample import FAULTS, plant


class Planted(NamedTuple):
    """The findings that a planted fault must have."""

    codes: frozenset[str]
    astray: tuple[str, ...]
    """Uids named by expected or allowed findings that no fact of the night has."""


@cache
def planted(game: str) -> dict[str, Planted]:
    """Return the expected findings of every fault of a game, by its name."""
    made = {}
    for name in FAULTS[game]:
        facts, said = plant(name, game, seed=1)
        known = {fact["uid"] for fact in facts}
        astray = tuple(each["uid"] for each in said["expect"] + said["also"] if each["uid"] not in known)
        made[name] = Planted(frozenset(each["code"] for each in said["expect"]), astray)
    return made
