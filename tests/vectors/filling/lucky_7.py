"""Lucky 7: add the end of betting, three burned cards and the settlement around a hand."""

from __future__ import annotations

from collections.abc import Iterator

from casino.sample.tables.lucky_7 import LUCKY_WAGERS, LuckyTable, lucky
from casino.sample.tables.settling import RANKS, SUITS
from games.kit import events as e
from games.kit.events import Event
from tests.vectors.dealing import fact
from tests.vectors.filling.filler import Draft, Live, live_table
from tests.vectors.reading import Case

TABLE = live_table(LUCKY_WAGERS, 8, LuckyTable.sees)
FIRST = ["bet p-1 7-up 1000"]
PLACE = "table"


def deal(case: Case) -> Iterator[Event]:
    """Yield the bets and the card."""
    for wager, stake in case.stakes.items():
        yield fact(e.Bet, spot="1", wager=wager, amount=stake)
    yield fact(e.Deal, to="table", card=case.cards[0])


class Fill(Live):
    """Adds the facts from the end of betting to the settlement of a live-dealer round. If the hand burns no
    card, three are burned face down.
    """

    def start(self) -> None:
        super().start()
        self.card = ""
        self.burned = 0

    def take(self, draft: Draft) -> None:
        if draft["kind"] in ("burn", "deal"):
            self._card(draft)
        else:
            self.pass_on(draft)

    def _card(self, draft: Draft) -> None:
        self.close_betting()
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
        if not self.void and self.card[:1] in tuple(RANKS) and self.card[1:] in tuple(SUITS):
            self.settle(lambda wager, stake: lucky(wager, stake, self.card, self.table["edition"]))
