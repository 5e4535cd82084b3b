"""Correct rounds of Lucky 7 at a live-dealer table, in the order of the Ezugi rules."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from casino.sample.tables.play import DECK, Play, Stakes, batched, placed
from casino.sample.tables.studio import STUDIO, StudioTable
from casino.sample.tables.table import Case, Dealt, end_of

LOW, HIGH, EVEN, RED = "A23456", "89TJQK", "2468TQ", "hd"
SIDES = {
    "ezugi": {
        "red": Fraction(98, 100),
        "black": Fraction(98, 100),
        "odd": Fraction(8, 10),
        "even": Fraction(11, 10),
    },
    "ezugi-0.9": {
        "red": Fraction(9, 10),
        "black": Fraction(9, 10),
        "odd": Fraction(8, 10),
        "even": Fraction(1),
    },
}
LUCKY_WAGERS = ("7-up", "7", "7-down", *SIDES["ezugi"])


def lucky(wager: str, stake: int, card: str, edition: str) -> Fraction:
    """Return the amount owed on a wager at Lucky 7 when this card was dealt. The amount is computed from the
    manual alone, independently of `games`.
    """
    rank, suit = card[0], card[1]
    if wager in SIDES[edition]:
        won = {"red": suit in RED, "black": suit not in RED, "even": rank in EVEN, "odd": rank not in EVEN}[
            wager
        ]
        return stake * SIDES[edition][wager] if won else Fraction(-stake)
    if wager == "7":
        return Fraction(11 * stake if rank == "7" else -stake)
    if rank == "7":
        return Fraction(-stake, 2)
    return Fraction(stake if rank in (HIGH if wager == "7-up" else LOW) else -stake)


class LuckyTable(StudioTable):
    """A live-dealer table with an eight-deck shoe. It is shuffled after a round that shows the cut card."""

    game = "lucky_7"
    letters = "L7"
    only_decks = 8
    sees = (*STUDIO, "burn", "cut-card-shown")
    acts = ("burn",)
    places = ("table",)
    wagers = dict.fromkeys(LUCKY_WAGERS, ("win", "lose")) | dict.fromkeys(
        ("7-up", "7-down"), ("win", "lose", "half")
    )
    plain = LUCKY_WAGERS
    step = 50
    exact = {"chip": 10, "rounding": "exact", "limits": {"*": (100, 100_000)}}
    uneven = ("red", "win", 350, {"edition": "ezugi", "chip": 50})

    @classmethod
    def settings(cls, rng: Random) -> dict[str, Any]:
        """Return random settings of either edition. Wagers on a seven may have lower limits."""
        return {
            "edition": rng.choice(tuple(SIDES)),
            "pay_tables": dict.fromkeys(LUCKY_WAGERS, "ezugi"),
            "decks": 8,
            "limits": (
                {"*": (100, 100_000)}
                | ({"7": (100, 20_000), "red": (200, 200_000)} if rng.random() < 0.3 else {})
            ),
            "chip": rng.choice((10, 50, 100)),
            "currency": "EUR",
        }

    @classmethod
    def opinion(cls, case: Case) -> dict[str, Fraction]:
        """Return the amount owed on each wager of a test case, computed from the one card."""
        return {
            wager: lucky(wager, stake, case.cards[0], case.edition) for wager, stake in case.stakes.items()
        }

    def hand(self, wager: str, want: str, stake: int = 0, spot: str = "") -> Dealt:
        """Play a round in which the wager has the result `want`, such as `win`. Other players bet at random.
        If possible, the deciding card is one with more than three copies in the shoe, so that the three
        burned cards leave at least one.
        """
        spot, stake = spot or self.account(), stake or self.rng.randrange(100, 2_001, 100)
        fitting = [card for card in DECK if end_of(lucky(wager, 100, card, self.edition), 100) == want]
        card = self.rng.choice([card for card in fitting if self.shoe.cards.count(card) > 3] or fitting)
        stakes = {other: bets for other, bets in self._stakes().items() if other != spot} | {
            spot: {wager: stake}
        }
        return Dealt(
            self.play(stakes, card, batch=False), spot, stake, lucky(wager, stake, card, self.edition)
        )

    def play(
        self,
        stakes: Stakes | None = None,
        card: str = "",
        batch: bool | None = None,
        announced: bool | None = None,
    ) -> Play:
        """Play one whole round, with this card if given. If `batch` is true, bets and settlement are posted
        as batches (several in one fact), otherwise one by one.
        """
        rng, drawn = self.rng, stakes is None
        play = self.begin(self._stakes() if stakes is None else stakes)
        play.add("round-opened")
        lost_spot = self.lay(play, drawn)
        play.add("no-more-bets")
        if lost_spot:
            play.add("player-lost", spot=lost_spot)
        face_down = rng.random() < 0.3 and not self.shoe.rigged
        for _ in range(3):
            burned = self.burn(play)
            if face_down:
                burned["card"] = None
        dealt = self.deal(play, "table", card)["card"]
        if rng.random() < 0.3 if announced is None else announced:
            play.add("announce", what="outcome", value=dealt)
        for spot, wager, stake in placed(play):
            self.move(play, spot, wager, self.settled(lucky(wager, stake, dealt, self.edition), stake))
        play.add("round-closed")
        if rng.random() < 0.4 if batch is None else batch:
            batched(play)
        return play

    def _stakes(self) -> Stakes:
        if self.rng.random() < 0.04:
            return {}
        spots = sorted({self.account() for _ in range(self.rng.randint(1, 7))})
        return {
            spot: {
                wager: self.amount(wager) for wager in self.rng.sample(LUCKY_WAGERS, self.rng.randint(1, 4))
            }
            for spot in spots
        }
