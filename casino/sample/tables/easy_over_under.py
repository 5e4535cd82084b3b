"""Correct rounds of Easy Over Under, in the order of the dealer instructions. What they pay is computed here
independently of `games`.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from casino.sample.tables.drafts import Draft
from casino.sample.tables.play import Play, Stakes
from casino.sample.tables.settling import RANKS, pip
from casino.sample.tables.table import EVERY_TABLE, Case, Dealt, Table, end_of

SHORT_SIDE_PAYS = {
    2: (11, 1),
    12: (11, 1),
    3: (5, 1),
    11: (5, 1),
    4: (3, 1),
    10: (3, 1),
    5: (2, 1),
    9: (2, 1),
    6: (7, 5),
    8: (7, 5),
}
SPREAD_PAYS = {"A": {6: 1, 7: 2, 8: 3, 9: 5, 10: 10, 11: 30}, "B": {6: 1, 7: 2, 8: 3, 9: 5, 10: 10, 11: 25}}


def short_side(roll: int) -> list[str]:
    """Return the ranks on the short side of the number grid, or an empty list for a seven."""
    if roll == 7:
        return []
    return list(RANKS[: roll - 1] if roll < 7 else RANKS[roll:])


def easy(wager: str, stake: int, dice: tuple[int, ...], card: str, pay_table: str) -> Fraction:
    """Return the amount owed on a wager at Easy Over Under after the spot's card. The amount is computed from
    the manual alone, independently of `games`.
    """
    roll, value = sum(dice), pip(card)
    if wager == "spread":
        pays = SPREAD_PAYS[pay_table].get(abs(value - roll))
        return Fraction(-stake if pays is None else stake * pays)
    if value == roll:
        return Fraction(0) if dice[0] == dice[1] else Fraction(-stake, 2)
    if wager == "short-side":
        odds = SHORT_SIDE_PAYS[roll]
        return Fraction(stake * odds[0], odds[1]) if card[0] in short_side(roll) else Fraction(-stake)
    return Fraction(stake if (value > roll) == (wager == "over") else -stake)


class EasyTable(Table):
    """A table with a layout of six seats, two dice in a cup, and a shoe."""

    game = "easy_over_under"
    letters = "EOU"
    seats = 6
    sees = (*EVERY_TABLE, "clear", "cut-card-shown", "mark", "no-more-bets", "roll", "shake")
    acts = ("mark", "roll", "shake")
    wagers = {
        "over": ("win", "lose", "half", "push"),
        "under": ("win", "lose", "half", "push"),
        "short-side": ("win", "lose", "half", "push"),
        "spread": ("win", "lose"),
    }
    plain = ("over", "under", "spread")
    step = 10
    exact = {"chip": 100, "rounding": "exact", "decks": 6, "limits": {"*": (1_000, 50_000)}}
    uneven = ("over", "half", 1_100, {})

    @classmethod
    def settings(cls, rng: Random) -> dict[str, Any]:
        """Return random settings: chips of 1, 5 or 25 dollars, and any number of decks."""
        chip = rng.choice((100, 500, 2500))
        return {
            "edition": "2010-02-05",
            "pay_tables": {"spread": rng.choice("AB")},
            "decks": rng.choice((1, 2, 6, 6, 8, 8)),
            "limits": (
                {"*": (10 * chip, 500 * chip)}
                | ({"short-side": (5 * chip, 250 * chip)} if rng.random() < 0.3 else {})
            ),
            "chip": chip,
            "currency": "USD",
        }

    @classmethod
    def opinion(cls, case: Case) -> dict[str, Fraction]:
        """Return the amount owed on each wager of a test case, computed from the dice and the spot's one
        card.
        """
        return {
            wager: easy(wager, stake, case.dice, case.cards[0], case.pay_table)
            for wager, stake in case.stakes.items()
        }

    def hand(self, wager: str, want: str, stake: int = 0, spot: str = "") -> Dealt:
        """Play a round in which the wager has the result `want`, such as `win`. Other spots play at random.
        If the wager is the short side, its spot also bets a main wager.
        """
        rng, spread = self.rng, self.pay_tables["spread"]
        dice, rank = situation(rng, wager, want, spread)
        stakes = {other: bets for other, bets in self._stakes(sum(dice)).items() if rng.random() < 0.5}
        spot = spot or rng.choice("123456")
        stake = stake or rng.randrange(1_000, 12_001, 200)
        stakes[spot] = {wager: stake}
        if wager == "short-side":
            stakes[spot] = {rng.choice(("over", "under")): stake + rng.choice((0, 1_000))} | stakes[spot]
        play = self.play(dict(sorted(stakes.items())), dice, {spot: rank})
        return Dealt(play, spot, stake, easy(wager, stake, dice, rank + "s", spread))

    def closing(self, play: Play, spot: str, wager: str) -> Draft:
        """Return the fact that closes the betting: the roll or, for the short side, the wave."""
        return play.one("no-more-bets" if wager == "short-side" else "roll")

    def put_late(self, play: Play, wager: str, late: Draft) -> None:
        """Insert the late bet after the dealer's announcements and the disc, before the first card."""
        play.put_before(play.one("deal"), late)

    def deciding(self, play: Play, spot: str, wager: str) -> Draft:
        """Return the spot's card, which decides its wagers."""
        return play.one("deal", to=spot)

    def end(self, play: Play, spot: str) -> Draft:
        """Return the fact that clears the spot's card: step 14 of the dealer instructions requires that the
        spot's money has moved before.
        """
        return play.one("clear", **{"from": spot})

    def put_money(self, play: Play, move: Draft) -> None:
        """Insert a take or a pay as steps 12 and 13 of the dealer instructions require: losing wagers are
        collected before winning wagers are paid.
        """
        pays = play.all("pay", spot=move["spot"]) if move["kind"] == "take" else []
        play.put_before(next(iter(pays), self.end(play, move["spot"])), move)

    def play(
        self,
        stakes: Stakes | None = None,
        dice: tuple[int, ...] | None = None,
        cards: dict[str, str] | None = None,
    ) -> Play:
        """Play one whole round, at random for everything that is not given. `cards` may give a spot's card as
        a rank without a suit.
        """
        play = self.begin()
        dice = dice or (self.rng.randint(1, 6), self.rng.randint(1, 6))
        play.stakes = stakes if stakes is not None else self._stakes(sum(dice))
        play.add("round-opened")
        for spot, bets in play.stakes.items():
            for wager, amount in bets.items():
                if wager != "short-side":
                    self.bet(play, spot, wager, amount)
        self._roll(play, dice)
        for spot in sorted(play.stakes):
            self._serve(play, spot, dice, (cards or {}).get(spot, ""))
        play.add("round-closed")
        return play

    def _stakes(self, roll: int) -> Stakes:
        stakes: Stakes = {}
        for spot in sorted(self.rng.sample("123456", self.rng.choice((1, 1, 2, 2, 3, 4, 6)))):
            bets: dict[str, int] = {}
            if self.rng.random() < 0.85:
                main = self.rng.choice(("over", "under"))
                bets[main] = self.amount(main)
            if not bets or self.rng.random() < 0.35:
                bets["spread"] = self.amount("spread")
            if "spread" not in list(bets)[:1] and roll != 7 and self.rng.random() < 0.5:
                side = self.amount("short-side", maximum=next(iter(bets.values())))
                if side:
                    bets["short-side"] = side
            stakes[spot] = bets
        return stakes

    def _roll(self, play: Play, dice: tuple[int, ...]) -> None:
        """Play steps 3 to 10 of the dealer instructions, from the cup to the wave."""
        roll = sum(dice)
        play.add("shake", times=self.rng.randint(5, 9))
        play.add("roll", dice=list(dice))
        play.add("announce", what="dice", value=roll)
        play.add("mark", value=roll, side="ties-push" if dice[0] == dice[1] else "ties-lose-half")
        if roll == 7:
            play.add("announce", what="no-short-side")
            return
        play.add(
            "announce",
            what="short-side",
            ranks=short_side(roll),
            pays="{} to {}".format(*SHORT_SIDE_PAYS[roll]),
        )
        for spot, bets in play.stakes.items():
            if "short-side" in bets:
                play.add("bet", spot=spot, wager="short-side", amount=bets["short-side"])
        play.add("no-more-bets")

    def _serve(self, play: Play, spot: str, dice: tuple[int, ...], wanted: str) -> None:
        """Play steps 11 to 14 of the dealer instructions for one player."""
        card = self.deal(play, spot, wanted)["card"]
        play.add("announce", what="card", value=pip(card), spot=spot)
        moves = [
            (wager, self.settled(easy(wager, stake, dice, card, self.pay_tables["spread"]), stake))
            for wager, stake in play.stakes[spot].items()
        ]
        for wager, moved in moves:
            if moved < 0:
                play.add("take", spot=spot, wager=wager, amount=-moved)
        for wager, moved in moves:
            if moved > 0:
                play.add("pay", spot=spot, wager=wager, amount=moved)
        play.add("clear", **{"from": spot})


def situation(rng: Random, wager: str, want: str, pay_table: str = "A") -> tuple[tuple[int, int], str]:
    """Return two dice and a rank with which the wager will `win`, `lose`, `half` or `push`. Raises ValueError
    if there is no such combination.
    """
    for _ in range(10_000):
        dice, rank = (rng.randint(1, 6), rng.randint(1, 6)), rng.choice(RANKS)
        if wager == "short-side" and sum(dice) == 7:
            continue
        owed = easy(wager, 100, dice, rank + "s", pay_table)
        if end_of(owed, 100) == want:
            return dice, rank
    raise ValueError(f"no roll or card makes {wager} {want}")
