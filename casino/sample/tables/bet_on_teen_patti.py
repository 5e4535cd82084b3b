"""Correct rounds of Bet on Teen Patti at a live-dealer table, in the order of the Ezugi rules."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from casino.sample.tables.patti import BET_WAGERS, beats, bet_on_teen_patti
from casino.sample.tables.patti_table import Cards, PattiTable
from casino.sample.tables.play import Play, placed
from casino.sample.tables.table import Case, Dealt


class BetTable(PattiTable):
    """A table where players bet on Player A, on Player B, or on both."""

    game = "bet_on_teen_patti"
    letters = "BTP"
    places = ("a", "b")
    mains = ("player-a", "player-b")
    sides = ("pair-a", "pair-b", "3+3")
    editions = ("ezugi", "ezugi-0.95")
    wagers = {
        wager: ("win", "lose", "push") if wager.startswith("player-") else ("win", "lose")
        for wager in BET_WAGERS
    }
    plain = BET_WAGERS
    step = 100
    exact = {"chip": 10, "rounding": "exact", "limits": {"*": (1_000, 100_000)}}
    uneven = ("player-a", "win", 1_150, {"edition": "ezugi", "chip": 50})

    lacks = frozenset({"duplicate-card"})

    @classmethod
    def opinion(cls, case: Case) -> dict[str, Fraction]:
        """Return the amount owed on each wager of a test case, computed from the two hands."""
        question, _, answer = case.reading.partition("=")
        answers = {"a23": "lowest", "steel-wheel": "straight-flush"} | {question: answer}
        a, b = list(case.cards[:3]), list(case.cards[3:])
        return {
            wager: bet_on_teen_patti(wager, stake, a, b, case.edition, answers["a23"], answers["steel-wheel"])
            for wager, stake in case.stakes.items()
        }

    def settlements(self, play: Play) -> Iterator[tuple[str, str, int, Fraction]]:
        a, b = self.hands(play)
        for spot, wager, stake in placed(play):
            yield spot, wager, stake, bet_on_teen_patti(wager, stake, a, b, self.edition, *self.answers)

    def outcome(self, first: Cards, second: Cards) -> str:
        return {1: "a", -1: "b", 0: "tie"}[beats(first, second, self.answers[0])]

    def hand(self, wager: str, want: str, stake: int = 0, spot: str = "") -> Dealt:
        """Play a round in which the wager has the result `want`, such as `win`. Other players bet at
        random.
        """
        spot, stake = spot or self.account(), stake or self.amount(wager)
        cards = self.searched(
            lambda a, b: self.has_result(want, bet_on_teen_patti(wager, 1, a, b, self.edition, *self.answers))
        )
        other_bets = {} if wager in self.mains else {(main := self.rng.choice(self.mains)): self.amount(main)}
        play = self.play(
            self._stakes(without=spot) | {spot: other_bets | {wager: stake}},
            cards,
            batch=False,
            announced=False,
        )
        return self.dealt_for(play, spot, wager)
