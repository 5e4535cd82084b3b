"""Bet on Teen Patti: from the shuffle to the settlement of a live round, around a hand."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from casino.sample.patti import BET_WAGERS, SEES, bet_on_teen_patti
from games.kit import events as e
from games.kit.events import Event
from tests.vectors.dealing import fact
from tests.vectors.filling.filler import Draft, TwoHands
from tests.vectors.reading import Case

TABLE: dict[str, Any] = {
    "edition": "ezugi", "pay_tables": dict.fromkeys(BET_WAGERS, "ezugi"), "decks": 1, "spots": 0, "limits": {"*": [100, 10_000]},
    "currency": "EUR", "chip": 1, "readings": {"rounding": "exact"}, "sees": list(SEES),
}  # fmt: skip
FIRST: list[str] = []
PLACE = "a"


def deal(case: Case) -> Iterator[Event]:
    """The bets, three cards to A, three to B."""
    for wager, stake in case.stakes.items():
        yield fact(e.Bet, spot="1", wager=wager, amount=stake)
    for place, card in zip("aaabbb", case.cards, strict=True):
        yield fact(e.Deal, to=place, card=card)


class Fill(TwoHands):
    """Bets, cards and settlement."""

    places = ("a", "b")

    def owed(self, spot: str, wager: str, stake: int, hands: list[list[str]]) -> Fraction:
        return bet_on_teen_patti(wager, stake, *hands, self.table["edition"], *self.answers())

    def moves(self, hands: list[list[str]]) -> list[Draft]:
        return self.due((*key, self.owed(*key, stake, hands)) for key, stake in self.lies.items() if stake and key[1] in BET_WAGERS)
