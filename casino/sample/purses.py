"""The players' chips at a felt table: who buys when his chips do not reach, and who walks away with what he
has won.

Hold is what it is because of this: a player turns his chips over several times before he leaves with those
that are left.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from .desk import Draft

NOTE = 10_000
"""Cash comes in hundreds."""
MOST = 1
"""How many stakes a player buys at most beyond what he lays."""
MOVES = {"pay": 1, "take": -1, "corrected": 1}


class Purses:
    """What lies in front of each spot that is not staked. `held` goes on from day to day: a player comes back
    with his chips.
    """

    def __init__(self, rng: Random, held: dict[str, int], leaves: float) -> None:
        """Begin with these purses; `leaves` is the share of players who went home for good in the night with
        their chips.
        """
        self.rng = rng
        self.held = {spot: amount for spot, amount in held.items() if rng.random() >= leaves}

    def buys(self, played: Iterable[Draft]) -> list[tuple[str, int]]:
        """Return who must buy chips before these rounds, and for how much; afterwards the purses hold what
        the rounds left.
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
            # What a dealer took by mistake beyond the stakes is not in the purse: it was never staked.
            self.held[spot] = max(self.held[spot] + won.get(spot, 0), 0)
        return bought


def moved(played: Iterable[Draft]) -> tuple[dict[str, int], dict[str, int]]:
    """Return by spot what was staked in these rounds and what its player won; a void round, whose stakes are
    returned, moves nothing.
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
