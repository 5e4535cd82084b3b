"""Every fault of a game, planted once with one seed, and the findings that several tests expect."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from casino.sample import FAULTS, plant


class Planted(NamedTuple):
    """The findings that a planted fault must have."""

    codes: frozenset[str]
    astray: tuple[str, ...]
    """Uids that expected or allowed findings name although no fact of the night has them."""


@cache
def planted(game: str) -> dict[str, Planted]:
    """Return the expected findings of every fault of a game, by its name."""
    planted_by_name = {}
    for name in FAULTS[game]:
        facts, expectation = plant(name, game, seed=1)
        known = {fact["uid"] for fact in facts}
        astray = tuple(
            expected["uid"]
            for expected in expectation["expect"] + expectation["also"]
            if expected["uid"] not in known
        )
        planted_by_name[name] = Planted(
            frozenset(expected["code"] for expected in expectation["expect"]), astray
        )
    return planted_by_name
