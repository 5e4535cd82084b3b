"""Honest rounds of Easy Over Under, as the dealer instructions order them."""

from __future__ import annotations

from random import Random
from typing import Any

from .desk import draft
from .play import Play, Stakes, Table
from .settling import RANKS, SHORT_SIDE_PAYS, easy, pip, short_side

SEES = (
    "alarm", "alarm-answered", "announce", "bet", "clear", "corrected", "cut-card-shown", "deal", "dealer-seated", "mark", "no-more-bets",
    "pay", "return", "roll", "round-closed", "round-opened", "shake", "shuffled", "table-closed", "table-opened", "take", "unbet", "void",
)  # fmt: skip


class EasyTable(Table):
    """A felt table of six seats, two dice in a cup and a shoe."""

    game = "easy_over_under"
    seats = 6
    sees = SEES

    def shuffle(self, cut: int | None = None) -> dict[str, Any]:
        """Step 1: all decks, and a cut card at half of them or less."""
        self.shoe.decks = self.decks
        self.shoe.shuffle()
        self.shoe.cut = cut if cut is not None else self.rng.choice((26 * self.decks, self.rng.randint(12, 26 * self.decks)))
        made = draft("shuffled", shoe=self.shoe_name, decks=self.decks, cut=self.shoe.cut)
        self.drafts.append(made)
        return made

    def play(self, stakes: Stakes | None = None, dice: tuple[int, ...] | None = None, cards: dict[str, str] | None = None) -> Play:
        """One whole round; what is not given is drawn. A card may be named by its rank alone."""
        if self.shoe.shown:
            self.shuffle()
        play = self.begin()
        dice = dice or (self.rng.randint(1, 6), self.rng.randint(1, 6))
        play.stakes = stakes if stakes is not None else self._stakes(sum(dice))
        play.add("round-opened")
        for spot, laid in play.stakes.items():
            for wager, amount in laid.items():
                if wager != "short-side":
                    self._bet(play, spot, wager, amount)
        self._roll(play, dice)
        for spot in sorted(play.stakes):
            self._serve(play, spot, dice, (cards or {}).get(spot, ""))
        play.add("round-closed")
        return play

    def keep(self, play: Play) -> Play:
        """The round has been played as drafted."""
        self.drafts.extend(play.facts)
        return play

    def _stakes(self, roll: int) -> Stakes:
        stakes: Stakes = {}
        for spot in sorted(self.rng.sample("123456", self.rng.choice((1, 1, 2, 2, 3, 4, 6)))):
            laid: dict[str, int] = {}
            if self.rng.random() < 0.85:
                main = self.rng.choice(("over", "under"))
                laid[main] = self.amount(main)
            if not laid or self.rng.random() < 0.35:
                laid["spread"] = self.amount("spread")
            if "spread" not in list(laid)[:1] and roll != 7 and self.rng.random() < 0.5:
                side = self.amount("short-side", most=next(iter(laid.values())))
                if side:
                    laid["short-side"] = side
            stakes[spot] = laid
        return stakes

    def _bet(self, play: Play, spot: str, wager: str, amount: int) -> None:
        """Now and then a stake comes in two heaps, or a heap too many is taken back in time."""
        low, high = self.limit(wager)
        chance = self.rng.random()
        if chance < 0.04 and amount - self.chip >= low:
            play.add("bet", spot=spot, wager=wager, amount=amount - self.chip)
            play.add("bet", spot=spot, wager=wager, amount=self.chip)
        elif chance < 0.06 and amount + self.chip <= high:
            play.add("bet", spot=spot, wager=wager, amount=amount + self.chip)
            play.add("unbet", spot=spot, wager=wager, amount=self.chip)
        else:
            play.add("bet", spot=spot, wager=wager, amount=amount)

    def _roll(self, play: Play, dice: tuple[int, ...]) -> None:
        """Steps 3 to 10: from the cup to the wave."""
        roll = sum(dice)
        play.add("shake", times=self.rng.randint(5, 9))
        play.add("roll", dice=list(dice))
        play.add("announce", what="dice", value=roll)
        play.add("mark", value=roll, side="ties-push" if dice[0] == dice[1] else "ties-lose-half")
        if roll == 7:
            play.add("announce", what="no-short-side")
            return
        play.add("announce", what="short-side", ranks=short_side(roll), pays="{} to {}".format(*SHORT_SIDE_PAYS[roll]))
        for spot, laid in play.stakes.items():
            if "short-side" in laid:
                play.add("bet", spot=spot, wager="short-side", amount=laid["short-side"])
        play.add("no-more-bets")

    def _serve(self, play: Play, spot: str, dice: tuple[int, ...], wanted: str) -> None:
        """Steps 11 to 14 for one player."""
        card = self.shoe.lay(wanted) if len(wanted) == 2 else self.shoe.draw(wanted)
        play.add("deal", to=spot, card=card)
        if self.shoe.dealt == self.shoe.cut:
            play.add("cut-card-shown")
            self.shoe.shown = True
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


def easy_table(rng: Random, **settings: Any) -> EasyTable:
    """A table with settings drawn where none are given, such that every amount owed can be settled."""
    chip = rng.choice((100, 500, 2500))
    made: dict[str, Any] = {
        "edition": "2010-02-05",
        "pay_tables": {"spread": rng.choice("AB")},
        "decks": rng.choice((1, 2, 6, 6, 8, 8)),
        "limits": {"*": (10 * chip, 500 * chip)} | ({"short-side": (5 * chip, 250 * chip)} if rng.random() < 0.3 else {}),
        "chip": chip,
        "rounding": rng.choice(("exact", "house", "player")),
        "currency": "USD",
        "shoe_name": f"shoe-{rng.randint(1, 40)}",
    }
    return EasyTable(rng=rng, **(made | settings))


def situation(rng: Random, wager: str, want: str, pay_table: str = "A") -> tuple[tuple[int, int], str]:
    """Dice and a rank at which the wager will `win`, `lose`, `half` or `push`. `ValueError` where it never can."""
    for _ in range(10_000):
        dice, rank = (rng.randint(1, 6), rng.randint(1, 6)), rng.choice(RANKS)
        if wager == "short-side" and sum(dice) == 7:
            continue
        owed = easy(wager, 100, dice, rank + "s", pay_table)
        if want == ("win" if owed > 0 else "push" if owed == 0 else "lose" if owed == -100 else "half"):
            return dice, rank
    raise ValueError(f"{wager} never comes to {want}")
