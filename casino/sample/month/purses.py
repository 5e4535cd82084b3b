"""The chips that players have at a table with seats: when a player buys more, and who leaves with the
winnings.

The table's hold depends on this, because a player bets the same chips several times before leaving with the
rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from casino.sample.tables.drafts import Draft

NOTE = 10_000
"""Cash is paid in multiples of this amount, in minor units."""
MOST = 1
"""A player buys the chips that are missing for the stake. The player may also buy further chips: at most this
number times the stake.
"""
MOVES = {"pay": 1, "take": -1, "corrected": 1}


class Purses:
    """The chips of each spot that are not staked. `held` continues from day to day, because a player comes
    back with the same chips.
    """

    def __init__(self, rng: Random, held: dict[str, int], leaves: float) -> None:
        """Begin with the chips in `held`. `leaves` is the share of players who left for good in the night
        with their chips.
        """
        self.rng = rng
        self.held = {spot: amount for spot, amount in held.items() if rng.random() >= leaves}

    def buys(self, played: Iterable[Draft]) -> list[tuple[str, int]]:
        """Return the spots that must buy chips before the rounds in `played`, each with the amount. Update
        the chips of each spot to the amount after these rounds.
        """
        staked, won = moved(played)
        bought = []
        for spot, stake in sorted(staked.items()):
            missing = stake - self.held.get(spot, 0)
            if missing > 0:
                amount = missing + stake * self.rng.randint(0, MOST)
                amount = -(-amount // NOTE) * NOTE
                bought.append((spot, amount))
                self.held[spot] = self.held.get(spot, 0) + amount
            # An amount that a dealer took by mistake in excess of the stake is not subtracted, because it was
            # never staked.
            self.held[spot] = max(self.held[spot] + won.get(spot, 0), 0)
        return bought


def moved(played: Iterable[Draft]) -> tuple[dict[str, int], dict[str, int]]:
    """Return two amounts for each spot: the stakes in these rounds, and the payments minus the takes. A
    voided round counts its stakes, but no payments and takes, because all money is given back.
    """
    facts = list(played)
    dead = {fact["round"] for fact in facts if fact["kind"] == "void"}
    staked: dict[str, int] = {}
    won: dict[str, int] = {}
    for fact in facts:
        kind = fact["kind"]
        if kind in ("bet", "unbet"):
            staked[fact["spot"]] = staked.get(fact["spot"], 0) + (
                fact["amount"] if kind == "bet" else -fact["amount"]
            )
        elif kind in MOVES and fact["round"] not in dead:
            won[fact["spot"]] = won.get(fact["spot"], 0) + MOVES[kind] * fact["amount"]
    return staked, won
