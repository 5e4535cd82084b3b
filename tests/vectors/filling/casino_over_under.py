"""Casino Over Under: add the facts of dealing procedures 1 to 6 around a hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from casino.sample.tables.casino_over_under import (
    BONUS_PAYS,
    WORTH,
    OverUnderTable,
    over_under,
    total,
    wins,
)
from games.kit import events as e
from games.kit.events import Event
from tests.vectors.dealing import fact
from tests.vectors.filling.filler import Draft, Filler, settles
from tests.vectors.reading import Case

TABLE: dict[str, Any] = {
    "edition": "2016",
    "pay_tables": {"bonus": "figure-1"},
    "decks": 6,
    "spots": 7,
    "limits": {"*": [100, 10_000]},
    "currency": "USD",
    "chip": 1,
    "readings": {"rounding": "exact"},
    "sees": list(OverUnderTable.sees),
}
FIRST = ["bet 1 ante 1000"]
PLACE = "1"


def deal(case: Case) -> Iterator[Event]:
    """Yield ante and bonus, the first card, the choice with its wager, and the other two cards. If a case
    settles a wager without giving its stake, the stake of the ante is used.
    """
    choice = case.decisions.get("ante", "")
    stakes = case.stakes | {wager: case.stakes["ante"] for wager in case.expected if wager not in case.stakes}
    for wager in [wager for wager in stakes if wager in ("ante", "bonus")]:
        yield fact(e.Bet, spot="1", wager=wager, amount=stakes[wager])
    yield fact(e.Deal, to="1", card=case.cards[0])
    if choice:
        yield fact(e.Choose, spot="1", choice=choice)
    for wager in [wager for wager in stakes if wager in ("over", "under")]:
        yield fact(e.Bet, spot="1", wager=wager, amount=stakes[wager])
    for card in case.cards[1:]:
        yield fact(e.Deal, to="1", card=card)


class Fill(Filler):
    """Adds the facts of steps 2 to 6 of the dealing procedures. When a spot's hand is complete, its facts are
    added in turn: announcement and money of the base wagers, announcement and money of the bonus, and the
    clearing of the cards.
    """

    def start(self) -> None:
        self.cards: dict[str, list[str | None]] = {}
        self.choices: dict[str, str] = {}
        self.spot = ""
        self.steps: list[Draft] = []
        self.closed = False

    def take(self, draft: Draft) -> None:
        kind = draft["kind"]
        if kind in ("deal", "burn"):
            self._card(draft)
        elif kind == "choose":
            self._choose(draft)
        elif kind == "void":
            self.steps, self.spot = [], ""
            self.void_round(draft)
        else:
            self._until(draft)
            self.closed = self.closed or kind == "no-more-bets"
            self.emit(draft)

    def end(self) -> None:
        self._leave()

    def _choose(self, draft: Draft) -> None:
        """Add a choice. Over and Under come with their wager, and a surrender with the take of the ante."""
        spot, choice = draft["spot"], draft["choice"]
        self.emit(draft)
        if (
            choice in ("over", "under", "surrender")
            and self.choices.get(spot) != "surrender"
            and (spot not in self.choices or all(len(cards) < 2 for cards in self.cards.values()))
        ):
            self.choices[spot] = choice
        ante = self.lies.get((spot, "ante"), 0)
        if ante and choice == "surrender":
            self.fill({"kind": "take", "spot": spot, "wager": "ante", "amount": ante})
        elif ante and not self.lies.get((spot, choice)):
            self.fill({"kind": "bet", "spot": spot, "wager": choice, "amount": ante})

    def _card(self, draft: Draft) -> None:
        spot = draft["to"] if draft["kind"] == "deal" else self._burned()
        if spot != self.spot:
            self._leave()
        if spot not in self.cards:
            self._first(spot)
        self.closed = True
        cards = self.cards.setdefault(spot, [])
        self.emit(draft)
        cards.append(draft["card"])
        if len(cards) > 1:
            self.spot = spot
        if len(cards) == 3:
            self.steps = [*self._due(spot, cards), {"kind": "clear", "from": spot}]

    def _first(self, spot: str) -> None:
        """Add the facts before the first card of a spot: the end of betting, and the question about the
        bonus.
        """
        if not self.closed:
            self.fill({"kind": "no-more-bets"})
        if self.lies.get((spot, "ante")) and not self.lies.get((spot, "bonus")) and not self._said(spot):
            self.fill({"kind": "announce", "what": "no-bonus?", "spot": spot})

    def _said(self, spot: str) -> bool:
        return any(
            fact.get("what") == "no-bonus?" and fact["spot"] == spot and fact["round"] == self.name
            for fact in self.done
        )

    def _burned(self) -> str:
        """Return the spot for which a card is burned instead of dealt: the lowest spot that has surrendered,
        has no bonus and has fewer than three cards. If no spot is like that, return the current spot.
        """
        returned = [
            spot
            for spot, choice in self.choices.items()
            if choice == "surrender" and not self.lies.get((spot, "bonus"))
        ]
        return min((spot for spot in returned if len(self.cards[spot]) < 3), default=self.spot)

    def _due(self, spot: str, cards: list[str | None]) -> Iterator[Draft]:
        """Yield the announcements, takes and pays that are due at a spot, in the order of step 6."""
        read = [card for card in cards if card and card[0] in WORTH and card[1:] in tuple("shdc")]
        has_surrendered = self.choices.get(spot) == "surrender"
        open_wagers = [
            wager for wager in ("over", "under") if self.lies.get((spot, wager)) and not has_surrendered
        ]
        choice = self.choices.get(spot, open_wagers[0] if open_wagers else "")
        if len(read) < 3:
            return
        count = total(read)
        word: Draft = {"kind": "announce", "what": "outcome", "spot": spot, "value": count}
        base = [
            wager
            for wager in ("ante", *open_wagers)
            if self.lies.get((spot, wager)) and (wager != "ante" or choice in ("over", "under"))
        ]
        if base and choice in ("over", "under"):
            yield word | {"wager": choice} | ({"pays": "1 to 1"} if wins(choice, count) else {})
        yield from self.due(
            (spot, wager, over_under(wager, self.lies[spot, wager], count, choice)) for wager in base
        )
        if stake := self.lies.get((spot, "bonus")):
            pays = {"pays": f"{BONUS_PAYS[count]} to 1"} if count in BONUS_PAYS else {}
            yield word | {"wager": "bonus"} | pays
            yield from self.due(iter([(spot, "bonus", over_under("bonus", stake, count, choice))]))

    def _until(self, draft: Draft) -> None:
        """Add the facts of the player's spot that are due before the given fact. If the given fact is not due
        at this spot, add nothing.
        """
        names = ("kind", "what", "spot", "wager", "from")
        for place, step in enumerate(self.steps):
            if settles(draft, step) or all(draft.get(name) == step.get(name) for name in names):
                for earlier in self.steps[:place]:
                    self.fill(earlier)
                del self.steps[: place + 1]
                return

    def _leave(self) -> None:
        """Add all facts that are still due at the current spot."""
        for step in self.steps:
            self.fill(step)
        self.steps = []
