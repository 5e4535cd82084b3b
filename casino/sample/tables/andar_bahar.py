"""Correct rounds of Andar Bahar at a live-dealer table, in the order of the Ezugi rules. What they pay is
computed here independently of `games`.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from casino.sample.tables.drafts import Draft
from casino.sample.tables.play import Play, Stakes, batched, placed
from casino.sample.tables.settling import RANKS
from casino.sample.tables.studio import StudioTable
from casino.sample.tables.table import Case, Dealt

BAHAR_FIRST = "ezugi-bahar-first"
# In the manual's "X" the stake that comes back is included, so the profit is one stake less.
PLACES = {
    "1-5": (1, 5, Fraction(5, 2)),
    "6-10": (6, 10, Fraction(7, 2)),
    "11-15": (11, 15, Fraction(9, 2)),
    "16-25": (16, 25, Fraction(7, 2)),
    "26-30": (26, 30, Fraction(14)),
    "31-35": (31, 35, Fraction(24)),
    "36-40": (36, 40, Fraction(49)),
    "41+": (41, 51, Fraction(119)),
}
ANDAR_WAGERS = ("andar", "bahar", *PLACES)


def andar(wager: str, stake: int, side: str, place: int, edition: str) -> Fraction:
    """Return the amount owed on a wager at Andar Bahar if the match is card number `place` after the joker
    and is dealt to `side`. The match is the first card with the joker's rank. The amount is computed from the
    manual alone, independently of `games`.
    """
    if wager in PLACES:
        low, high, odds = PLACES[wager]
        return stake * odds if low <= place <= high else Fraction(-stake)
    if wager != side:
        return Fraction(-stake)
    first = "bahar" if edition == BAHAR_FIRST else "andar"
    return Fraction(stake * 9, 10) if wager == first else Fraction(stake)


class AndarTable(StudioTable):
    """A live-dealer table with one deck, shuffled before each round. Any number of players can bet; they are
    named by account.
    """

    game = "andar_bahar"
    letters = "AB"
    only_decks = 1
    every_round = True
    places = ("joker", "andar", "bahar")
    wagers = dict.fromkeys(ANDAR_WAGERS, ("win", "lose"))
    plain = ANDAR_WAGERS
    step = 10
    exact = {"chip": 10, "rounding": "exact", "limits": {"*": (100, 100_000)}}
    uneven = ("andar", "win", 350, {"edition": "ezugi", "chip": 50})
    lacks = frozenset({"duplicate-card", "not-shuffled", "not-shuffled:order", "not-shuffled:new-deck"})

    @classmethod
    def settings(cls, rng: Random) -> dict[str, Any]:
        """Return random settings. Either side may get the first card."""
        own = (
            {"41+": (100, 5_000), "andar": (200, 200_000), "bahar": (200, 200_000)}
            if rng.random() < 0.3
            else {}
        )
        return {
            "edition": rng.choice(("ezugi", BAHAR_FIRST)),
            "pay_tables": dict.fromkeys(ANDAR_WAGERS, "ezugi"),
            "decks": 1,
            "limits": {"*": (100, 100_000)} | own,
            "chip": rng.choice((10, 50, 100)),
            "currency": "EUR",
        }

    @classmethod
    def opinion(cls, case: Case) -> dict[str, Fraction]:
        """Return the amount owed on each wager of a test case, computed from the side and the number of the
        last card.
        """
        place = len(case.cards) - 1
        first, second = ("bahar", "andar") if case.edition == BAHAR_FIRST else ("andar", "bahar")
        side = first if place % 2 else second
        return {wager: andar(wager, stake, side, place, case.edition) for wager, stake in case.stakes.items()}

    def hand(self, wager: str, want: str, stake: int = 0, spot: str = "") -> Dealt:
        """Play a round in which the wager has the result `want`, such as `win`. Other players bet at
        random.
        """
        rng = self.rng
        low, high = PLACES[wager][:2] if wager in PLACES and want == "win" else (1, 46)
        place = rng.randint(low, min(high, 46))
        while (andar(wager, 100, self.side(place), place, self.edition) > 0) != (want == "win"):
            place = rng.randint(1, 46)
        spot = spot or self.account()
        stake = stake or rng.randrange(100, 2_001, 20)
        stakes = {other: bets for other, bets in self._stakes().items() if other != spot} | {
            spot: {wager: stake}
        }
        play = self.play(stakes, place, another_rank(rng), batch=False)
        return Dealt(play, spot, stake, andar(wager, stake, self.side(place), place, self.edition))

    def unread(self, play: Play) -> Draft:
        """Return the fact that deals the joker. If the joker cannot be read, replay cannot tell which card
        matches it.
        """
        return play.one("deal", to="joker")

    @property
    def first(self) -> str:
        """Return the side that gets the first card."""
        return "bahar" if self.edition == BAHAR_FIRST else "andar"

    def side(self, place: int) -> str:
        """Return the side that receives card number `place` after the joker."""
        return self.first if place % 2 else ("andar" if self.first == "bahar" else "bahar")

    def play(
        self,
        stakes: Stakes | None = None,
        place: int = 0,
        joker: str = "",
        batch: bool | None = None,
        announced: bool | None = None,
    ) -> Play:
        """Play one whole round. If `place` is given, the match is card number `place` after the joker. If
        `batch` is true, bets and settlement are posted as batches (several in one fact), otherwise one by
        one.
        """
        play = self.begin(stakes if stakes is not None else self._stakes())
        play.add("round-opened")
        rank = self.deal(play, "joker", joker)["card"][0]
        lost_spot = self.lay(play, drawn=stakes is None)
        play.add("no-more-bets")
        if lost_spot:
            play.add("player-lost", spot=lost_spot)
        last = self._cards(play, rank, place or self._place(rank))
        if self.rng.random() < 0.3 if announced is None else announced:
            play.add("announce", what="outcome", value=last["to"])
        self.settle(play, last["to"], len(play.all("deal")) - 1)
        play.add("round-closed")
        if self.rng.random() < 0.4 if batch is None else batch:
            batched(play)
        return play

    def settle(self, play: Play, side: str, place: int) -> None:
        """Pay or take every wager on the layout."""
        for spot, wager, stake in placed(play):
            self.move(play, spot, wager, self.settled(andar(wager, stake, side, place, self.edition), stake))

    def _stakes(self) -> Stakes:
        if self.rng.random() < 0.04:
            return {}
        spots = sorted({self.account() for _ in range(self.rng.randint(1, 7))})
        return {
            spot: {
                wager: self.amount(wager) for wager in self.rng.sample(ANDAR_WAGERS, self.rng.randint(1, 4))
            }
            for spot in spots
        }

    def _place(self, rank: str) -> int:
        """Return the position of the first card of this rank in the shoe. The next card to be dealt has
        position 1.
        """
        return next(place for place, card in enumerate(reversed(self.shoe.cards), 1) if card[0] == rank)

    def _cards(self, play: Play, rank: str, place: int) -> Draft:
        for number in range(1, place):
            self.deal(play, self.side(number), avoid=rank)
        return self.deal(play, self.side(place), rank)


def another_rank(rng: Random, *ranks: str) -> str:
    """Return a random rank that is not one of `ranks`."""
    return rng.choice([rank for rank in RANKS if rank not in ranks])
