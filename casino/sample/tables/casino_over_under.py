"""Correct rounds of Casino Over Under, in the order of the dealing procedures."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random
from typing import Any

from casino.sample.tables.drafts import Draft
from casino.sample.tables.play import Play, Stakes
from casino.sample.tables.settling import RANKS
from casino.sample.tables.table import EVERY_TABLE, Case, Dealt, Table, end_of

WORTH = dict(zip(RANKS, (11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))
BASE = ("over", "under")
BONUS_PAYS = {
    12: 1,
    11: 2,
    10: 3,
    9: 4,
    8: 5,
    7: 10,
    6: 50,
    27: 1,
    28: 2,
    29: 3,
    30: 4,
    31: 5,
    32: 10,
    33: 50,
}


def total(cards: Iterable[str]) -> int:
    """Add up the cards: two to ten at face value, face cards ten, aces eleven."""
    return sum(WORTH[card[0]] for card in cards)


def wins(side: str, count: int) -> bool:
    """Return True if this total wins for the side: more than 23 for over, less than 18 for under."""
    return count >= 24 if side == "over" else count <= 17


def over_under(wager: str, stake: int, count: int, choice: str) -> Fraction:
    """Return the amount owed on a wager when the three cards make this total. The amount is computed from the
    manual alone, independently of `games`.
    """
    if wager == "bonus":
        return Fraction(stake * BONUS_PAYS.get(count, -1))
    side = choice if wager == "ante" else wager
    return Fraction(stake if side != "surrender" and wins(side, count) else -stake)


def advised(card: str) -> str:
    """Return the better choice after the first card: after a six or higher, the total is more often over 23
    than under 18. No card is bad enough to surrender.
    """
    return "over" if WORTH[card[0]] >= 6 else "under"


class OverUnderTable(Table):
    """A table with a layout of seven seats and a shoe. All wagers of one player are of the same size."""

    game = "casino_over_under"
    letters = "COU"
    seats = 7
    sees = (*EVERY_TABLE, "burn", "choose", "clear", "cut-card-shown", "no-more-bets")
    acts = ("burn", "choose")
    wagers = dict.fromkeys(("ante", *BASE, "bonus"), ("win", "lose"))
    plain = ("ante", *BASE)
    exact = {"chip": 100, "rounding": "exact", "decks": 6, "limits": {"*": (1_000, 50_000)}}

    @classmethod
    def settings(cls, rng: Random) -> dict[str, Any]:
        """Return random settings: chips of 1, 5 or 25 dollars, and any number of decks. The ante may have
        limits of its own.
        """
        chip = rng.choice((100, 500, 2500))
        return {
            "edition": "2016",
            "pay_tables": {"bonus": "figure-1"},
            "decks": rng.choice((1, 2, 6, 6, 8, 8)),
            "limits": (
                {"*": (10 * chip, 500 * chip)}
                | ({"ante": (20 * chip, 250 * chip)} if rng.random() < 0.3 else {})
            ),
            "chip": chip,
            "currency": "USD",
        }

    @classmethod
    def opinion(cls, case: Case) -> dict[str, Fraction]:
        """Return the amount owed on each wager of a test case, computed from the three cards and the choice.
        A wager that depends on the choice may be absent.
        """
        choice = case.decisions["ante"]
        stakes = case.stakes | ({choice: case.stakes["ante"]} if choice in BASE else {})
        return {wager: over_under(wager, stake, total(case.cards), choice) for wager, stake in stakes.items()}

    def hand(self, wager: str, want: str, stake: int = 0, spot: str = "") -> Dealt:
        """Play a round in which the wager has the result `want`, such as `win`. Other spots play at random.
        The spot of the wager also bets the ante. Its player may surrender if the wager is the bonus, or an
        ante that must lose.
        """
        rng = self.rng
        choice = (
            wager
            if wager in BASE
            else rng.choice((*BASE, "surrender") if wager == "bonus" or want == "lose" else BASE)
        )
        cards = situation(rng, wager, want, choice)
        spot, stake = spot or rng.choice("1234567"), stake or rng.randrange(1_000, 12_001, 200)
        stakes = {
            other: bets for other, bets in self._stakes().items() if other != spot and rng.random() < 0.5
        }
        stakes[spot] = {"ante": stake} | ({"bonus": stake} if wager == "bonus" else {})
        play = self.play(dict(sorted(stakes.items())), {spot: choice}, {spot: cards}, heaps=False)
        return Dealt(play, spot, stake, over_under(wager, stake, total(cards), choice))

    def closing(self, play: Play, spot: str, wager: str) -> Draft:
        """Return the fact that closes the betting: the wave or, for over and under, the spot's
        second card.
        """
        return play.all("deal", to=spot)[1] if wager in BASE else play.one("no-more-bets")

    def deciding(self, play: Play, spot: str, wager: str) -> Draft:
        """Return the fact that decides the wager: the third card or, for a surrendered ante, the choice."""
        given_up = play.all("choose", spot=spot, choice="surrender") if wager == "ante" else []
        return (given_up or play.all("deal", to=spot)[2:])[0]

    def end(self, play: Play, spot: str) -> Draft:
        """Return the fact that clears the spot's cards: step 5 of the dealing procedures requires that the
        spot's wagers are settled before.
        """
        return play.one("clear", **{"from": spot})

    def put_money(self, play: Play, move: Draft) -> None:
        """Insert a take or a pay in the order of the dealing procedures: a surrendered ante moves at once
        (step 4), and base wagers move before the bonus is announced (step 6).
        """
        spot, given_up = move["spot"], play.all("choose", spot=move["spot"], choice="surrender")
        if move["wager"] == "ante" and given_up:
            play.put_after(given_up[0], move)
            return
        bonus = play.all("announce", spot=spot, wager="bonus") if move["wager"] != "bonus" else []
        play.put_before((bonus or [self.end(play, spot)])[0], move)

    def play(
        self,
        stakes: Stakes | None = None,
        choices: dict[str, str] | None = None,
        cards: dict[str, str] | None = None,
        heaps: bool = True,
    ) -> Play:
        """Play one whole round, at random for everything that is not given. `cards` may name the ranks of a
        spot's three cards.
        """
        rng, cards = self.rng, cards or {}
        play = self.begin(self._stakes() if stakes is None else stakes)
        chosen = {
            spot: rng.choice((*BASE, *BASE, "surrender"))
            for spot, bets in play.stakes.items()
            if "ante" in bets
        } | (choices or {})
        play.add("round-opened")
        players = {spot: f"p-{90100 + int(spot) // 2}" for spot in play.stakes} if rng.random() < 0.3 else {}
        for spot, wager, amount in play.laid():
            self._lay(play, spot, wager, amount, heaps, **({"player": players[spot]} if players else {}))
        self._ask(play)
        for spot in play.stakes:
            self.deal(play, spot, cards.get(spot, "")[:1])
        for spot in chosen:
            if spot not in (choices or {}) and self.sensible():
                chosen[spot] = advised(play.one("deal", to=spot)["card"])
            self._choose(play, spot, chosen[spot], heaps)
        for spot in play.stakes:
            self._serve(play, spot, chosen.get(spot, ""), cards.get(spot, ""))
        play.add("round-closed")
        return play

    def _stakes(self) -> Stakes:
        stakes: Stakes = {}
        for spot in sorted(self.rng.sample("1234567", self.rng.choice((1, 1, 2, 2, 3, 4, 6, 7)))):
            ante = self._size()
            stakes[spot] = {"ante": ante} | ({"bonus": ante} if self.rng.random() < 0.45 else {})
        return stakes

    def _size(self) -> int:
        """Return a stake within the limits of every wager."""
        pairs = [self.limit(wager) for wager in self.wagers]
        low, high = max(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
        low, high = -(-low // self.chip) * self.chip, high // self.chip * self.chip
        chance = self.rng.random()
        return (
            low
            if chance < 0.02
            else high
            if chance < 0.04
            else self.rng.randrange(low, min(high, low * 12) + 1, self.chip)
        )

    def _lay(self, play: Play, spot: str, wager: str, amount: int, heaps: bool, **fields: str) -> None:
        """Bet the amount. If `heaps` is true, split it at random into several bets."""
        if heaps:
            self.bet(play, spot, wager, amount, **fields)
        else:
            play.add("bet", spot=spot, wager=wager, amount=amount, **fields)

    def _ask(self, play: Play) -> None:
        """Play step 2 of the dealing procedures. The dealer waves that there are no more bets and, before or
        after the wave, asks each player without a bonus bet for one.
        """
        early = self.rng.random() < 0.3
        if not early:
            play.add("no-more-bets")
        for spot, bets in play.stakes.items():
            if "ante" in bets and "bonus" not in bets:
                play.add("announce", what="no-bonus?", spot=spot)
        if early:
            play.add("no-more-bets")

    def _choose(self, play: Play, spot: str, choice: str, heaps: bool) -> None:
        """Play step 4 of the dealing procedures for one player. Sometimes the player places the chips before
        saying the choice.
        """
        ante = play.stakes[spot]["ante"]
        if choice == "surrender":
            play.add("choose", spot=spot, choice=choice)
            play.add("take", spot=spot, wager="ante", amount=ante)
            return
        self._lay(play, spot, choice, ante, heaps)
        fact = play.add("choose", spot=spot, choice=choice)
        if self.rng.random() < 0.9:
            play.move_before(fact, play.all("bet", spot=spot, wager=choice)[0])

    def _serve(self, play: Play, spot: str, choice: str, wanted: str) -> None:
        """Play steps 5 and 6 of the dealing procedures for one player."""
        bets = play.stakes[spot]
        if choice == "surrender" and "bonus" not in bets:
            face_down = self.rng.random() < 0.1 and not self.shoe.rigged
            for rank in (wanted[1:2], wanted[2:3]):
                burned = self.burn(play, rank)
                if face_down:
                    burned["card"] = None
        else:
            for rank in (wanted[1:2], wanted[2:3]):
                self.deal(play, spot, rank)
            count = total([fact["card"] for fact in play.all("deal", to=spot)])
            if choice in BASE:
                self._word(play, spot, choice, count)
                for wager in self.rng.sample(("ante", choice), 2):
                    self.move(
                        play,
                        spot,
                        wager,
                        self.settled(over_under(wager, bets["ante"], count, choice), bets["ante"]),
                    )
            if "bonus" in bets:
                self._word(play, spot, "bonus", count)
                self.move(
                    play,
                    spot,
                    "bonus",
                    self.settled(over_under("bonus", bets["bonus"], count, ""), bets["bonus"]),
                )
        play.add("clear", **{"from": spot})

    def _word(self, play: Play, spot: str, wager: str, count: int) -> None:
        """Announce the outcome and, for a winner, the odds. A lost base wager is sometimes not announced."""
        pays = over_under(wager, 1, count, "")
        if pays > 0:
            play.add("announce", what="outcome", spot=spot, wager=wager, value=count, pays=f"{pays} to 1")
        elif wager == "bonus" or self.rng.random() < 0.8:
            play.add("announce", what="outcome", spot=spot, wager=wager, value=count)


def situation(rng: Random, wager: str, want: str, choice: str) -> str:
    """Return three ranks with which the wager will `win` or `lose`. Raises ValueError if there are no such
    ranks.
    """
    for _ in range(10_000):
        ranks = "".join(rng.choice(RANKS) for _ in range(3))
        if end_of(over_under(wager, 100, total(ranks), choice), 100) == want:
            return ranks
    raise ValueError(f"no card makes {wager} {want} after the choice {choice}")
