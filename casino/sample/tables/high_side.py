"""Correct rounds of High Side, in the order of the rules of play. What they pay is computed here
independently of `games`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from casino.sample.tables.drafts import Draft
from casino.sample.tables.play import Play, Stakes, placed
from casino.sample.tables.settling import RANKS, pip
from casino.sample.tables.table import EVERY_TABLE, Case, Dealt, Table, end_of

SIDES = {"dice": ("dice-1", "dice-2", "dice-3"), "card": ("card-1", "card-2", "card-3")}
MAINS = SIDES["dice"] + SIDES["card"]
# For each pay table of the Bonus: the odds (to one) for margins of six and more. The pay table `felt` is
# printed on the layout, but no letter of the regulator approves it.
MARGINS = {
    "1": (1, 2, 4, 6, 10, 15),
    "2": (1, 2, 3, 5, 10, 30),
    "3": (1, 2, 4, 5, 10, 20),
    "4": (1, 2, 3, 5, 10, 25),
    "felt": (1, 2, 3, 5, 10, 20),
}
Decisions = dict[str, tuple[str, str]]
"""For each spot: the decisions on its first and its second wager, `keep` or `pull`."""


def high(wager: str, stake: int, dice: tuple[int, int], card: str, pay_table: str, tie: str) -> Fraction:
    """Return the amount owed on a wager at High Side that was not withdrawn. The amount is computed from the
    manual alone, independently of `games`.
    """
    roll, value = sum(dice), pip(card)
    if wager == "bonus":
        margin = max(roll, value) - min(roll, value)
        return Fraction(stake * MARGINS[pay_table][margin - 6] if margin >= 6 else -stake)
    side, number = wager.split("-")
    if roll == 7 and number != "1":
        return Fraction(-stake)
    if roll == value:
        return Fraction(0 if tie == "push" else -stake)
    return Fraction(stake if side == ("dice" if roll > value else "card") else -stake)


class HighSideTable(Table):
    """A table with a layout of six seats, two cups with a die each, and a shoe of six decks."""

    game = "high_side"
    letters = "HS"
    seats = 6
    only_decks = 6
    sees = (*EVERY_TABLE, "choose", "cut-card-shown", "pull", "roll", "shake")
    acts = ("choose", "pull", "roll", "shake")
    places = ("community",)
    wagers = dict.fromkeys(MAINS, ("win", "lose", "push")) | {"bonus": ("win", "lose")}
    plain = MAINS
    exact = {
        "chip": 100,
        "rounding": "exact",
        "decks": 6,
        "limits": {"*": (1_000, 50_000)},
        "readings": {"tie": "push"},
    }

    @classmethod
    def settings(cls, rng: Random) -> dict[str, Any]:
        """Return random settings: chips of 1, 5 or 25 dollars, any approved pay table, and either option for
        ties.
        """
        chip = rng.choice((100, 500, 2500))
        return {
            "edition": "2013-03",
            "pay_tables": {"bonus": rng.choice("1234")},
            "decks": 6,
            "limits": (
                {"*": (10 * chip, 500 * chip)}
                | ({"bonus": (5 * chip, 100 * chip)} if rng.random() < 0.3 else {})
            ),
            "chip": chip,
            "currency": "USD",
            "readings": {"tie": rng.choice(("lose", "push"))},
        }

    @classmethod
    def opinion(cls, case: Case) -> dict[str, Fraction]:
        """Return the amount owed on each wager of a test case, computed from the two dice and the card.
        Nothing is owed on a withdrawn wager.
        """
        tie = case.reading.removeprefix("tie=") or "lose"
        dice = (case.dice[0], case.dice[1])
        return {
            wager: (
                Fraction(0)
                if case.decisions.get(wager) == "withdraw"
                else high(wager, stake, dice, case.cards[0], case.pay_table, tie)
            )
            for wager, stake in case.stakes.items()
        }

    def owed(self, wager: str, stake: int, dice: tuple[int, int], card: str) -> Fraction:
        """Return the amount owed under this table's settings on a wager that was not withdrawn."""
        return high(wager, stake, dice, card, self.pay_tables["bonus"], self.readings["tie"])

    def hand(self, wager: str, want: str, stake: int = 0, spot: str = "") -> Dealt:
        """Play a round in which the wager has the result `want`, such as `win`. Other spots play at random.
        The spot of the wager bets all three wagers of the side, and a Bonus.
        """
        rng = self.rng
        dice, rank = self.situation(wager, want)
        stakes = {other: bets for other, bets in self._stakes().items() if rng.random() < 0.5}
        spot = spot or rng.choice("123456")
        stake = stake or rng.randrange(1_000, 12_001, 200)
        side = wager[:4] if wager in MAINS else rng.choice(("dice", "card"))
        stakes[spot] = dict.fromkeys(SIDES[side], stake)
        if wager == "bonus":
            stakes[spot]["bonus"] = stake
        decisions = {
            spot: (
                "keep" if wager == SIDES[side][0] else self._pick(),
                "keep" if wager == SIDES[side][1] else self._pick(),
            )
        }
        play = self.play(dict(sorted(stakes.items())), dice, rank, decisions)
        return Dealt(play, spot, stake, self.owed(wager, stake, dice, rank + "s"))

    def situation(self, wager: str, want: str) -> tuple[tuple[int, int], str]:
        """Return two dice and a rank with which the wager has the result `want`, such as `win`. Raises
        ValueError if that is impossible at this table.
        """
        for _ in range(10_000):
            dice, rank = (self.rng.randint(1, 6), self.rng.randint(1, 6)), self.rng.choice(RANKS)
            if end_of(self.owed(wager, 100, dice, rank + "s"), 100) == want:
                return dice, rank
        raise ValueError(f"no roll or card makes {wager} {want}")

    def closing(self, play: Play, spot: str, wager: str) -> Draft:
        """Return the roll of the first die, which closes the betting."""
        return play.one("roll")

    def deciding(self, play: Play, spot: str, wager: str) -> Draft:
        """Return the fact that decides the wager. This is the card. For a second or third wager on a seven,
        it is the roll of the second die.
        """
        return play.all("roll")[1] if swept(play, wager) else play.one("deal")

    def put_money(self, play: Play, move: Draft) -> None:
        """Insert a take or a pay in order: wagers that lose to a seven before the card, then the other main
        wagers, then each Bonus.
        """
        if swept(play, move["wager"]):
            play.put_before(play.one("deal"), move)
            return
        bonus = play.all("take", "pay", wager="bonus") if move["wager"] in MAINS else []
        play.put_before(next(iter(bonus), self.end(play, move["spot"])), move)

    def noticed(self, play: Play) -> Iterator[tuple[Draft, dict[str, Any]]]:
        """Yield a notice for every main wager that is in play on a tie."""
        if play.all("void") or not play.all("deal"):
            return
        card, roll = play.one("deal"), shown(play)
        if card["card"] and card["card"][0] in RANKS and pip(card["card"]) == roll:
            for spot, wager, _ in placed(play):
                if wager in MAINS and not swept(play, wager):
                    yield card, {"code": "tie-unregulated", "round": play.name, "spot": spot, "wager": wager}

    def play(
        self,
        stakes: Stakes | None = None,
        dice: tuple[int, int] | None = None,
        card: str = "",
        decisions: Decisions | None = None,
    ) -> Play:
        """Play one whole round, at random for everything that is not given. `card` may name a rank alone."""
        play = self.begin(stakes if stakes is not None else self._stakes())
        first, second = dice or (self.rng.randint(1, 6), self.rng.randint(1, 6))
        decided = {spot: (self._pick(), self._pick()) for spot in play.stakes} | (decisions or {})
        play.add("round-opened")
        for spot, wager, amount in play.laid():
            self.bet(play, spot, wager, amount)
        self._shake(play)
        play.add("roll", dice=[first])
        self._decide(play, decided, 1, decisions or {})
        play.add("roll", dice=[second])
        play.add("announce", what="dice", value=first + second)
        if first + second == 7:
            for spot, wager, amount in placed(play):
                if wager in MAINS and wager[-1] != "1":
                    play.add("take", spot=spot, wager=wager, amount=amount)
        else:
            self._decide(play, decided, 2, decisions or {})
        self._settle(play, (first, second), self.deal(play, "community", card)["card"])
        play.add("round-closed")
        return play

    def _pick(self) -> str:
        return self.rng.choice(("keep", "pull"))

    def _stakes(self) -> Stakes:
        stakes: Stakes = {}
        for spot in sorted(self.rng.sample("123456", self.rng.choice((1, 1, 2, 2, 3, 4, 6)))):
            side = SIDES[self.rng.choice(("dice", "card"))]
            stakes[spot] = dict.fromkeys(side, self._amount(side))
            if self.rng.random() < 0.5:
                stakes[spot]["bonus"] = self.amount("bonus")
        return stakes

    def _amount(self, side: tuple[str, ...]) -> int:
        """Return a stake within the limits of all three wagers."""
        narrow = max(side, key=lambda wager: self.limit(wager)[0])
        return self.amount(
            narrow, maximum=min([12 * self.limit(narrow)[0]] + [self.limit(wager)[1] for wager in side])
        )

    def _shake(self, play: Play) -> None:
        """Shake the cups as rule 3 of the rules of play says: one cup after the other, or both together."""
        if self.rng.random() < 0.2:
            play.add("shake", times=self.rng.randint(1, 8))
            return
        for cup in self.rng.sample((1, 2), 2):
            play.add("shake", times=self.rng.randint(1, 8), cup=cup)

    def _decide(self, play: Play, decided: Decisions, number: int, forced: Decisions) -> None:
        """Record the decisions on wagers with this number, as rules 5 and 9 of the rules of play say. Spots
        that are not in `forced` may follow the advice of the dice instead of `decided`.
        """
        for spot, bets in play.stakes.items():
            for wager in bets:
                if wager in MAINS and wager[-1] == str(number):
                    thinks = spot not in forced and self.sensible()
                    if (advised(wager, shown(play)) if thinks else decided[spot][number - 1]) == "pull":
                        play.add("pull", spot=spot, wager=wager)
                    else:
                        play.add("choose", spot=spot, choice="keep")

    def _settle(self, play: Play, dice: tuple[int, int], card: str) -> None:
        """Settle the wagers as rules 11 and 12 of the rules of play say: first the main wagers, losing ones
        first or spot by spot, and then every Bonus.
        """
        moves = [
            (spot, wager, self.settled(self.owed(wager, stake, dice, card), stake))
            for spot, wager, stake in placed(play)
            if not swept(play, wager)
        ]
        mains = [move for move in moves if move[1] in MAINS]
        if self.rng.random() < 0.5:
            mains.sort(key=lambda move: move[2] > 0)
        for move in mains + [move for move in moves if move[1] == "bonus"]:
            self.move(play, *move)


def shown(play: Play) -> int:
    """Return the sum of the dice uncovered so far."""
    return sum(die for roll in play.all("roll")[:2] for die in roll["dice"])


def advised(wager: str, dice: int) -> str:
    """Return `keep` if the dice so far favor the wager's side, or else `pull`. Four and more on one die, and
    eight and more on both, favor the dice.
    """
    high_enough = dice >= (4 if wager[-1] == "1" else 8)
    return "keep" if high_enough == wager.startswith("dice") else "pull"


def swept(play: Play, wager: str) -> bool:
    """Return True if a seven has decided this wager: the second and third wagers lose at once."""
    return shown(play) == 7 and wager in MAINS and wager[-1] != "1"
