"""Lucky 7: the countdown, three burned cards and the settlement around a hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from casino.sample.lucky_7 import LUCKY_WAGERS, SEES, lucky
from casino.sample.settling import RANKS, SUITS
from games.kit import events as e
from games.kit.events import Event
from tests.vectors.dealing import fact
from tests.vectors.filling.filler import Draft, Filler
from tests.vectors.reading import Case

TABLE: dict[str, Any] = {
    "edition": "ezugi", "pay_tables": dict.fromkeys(LUCKY_WAGERS, "ezugi"), "decks": 8, "spots": 0, "limits": {"*": [100, 10_000]},
    "currency": "EUR", "chip": 1, "readings": {"rounding": "exact"}, "sees": list(SEES),
}  # fmt: skip
FIRST = ["bet p-1 7-up 1000"]
PLACE = "table"


def deal(case: Case) -> Iterator[Event]:
    """The bets and the card."""
    for wager, stake in case.stakes.items():
        yield fact(e.Bet, spot="1", wager=wager, amount=stake)
    yield fact(e.Deal, to="table", card=case.cards[0])


class Fill(Filler):
    """From the countdown to the settlement of a live round; the cards that the hand does not burn itself are burned face down."""

    def start(self) -> None:
        self.card = ""
        self.closed = False
        self.burned = 0

    def take(self, draft: Draft) -> None:
        kind = draft["kind"]
        if kind in ("burn", "deal"):
            self._card(draft)
        elif kind == "void":
            self.dead(draft)
        else:
            if kind == "player-lost" and not self.closed:
                self.lies = {key: amount for key, amount in self.lies.items() if key[0] != draft["spot"]}
            self.closed = self.closed or kind == "no-more-bets"
            self.emit(draft)

    def _card(self, draft: Draft) -> None:
        if not self.closed:
            self.fill({"kind": "no-more-bets"})
        self.closed = True
        if draft["kind"] == "burn":
            self.burned += 1
        elif not self.card and not self.burned:
            self.burned = 3
            for _ in range(3):
                self.fill({"kind": "burn", "card": None})
        self.emit(draft)
        if draft["kind"] == "deal" and not self.card:
            self.card = draft["card"] or "-"

    def end(self) -> None:
        if self.void or self.card[:1] not in tuple(RANKS) or self.card[1:] not in tuple(SUITS):
            return
        stakes = [(spot, wager, stake) for (spot, wager), stake in self.lies.items() if stake and wager in self.table["pay_tables"]]
        for move in self.due((spot, wager, lucky(wager, stake, self.card, self.table["edition"])) for spot, wager, stake in stakes):
            self.fill(move)
