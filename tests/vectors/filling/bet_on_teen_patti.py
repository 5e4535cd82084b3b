"""Bet on Teen Patti: add the facts from the shuffle to the settlement of a live-dealer round around
a hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from casino.sample.tables.patti import BET_WAGERS, bet_on_teen_patti
from casino.sample.tables.studio import STUDIO
from games.kit import events as e
from games.kit.events import Event
from tests.vectors.dealing import fact
from tests.vectors.filling.filler import Draft, TwoHands, live_table
from tests.vectors.reading import Case

TABLE = live_table(BET_WAGERS, 1, STUDIO)
FIRST: list[str] = []
PLACE = "a"


def deal(case: Case) -> Iterator[Event]:
    """Yield the bets, three cards to Player A, and three to Player B."""
    for wager, stake in case.stakes.items():
        yield fact(e.Bet, spot="1", wager=wager, amount=stake)
    for place, card in zip("aaabbb", case.cards, strict=True):
        yield fact(e.Deal, to=place, card=card)


class Fill(TwoHands):
    """Adds the facts of Bet on Teen Patti: bets, cards and settlement."""

    places = ("a", "b")

    def owed(self, spot: str, wager: str, stake: int, hands: list[list[str]]) -> Fraction:
        return bet_on_teen_patti(wager, stake, *hands, self.table["edition"], *self.poker_options())

    def moves(self, hands: list[list[str]]) -> list[Draft]:
        return self.due(
            (*key, self.owed(*key, stake, hands))
            for key, stake in self.lies.items()
            if stake and key[1] in BET_WAGERS
        )
