"""Andar Bahar: from the shuffle to the settlement of a live round, around a hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from casino.sample.andar_bahar import ANDAR_WAGERS, BAHAR_FIRST, SEES, andar
from casino.sample.settling import RANKS, SUITS
from games.kit import events as e
from games.kit.events import Event
from tests.vectors.dealing import fact
from tests.vectors.filling.filler import Draft, Filler
from tests.vectors.reading import Case

TABLE: dict[str, Any] = {
    "edition": "ezugi", "pay_tables": dict.fromkeys(ANDAR_WAGERS, "ezugi"), "decks": 1, "spots": 0, "limits": {"*": [100, 10_000]},
    "currency": "EUR", "chip": 1, "readings": {"rounding": "exact"}, "sees": list(SEES),
}  # fmt: skip
FIRST = ["deal joker 5s"]
PLACE = "andar"


def deal(case: Case) -> Iterator[Event]:
    """The joker, the bets, and the cards in turn."""
    yield fact(e.Deal, to="joker", card=case.cards[0])
    for wager, stake in case.stakes.items():
        yield fact(e.Bet, spot="1", wager=wager, amount=stake)
    sides = ("andar", "bahar") if case.edition == "ezugi" else ("bahar", "andar")
    for place, card in enumerate(case.cards[1:]):
        yield fact(e.Deal, to=sides[place % 2], card=card)


class Fill(Filler):
    """From the shuffle to the settlement of a live round."""

    every_round = True

    def start(self) -> None:
        self.joker, self.place, self.match = "", 0, ("", 0)
        self.closed = False
        shuffled = bool(self.done) and self.done[-1]["kind"] == "shuffled"
        if self.number > 1 and not shuffled and "shuffle" not in self.without and self.honest:
            self.done.append({"kind": "shuffled", "shoe": "shoe-1"})
        self.used: set[str] = set()
        self.spare = (rank + suit for rank in RANKS for suit in SUITS)

    def take(self, draft: Draft) -> None:
        kind = draft["kind"]
        if kind == "cards":
            for _ in range(draft["count"]):
                self._card({"kind": "deal", "to": self.side, "card": self._other()})
        elif kind == "match":
            self._card({"kind": "deal", "to": self.side, "card": self._same()})
        elif kind == "deal" and draft["to"] in ("andar", "bahar"):
            self._card(draft)
        elif kind == "void":
            self.dead(draft)
        else:
            if kind == "deal" and draft["to"] == "joker":
                self.joker = draft["card"]
                self.used.add(self.joker)
            if kind == "player-lost" and not self.closed:
                self.lies = {key: amount for key, amount in self.lies.items() if key[0] != draft["spot"]}
            self.closed = self.closed or kind == "no-more-bets"
            self.emit(draft)

    @property
    def first(self) -> str:
        """The side that gets the first card."""
        return "bahar" if self.table["edition"] == BAHAR_FIRST else "andar"

    @property
    def side(self) -> str:
        """The side whose turn it is."""
        return self.first if self.place % 2 == 0 else ("andar" if self.first == "bahar" else "bahar")

    def _other(self) -> str:
        return next(card for card in self.spare if card not in self.used and card[0] != self.joker[0])

    def _same(self) -> str:
        return next(self.joker[0] + suit for suit in SUITS if self.joker[0] + suit not in self.used)

    def _card(self, draft: Draft) -> None:
        if not self.closed:
            self.fill({"kind": "no-more-bets"})
        self.closed = True
        self.place += 1
        self.used.add(draft["card"])
        self.emit(draft)
        if draft["card"] and draft["card"][0] == self.joker[:1] and not self.match[1]:
            self.match = (draft["to"], self.place)

    def end(self) -> None:
        if self.match[1] and not self.void:
            side, place = self.match
            stakes = [(spot, wager, stake) for (spot, wager), stake in self.lies.items() if stake and wager in self.table["pay_tables"]]
            for move in self.due((spot, wager, andar(wager, stake, side, place, self.table["edition"])) for spot, wager, stake in stakes):
                self.fill(move)
