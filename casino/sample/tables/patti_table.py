"""What the sample tables of Teen Patti and of Bet on Teen Patti have in common: two hands of three cards from
one deck.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any, ClassVar

from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.patti import ACE_LOW
from casino.sample.tables.play import Play, Stakes, batched, placed
from casino.sample.tables.settling import SUITS
from casino.sample.tables.studio import StudioTable
from casino.sample.tables.table import Dealt, end_of

Cards = list[str]
STEEL_WHEEL = ("straight-flush", "flush", "nothing")


class PattiTable(StudioTable):
    """A live-dealer table with one deck, shuffled before each round. All bets of a round are settled by the
    same six cards.
    """

    only_decks = 1
    every_round = True
    mains: ClassVar[tuple[str, ...]]
    sides: ClassVar[tuple[str, ...]]
    editions: ClassVar[tuple[str, ...]] = ("ezugi",)

    @classmethod
    def settings(cls, rng: Random) -> dict[str, Any]:
        """Return random settings: any edition, and any option for the two questions that the manual leaves
        open.
        """
        own = {"3+3": (100, 5_000), cls.mains[0]: (200, 200_000)} if rng.random() < 0.3 else {}
        return {
            "edition": rng.choice(cls.editions),
            "pay_tables": dict.fromkeys(cls.wagers, "ezugi"),
            "decks": 1,
            "limits": {"*": (100, 100_000)} | own,
            "chip": rng.choice((10, 50, 100)),
            "currency": "EUR",
            "readings": {"a23": rng.choice(list(ACE_LOW)), "steel-wheel": rng.choice(STEEL_WHEEL)},
        }

    @property
    def answers(self) -> tuple[str, str]:
        """Return this table's options for the two questions that the manual leaves open."""
        return self.readings.get("a23", "lowest"), self.readings.get("steel-wheel", "straight-flush")

    # What each of the two games defines.

    @abstractmethod
    def settlements(self, play: Play) -> Iterator[tuple[str, str, int, Fraction]]:
        """Yield the spot, the wager, the stake and the owed amount of everything that is settled in the
        round.
        """

    @abstractmethod
    def outcome(self, first: Cards, second: Cards) -> str:
        """Return the outcome that the studio declares for these two hands."""

    def decide(self, play: Play, lost_spot: str) -> None:
        """Add the players' decisions after the six cards.

        Args:
            lost_spot: the spot of the player whose connection is lost, or empty text.
        """

    # One round.

    def play(
        self,
        stakes: Stakes | None = None,
        cards: Cards | None = None,
        batch: bool | None = None,
        announced: bool | None = None,
        decide: Callable[[Play], None] | None = None,
    ) -> Play:
        """Play one whole round. If given, `cards` are the six cards, three for each hand, and `decide` adds
        the players' decisions.
        """
        rng = self.rng
        play = self.begin(stakes if stakes is not None else self._stakes())
        play.add("round-opened")
        lost_spot = self.lay(play, drawn=stakes is None, chance=0.08)
        play.add("no-more-bets")
        self._cards(play, cards)
        if lost_spot:
            play.put_after(rng.choice(play.all("deal")), draft("player-lost", play.name, spot=lost_spot))
        if rng.random() < 0.3 if announced is None else announced:
            play.add("announce", what="outcome", value=self.outcome(*self.hands(play)))
        if decide:
            decide(play)
        else:
            self.decide(play, lost_spot)
        self.settle(play)
        play.add("round-closed")
        if rng.random() < 0.35 if batch is None else batch:
            batched(play)
        return play

    def settle(self, play: Play) -> None:
        """Pay or take every wager on the layout."""
        for spot, wager, stake, owed in list(self.settlements(play)):
            self.move(play, spot, wager, self.settled(owed, stake))

    def hands(self, play: Play) -> tuple[Cards, Cards]:
        """Return the first three cards dealt to each hand. A fourth card belongs to no hand."""
        first, second = ([fact["card"] for fact in play.all("deal", to=place)][:3] for place in self.places)
        return first, second

    def searched(self, right: Callable[[Cards, Cards], bool]) -> Cards:
        """Return six cards of the deck that satisfy the condition `right`. Every third attempt is made with
        two hands of the same ranks, because they are rare otherwise.
        """
        left = self.shoe.cards
        while True:
            for _ in range(2):
                cards = self.rng.sample(left, 6)
                if right(cards[:3], cards[3:]):
                    return cards
            first = self.rng.sample(left, 3)
            second = [card[0] + self.rng.choice(SUITS.replace(card[1], "")) for card in first]
            if set(second) <= set(left) and len({*first, *second}) == 6 and right(first, second):
                return first + second

    def _stakes(self, without: str = "") -> Stakes:
        if self.rng.random() < 0.04:
            return {}
        spots = sorted({self.account() for _ in range(self.rng.randint(1, 6))} - {without})
        return {spot: self._at_one_spot() for spot in spots}

    def _at_one_spot(self) -> dict[str, int]:
        mains = self.rng.sample(self.mains, self.rng.randint(1, len(self.mains)))
        return {
            wager: self.amount(wager)
            for wager in mains + [side for side in self.sides if self.rng.random() < 0.35]
        }

    def _cards(self, play: Play, cards: Cards | None) -> None:
        """Deal three cards to each hand: one hand after the other, or in turn, either hand first."""
        places = list(self.places)
        self.rng.shuffle(places)
        order = places * 3 if self.rng.random() < 0.5 else [places[0]] * 3 + [places[1]] * 3
        waiting = {self.places[0]: (cards or [])[:3], self.places[1]: (cards or [])[3:]}
        for place in order:
            self.deal(play, place, waiting[place].pop(0) if cards else "")

    def dealt_for(self, play: Play, spot: str, wager: str) -> Dealt:
        """Return the round as a `Dealt`, with the stake of this spot on this wager and the amount owed on
        it.
        """
        stake, owed = next(
            (stake, owed) for of, name, stake, owed in self.settlements(play) if (of, name) == (spot, wager)
        )
        return Dealt(play, spot, stake, owed)

    def has_result(self, want: str, owed: Fraction) -> bool:
        """Return True if a stake of one, on which `owed` is owed, has the result `want`, such as `win`."""
        return end_of(owed, 1) == want

    def sixth(self, play: Play) -> Draft:
        """Return the fact that deals the sixth card, which completes both hands."""
        return play.all("deal")[5]


def final_stake(play: Play, spot: str, wager: str) -> int:
    """Return the spot's stake on this wager at the end of the round."""
    return next((amount for of, name, amount in placed(play) if (of, name) == (spot, wager)), 0)
