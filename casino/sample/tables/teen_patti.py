"""Correct rounds of Teen Patti at a live-dealer table, in the order of the Ezugi rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial

from casino.sample.tables.patti import NOTHING, beats, rank, teen_patti
from casino.sample.tables.patti_table import Cards, PattiTable, final_stake
from casino.sample.tables.play import Play, placed
from casino.sample.tables.studio import STUDIO
from casino.sample.tables.table import Case, Dealt

LEAST = (NOTHING, (12, 6, 4))
"""The lowest hand that a sensible player plays: queen, six, four."""


class TeenPattiTable(PattiTable):
    """A live-dealer table where players bet an ante, see their hand, and then play or fold. All players share
    the same hand.
    """

    game = "teen_patti"
    letters = "TP"
    sees = (*STUDIO, "choose")
    acts = ("choose",)
    places = ("player", "dealer")
    mains = ("ante",)
    sides = ("pair-or-better", "3+3")
    wagers = {
        "ante": ("win", "lose", "push"),
        "play": ("win", "lose", "push"),
        "ante-bonus": ("win", "push"),
    } | dict.fromkeys(sides, ("win", "lose"))
    payments = {"ante-bonus": "ante"}
    plain = ("ante", *sides)
    exact = {"chip": 10, "rounding": "exact", "limits": {"*": (100, 100_000)}}
    lacks = frozenset(
        {
            "player-lost:early:honest",
            "player-lost:late:honest",
            "no-such-bet:player-lost",
            "not-settled:player-lost-late",
            "player-back:bets-anew:honest",
            "duplicate-card",
        }
    )

    @classmethod
    def opinion(cls, case: Case) -> dict[str, Fraction]:
        """Return the amount owed on each wager of a test case, computed from both hands and the decision."""
        question, _, answer = case.reading.partition("=")
        answers = {"a23": "lowest", "steel-wheel": "straight-flush"} | {question: answer}
        player, dealer, plays = (
            list(case.cards[:3]),
            list(case.cards[3:]),
            case.decisions.get("ante") == "play",
        )
        stakes = case.stakes | {"ante-bonus": case.stakes.get("ante", 0)}
        return {
            wager: teen_patti(wager, stake, player, dealer, plays, answers["a23"], answers["steel-wheel"])
            for wager, stake in stakes.items()
        }

    def limit(self, wager: str) -> tuple[int, int]:
        """Return the limits of a wager. The limits of the ante leave room for a play wager of the same
        amount.
        """
        low, high = super().limit(wager)
        if wager != "ante":
            return low, high
        play_low, play_high = super().limit("play")
        return max(low, play_low), min(high, play_high)

    def plays(self, play: Play, spot: str) -> bool:
        """Return True if the spot has decided to play or, if it made no decision, has a play wager."""
        facts = [
            fact["choice"] for fact in play.all("choose", spot=spot) if fact["choice"] in ("play", "fold")
        ]
        return facts[0] == "play" if facts else final_stake(play, spot, "play") > 0

    def settlements(self, play: Play) -> Iterator[tuple[str, str, int, Fraction]]:
        player, dealer = self.hands(play)
        for spot, wager, stake in placed(play):
            owed = partial(
                teen_patti, stake=stake, player=player, dealer=dealer, plays=self.plays(play, spot)
            )
            for name in (wager, "ante-bonus") if wager == "ante" else (wager,):
                yield spot, name, stake, owed(name, a23=self.answers[0], steel_wheel=self.answers[1])

    def outcome(self, first: Cards, second: Cards) -> str:
        return {1: "player", -1: "dealer", 0: "tie"}[beats(first, second, self.answers[0])]

    def decide(self, play: Play, lost_spot: str) -> None:
        """Add the players' decisions in random order. A player whose connection is lost folds, with or
        without an announcement by the studio, or comes back and decides.
        """
        spots = [spot for spot, wager, _ in placed(play) if wager == "ante" and spot != lost_spot]
        if lost_spot and self.rng.random() < 0.5:
            play.add("choose", spot=lost_spot, choice="fold", timeout=True)
        elif lost_spot and self.rng.random() < 0.5:
            play.add("player-back", spot=lost_spot)
            spots.append(lost_spot)
        self.rng.shuffle(spots)
        stays = rank(self.hands(play)[0], self.answers[0]) >= LEAST
        self.decisions(play, {spot: stays if self.sensible() else self.rng.random() < 0.65 for spot in spots})

    def decisions(self, play: Play, plays: Mapping[str, bool]) -> None:
        """Add the decision of each player in `plays`. For each player who plays, also add a play wager of the
        same amount as the ante.
        """
        late = []
        for spot, stays in plays.items():
            timeout = {"timeout": True} if not stays and self.rng.random() < 0.4 else {}
            play.add("choose", spot=spot, choice="play" if stays else "fold", **timeout)
            if stays and self.rng.random() < 0.7:
                play.add("bet", spot=spot, wager="play", amount=final_stake(play, spot, "ante"))
            elif stays:
                late.append(spot)
        for spot in late:
            play.add("bet", spot=spot, wager="play", amount=final_stake(play, spot, "ante"))

    def hand(self, wager: str, want: str, stake: int = 0, spot: str = "", stays: bool | None = None) -> Dealt:
        """Play a round in which the wager has the result `want`, such as `win`. Other players bet and decide
        at random. If the result is possible with both decisions, `stays` says whether the spot plays.
        """
        spot = spot or self.account()
        of = "ante" if wager in ("play", "ante-bonus") else wager
        stake = stake or self.amount(of)
        if stays is None:
            stays = (
                wager in ("play", "ante-bonus")
                or (wager == "ante" and want != "lose")
                or self.rng.random() < 0.5
            )
        owed = partial(teen_patti, wager, 1, plays=stays, a23=self.answers[0], steel_wheel=self.answers[1])
        cards = self.searched(
            lambda player, dealer: self.has_result(want, owed(player=player, dealer=dealer))
        )
        bets = {"ante": stake} if of == "ante" else {"ante": self.amount("ante"), wager: stake}
        stakes = self._stakes(without=spot) | {spot: bets}
        others = {other: self.rng.random() < 0.65 for other in stakes} | {spot: stays}
        play = self.play(
            stakes, cards, batch=False, announced=False, decide=lambda play: self.decisions(play, others)
        )
        return self.dealt_for(play, spot, wager)
