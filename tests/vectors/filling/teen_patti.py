"""Teen Patti: add the facts from the shuffle to the settlement of a live-dealer round around a hand."""

from __future__ import annotations

from collections.abc import Iterator

from casino.sample.tables.patti import PATTI_WAGERS, teen_patti
from casino.sample.tables.teen_patti import TeenPattiTable
from games.kit import events as e
from games.kit.events import Event
from tests.vectors.dealing import fact
from tests.vectors.filling.filler import Draft, TwoHands, live_table
from tests.vectors.reading import Case

TABLE = live_table((*PATTI_WAGERS, "ante-bonus"), 1, TeenPattiTable.sees)
FIRST: list[str] = []
PLACE = "player"


def deal(case: Case) -> Iterator[Event]:
    """Yield the first bets, three cards to the player, three to the dealer, the choice, and the
    play wager.
    """
    for wager, stake in case.stakes.items():
        if wager != "play":
            yield fact(e.Bet, spot="1", wager=wager, amount=stake)
    for place, card in zip(("player",) * 3 + ("dealer",) * 3, case.cards, strict=True):
        yield fact(e.Deal, to=place, card=card)
    if "ante" in case.decisions:
        yield fact(e.Choose, spot="1", choice=case.decisions["ante"])
    if "play" in case.stakes:
        yield fact(e.Bet, spot="1", wager="play", amount=case.stakes["play"])


class Fill(TwoHands):
    """Adds the facts of Teen Patti: bets, cards, decisions and settlement. A spot plays if the hand gives no
    decision for it.
    """

    places = ("player", "dealer")

    def complete_hands(self) -> None:
        """Add the decision of each player with an ante, in the order of the antes."""
        for spot in [
            spot
            for (spot, wager), stake in self.lies.items()
            if wager == "ante" and stake and spot not in self.gone
        ]:
            if self.decision(spot) is None:
                self.fill({"kind": "choose", "spot": spot, "choice": "play"})
            self.wager(spot)

    def chosen(self, draft: Draft) -> None:
        self.wager(draft["spot"])

    def wager(self, spot: str) -> None:
        """Add the play wager of a spot that has decided to play."""
        if (
            self.decision(spot) == "play"
            and self.lies.get((spot, "ante"))
            and not self.lies.get((spot, "play"))
        ):
            self.fill({"kind": "bet", "spot": spot, "wager": "play", "amount": self.lies[spot, "ante"]})

    def decision(self, spot: str) -> str | None:
        """Return the spot's first decision, or None if the spot has no decision."""
        decisions = [
            fact
            for fact in self.done
            if fact["kind"] == "choose" and fact["spot"] == spot and fact["round"] == self.name
        ]
        first = next((fact for fact in decisions if fact["choice"] in ("play", "fold")), None)
        return None if first is None else "fold" if first.get("timeout") else str(first["choice"])

    def plays(self, spot: str) -> bool:
        """Return True if the spot plays. Without a decision, it plays if it has a play wager."""
        decision = self.decision(spot)
        return decision == "play" if decision else self.lies.get((spot, "play"), 0) > 0

    def moves(self, hands: list[list[str]]) -> list[Draft]:
        lies = [(*key, stake) for key, stake in self.lies.items() if stake and key[1] in PATTI_WAGERS]
        lies = [(spot, wager, stake) for spot, wager, stake in lies if wager != "play" or self.plays(spot)]
        lies += [(spot, "ante-bonus", stake) for spot, wager, stake in lies if wager == "ante"]
        self.lies |= {(spot, wager): stake for spot, wager, stake in lies}
        return self.due(
            (spot, wager, teen_patti(wager, stake, *hands, self.plays(spot), *self.poker_options()))
            for spot, wager, stake in lies
        )
