"""Andar Bahar: add the facts from the shuffle to the settlement of a live-dealer round around a hand."""

from __future__ import annotations

from collections.abc import Iterator

from casino.sample.tables.andar_bahar import ANDAR_WAGERS, BAHAR_FIRST, AndarTable, andar
from casino.sample.tables.settling import RANKS, SUITS
from games.kit import events as e
from games.kit.events import Event
from tests.vectors.dealing import fact
from tests.vectors.filling.filler import Draft, Live, live_table
from tests.vectors.reading import Case

TABLE = live_table(ANDAR_WAGERS, 1, AndarTable.sees)
FIRST = ["deal joker 5s"]
PLACE = "andar"


def deal(case: Case) -> Iterator[Event]:
    """Yield the joker, the bets, and the cards, dealt to the two sides in turn."""
    yield fact(e.Deal, to="joker", card=case.cards[0])
    for wager, stake in case.stakes.items():
        yield fact(e.Bet, spot="1", wager=wager, amount=stake)
    sides = ("andar", "bahar") if case.edition == "ezugi" else ("bahar", "andar")
    for place, card in enumerate(case.cards[1:]):
        yield fact(e.Deal, to=sides[place % 2], card=card)


class Fill(Live):
    """Adds the facts from the shuffle to the settlement of a live-dealer round."""

    every_round = True

    def start(self) -> None:
        super().start()
        self.joker, self.place, self.match = "", 0, ("", 0)
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
        else:
            if kind == "deal" and draft["to"] == "joker":
                self.joker = draft["card"]
                self.used.add(self.joker)
            self.pass_on(draft)

    @property
    def first(self) -> str:
        """Return the side that gets the first card."""
        return "bahar" if self.table["edition"] == BAHAR_FIRST else "andar"

    @property
    def side(self) -> str:
        """Return the side that gets the next card."""
        return self.first if self.place % 2 == 0 else ("andar" if self.first == "bahar" else "bahar")

    def _other(self) -> str:
        return next(card for card in self.spare if card not in self.used and card[0] != self.joker[0])

    def _same(self) -> str:
        return next(self.joker[0] + suit for suit in SUITS if self.joker[0] + suit not in self.used)

    def _card(self, draft: Draft) -> None:
        self.close_betting()
        self.place += 1
        self.used.add(draft["card"])
        self.emit(draft)
        if draft["card"] and draft["card"][0] == self.joker[:1] and not self.match[1]:
            self.match = (draft["to"], self.place)

    def end(self) -> None:
        if self.match[1] and not self.void:
            side, place = self.match
            self.settle(lambda wager, stake: andar(wager, stake, side, place, self.table["edition"]))
