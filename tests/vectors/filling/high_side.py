"""High Side: add the facts of Rules 3 to 12 around a hand.

`bet 1 dice 1000` means three equal wagers on the dice. If a hand gives no decision for a spot, the decision
to keep the wagers in play is added when it is due. It is not added if `without` has `first 1` or `second 1`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from casino.sample.tables.high_side import MAINS, SIDES, HighSideTable, high
from casino.sample.tables.settling import RANKS, SUITS
from games.kit import events as e
from games.kit.events import Event
from tests.vectors.dealing import fact
from tests.vectors.filling.filler import Draft, Filler
from tests.vectors.reading import Case

TABLE: dict[str, Any] = {
    "edition": "2013-03",
    "pay_tables": {"bonus": "1"},
    "decks": 6,
    "spots": 6,
    "limits": {"*": [100, 10_000]},
    "currency": "USD",
    "chip": 1,
    "readings": {"tie": "lose", "rounding": "exact"},
    "sees": list(HighSideTable.sees),
}
FIRST = ["bet 1 dice-1 1000", "roll 3", "roll 5"]
PLACE = "community"


def deal(case: Case) -> Iterator[Event]:
    """Yield the wagers, the dice one by one, the decisions after each die, and the card."""
    for wager, stake in case.stakes.items():
        yield fact(e.Bet, spot="1", wager=wager, amount=stake)
    for die, numbers in zip(case.dice, ("1", "23"), strict=True):
        yield fact(e.Roll, dice=[die])
        for wager, decision in case.decisions.items():
            if wager[-1] in numbers:
                yield (
                    fact(e.Pull, spot="1", wager=wager)
                    if decision == "withdraw"
                    else fact(e.Choose, spot="1", choice=decision)
                )
    yield fact(e.Deal, to="community", card=case.cards[0])


class Fill(Filler):
    """Adds the facts of Rules 3 to 12 of High Side."""

    def start(self) -> None:
        self.dice: list[int] = []
        self.card = ""
        self.decided: set[tuple[str, int]] = set()

    def take(self, draft: Draft) -> None:
        kind = draft["kind"]
        if kind == "bet" and draft["wager"] in SIDES:
            for wager in SIDES[draft["wager"]]:
                self.emit(draft | {"wager": wager})
        elif kind == "roll":
            self._roll(draft)
        elif kind == "deal":
            self._deal(draft)
        elif kind == "void":
            self.void_round(draft)
        else:
            if kind in ("take", "pay") and draft["wager"] == "bonus" and self.card:
                self._settle(MAINS)
            if kind == "choose" or (kind == "pull" and draft["wager"] in MAINS):
                self.decided.add(
                    (draft["spot"], max(len(self.dice), 1) if kind == "choose" else int(draft["wager"][-1]))
                )
            self.emit(draft)
            if kind == "pull" and self._in_time(draft["wager"]):
                self.lies.pop((draft["spot"], draft["wager"]), None)

    def _in_time(self, wager: str) -> bool:
        """Return True if this wager may be withdrawn now or later in the round."""
        if wager not in MAINS or wager[-1] == "3" or self.card:
            return False
        return len(self.dice) < 2 or (wager[-1] == "2" and sum(self.dice) != 7)

    def _roll(self, draft: Draft) -> None:
        if not self.dice and not any(
            fact["kind"] == "shake" and fact.get("round") == self.name for fact in self.done
        ):
            for cup in (1, 2):
                self.fill({"kind": "shake", "times": 3, "cup": cup})
        self._decide(1)
        self.emit(draft)
        before, self.dice = len(self.dice), (self.dice + draft["dice"])[:2]
        if before < len(self.dice) == 2:
            self.fill({"kind": "announce", "what": "dice", "value": sum(self.dice)})

    def _decide(self, number: int) -> None:
        """Add the decision to keep the wagers with this number, at each spot that has made no decision about
        them.
        """
        if len(self.dice) != number or not self.honest or (number == 2 and sum(self.dice) == 7):
            return
        word = ("first", "second")[number - 1]
        for spot in dict.fromkeys(
            spot for spot, wager in self.lies if wager in MAINS and wager[-1] == str(number)
        ):
            if (spot, number) not in self.decided and f"{word} {spot}" not in self.without:
                self.emit({"kind": "choose", "spot": spot, "choice": "keep"})

    def _deal(self, draft: Draft) -> None:
        if not self.card:
            self._decide(2)
            self._sweep()
        self.emit(draft)
        self.card = self.card or draft["card"] or "-"

    def _sweep(self) -> None:
        """Take the second and third wagers if the dice add up to seven, as rule 8 requires."""
        if sum(self.dice) == 7 and len(self.dice) == 2:
            for (spot, wager), stake in self.lies.items():
                if stake and wager in MAINS and wager[-1] != "1":
                    self.fill({"kind": "take", "spot": spot, "wager": wager, "amount": stake})

    def _settle(self, wagers: tuple[str, ...]) -> None:
        """Settle these wagers, if dice and card can be read."""
        if (
            self.card[:1] not in tuple(RANKS)
            or self.card[1:] not in tuple(SUITS)
            or len(self.dice) != 2
            or set(self.dice) - set(range(1, 7))
        ):
            return
        dice, table, tie = (
            (self.dice[0], self.dice[1]),
            self.table["pay_tables"]["bonus"],
            self.table["readings"].get("tie", "lose"),
        )
        stakes = [
            (spot, wager, stake) for (spot, wager), stake in self.lies.items() if stake and wager in wagers
        ]
        for move in self.due(
            (spot, wager, high(wager, stake, dice, self.card, table, tie)) for spot, wager, stake in stakes
        ):
            self.fill(move)

    def end(self) -> None:
        if not self.void:
            self._sweep()
            self._settle(MAINS)
            self._settle(("bonus",))
