"""A round in which a fault is planted. One wager at one spot has a chosen result (`win`, `lose`, `half` or
`push`), and faults can change the money that moves on it.
"""

from __future__ import annotations

from typing import Any

from casino.sample.tables.day import Day
from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.play import Play, placed
from casino.sample.tables.table import Dealt


class Hand:
    """A round in which one wager at one spot has a chosen result (`win` `lose` `half` `push`). Other spots
    may bet too.
    """

    def __init__(self, day: Day, wager: str, want: str, stake: int = 0, spot: str = "") -> None:
        self.day, self.table, self.wager = day, day.table, wager
        dealt: Dealt = self.table.hand(wager, want, stake, spot)
        self.play, self.spot, self.stake, self.owed = dealt

    @property
    def moves(self) -> list[Draft]:
        """Return the drafts of every take and pay of the wager."""
        return self.play.all("take", "pay", spot=self.spot, wager=self.wager)

    @property
    def end(self) -> Draft:
        """Return the fact before which all money of the spot must have moved."""
        fact: Draft = self.table.end(self.play, self.spot)
        return fact

    def keep(self) -> None:
        """Add the drafts of the round to the drafts of the table."""
        self.table.keep(self.play)

    def money(self, kind: str, amount: int) -> Draft:
        """Return a take or a pay of the wager without adding it to the round."""
        return draft(kind, self.play.name, spot=self.spot, wager=self.wager, amount=amount)

    def put(self, moved: int) -> Draft:
        """Add a pay, or a take if `moved` is negative, in the order of settlement. Return the added fact."""
        fact = self.money("pay" if moved > 0 else "take", abs(moved))
        self.table.put_money(self.play, fact)
        return fact

    def whole(self) -> Draft:
        """Combine the spot's bets on the wager into one bet, and return it."""
        return whole(self.play, self.spot, self.wager)

    def expect(self, fact: Draft, code: str, optional: bool = False, **fields: Any) -> None:
        """Expect a finding at this fact that names the hand's spot and wager."""
        self.day.expect(fact, code, optional, spot=self.spot, wager=self.wager, **fields)


def plain_hand(day: Day, want: str = "", **options: Any) -> Hand:
    """Play a hand with a wager that any spot may make. By default the wager wins or loses."""
    return Hand(day, day.rng.choice(day.table.plain), want or day.rng.choice(("win", "lose")), **options)


def whole(play: Play, spot: str, wager: str) -> Draft:
    """Combine the bets of a spot on a wager into one bet, and return it."""
    bets = play.all("bet", spot=spot, wager=wager)
    amount = sum(bet["amount"] for bet in bets) - sum(
        back["amount"] for back in play.all("unbet", spot=spot, wager=wager)
    )
    for extra in bets[1:] + play.all("unbet", spot=spot, wager=wager):
        play.drop(extra)
    bets[0]["amount"] = amount
    return bets[0]


def some_bet(play: Play) -> Draft:
    """Return the first bet of the round, or its first batch of bets."""
    return play.one("bet", "bets")


def busy(day: Day) -> Play:
    """Play a round with at least one bet."""
    while True:
        play: Play = day.table.play()
        if placed(play):
            return play
        day.table.keep(play)


def first_card(play: Play) -> Draft:
    """Return the first card of the round, dealt or burned."""
    return play.one("deal", "burn")
