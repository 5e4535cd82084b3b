"""The state of a round of Bet on Teen Patti: two hands of three cards."""

from __future__ import annotations

from games.kit.patti import TwoHands


class BetOnTeenPattiRound(TwoHands):
    """One round of Bet on Teen Patti, from the bets on Player A and Player B to the sixth card."""

    __slots__ = ()

    places = ("a", "b")
    mains = ("player-a", "player-b")
    sides = ("pair-a", "pair-b", "3+3")

    def outcome(self) -> str | None:
        a, b = self.strengths["a"], self.strengths["b"]
        if a is None or b is None:
            return None
        return "a" if a > b else "b" if b > a else "tie"
