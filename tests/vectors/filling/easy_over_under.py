"""Easy Over Under: add the facts of dealer instructions 2 to 16 around a hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from casino.sample.tables.easy_over_under import SHORT_SIDE_PAYS, EasyTable, easy, short_side
from casino.sample.tables.settling import RANKS, SUITS, pip
from games.kit import events as e
from games.kit.events import Event
from tests.vectors.dealing import fact
from tests.vectors.filling.filler import Draft, Filler
from tests.vectors.reading import Case

TABLE: dict[str, Any] = {
    "edition": "2010-02-05",
    "pay_tables": {"spread": "A"},
    "decks": 6,
    "spots": 6,
    "limits": {"*": [100, 10_000]},
    "currency": "USD",
    "chip": 1,
    "readings": {"rounding": "exact"},
    "sees": list(EasyTable.sees),
}
FIRST = ["bet 1 over 1000", "roll 6 4"]
PLACE = "1"


def deal(case: Case) -> Iterator[Event]:
    """Yield the first bets, the roll, the Short Side, and the card."""
    for wager in [wager for wager in case.stakes if wager != "short-side"]:
        yield fact(e.Bet, spot="1", wager=wager, amount=case.stakes[wager])
    yield fact(e.Roll, dice=list(case.dice))
    if "short-side" in case.stakes:
        yield fact(e.Bet, spot="1", wager="short-side", amount=case.stakes["short-side"])
    yield fact(e.Deal, to="1", card=case.cards[0])


class Fill(Filler):
    """Adds the facts of steps 2 to 16 of the dealer instructions of Easy Over Under."""

    roll: tuple[int, ...] = ()
    spot = ""
    pays: tuple[Draft, ...] | list[Draft] = ()
    closed = False

    def start(self) -> None:
        self.roll, self.spot, self.pays, self.closed = (), "", (), False

    def take(self, draft: Draft) -> None:
        kind = draft["kind"]
        if kind == "roll":
            self._roll(draft)
        elif kind == "deal":
            self._deal(draft)
        elif kind == "clear" and draft["from"] == self.spot:
            self._pay()
            self.emit(draft)
        elif kind == "void":
            self.pays, self.spot = (), ""
            self.void_round(draft)
        else:
            self.closed = self.closed or kind == "no-more-bets"
            self.emit(draft)

    def _roll(self, draft: Draft) -> None:
        self.roll = tuple(draft["dice"])
        total = sum(self.roll)
        if not any(
            fact["kind"] == "shake" and fact["round"] == self.name for fact in self.done if "round" in fact
        ):
            self.fill({"kind": "shake", "times": 5})
        self.emit(draft)
        grid: Draft = {"kind": "announce", "what": "no-short-side"}
        if total in SHORT_SIDE_PAYS:
            grid = {
                "kind": "announce",
                "what": "short-side",
                "ranks": short_side(total),
                "pays": "{} to {}".format(*SHORT_SIDE_PAYS[total]),
            }
        side = "ties-push" if len(set(self.roll)) == 1 else "ties-lose-half"
        for step in (
            {"kind": "announce", "what": "dice", "value": total},
            {"kind": "mark", "value": total, "side": side},
            grid,
        ):
            self.fill(step)
            if (
                self.rest_contains(step)
                and self.rest
                and self.rest[0]["kind"] == step["kind"]
                and self.rest[0].get("what") == step.get("what")
            ):
                self.emit(self.rest.pop(0))

    def _deal(self, draft: Draft) -> None:
        if draft["to"] == self.spot:
            self.emit(draft)  # an extra card, which needs no other facts
            return
        self._leave()
        if sum(self.roll) != 7 and not self.closed:
            self.fill({"kind": "no-more-bets"})
        self.closed = True
        self.emit(draft)
        spot, card = draft["to"], draft["card"]
        if card is None or card[0] not in RANKS or card[1] not in SUITS or not self.roll:
            self.spot = spot
            return
        self.fill({"kind": "announce", "what": "card", "value": pip(card), "spot": spot})
        moves = self.due(
            (spot, wager, easy(wager, stake, self.roll, card, self.table["pay_tables"]["spread"]))
            for (of, wager), stake in self.lies.items()
            if of == spot
            and stake
            and (wager != "short-side" or sum(self.roll) != 7)
            and wager in ("over", "under", "spread", "short-side")
        )
        if self.rest and self.rest[0].get("what") == "card":
            self.emit(self.rest.pop(0))
        for move in moves:
            if move["kind"] == "take":
                self.fill(move)
        self.spot, self.pays = spot, [move for move in moves if move["kind"] == "pay"]

    def _leave(self) -> None:
        """Add the pays that are due at the spot with the latest card, and clear that card."""
        self._pay()
        if self.spot and not self._cleared():
            self.fill({"kind": "clear", "from": self.spot})
        self.spot = ""

    def _pay(self) -> None:
        for move in self.pays:
            self.fill(move)
        self.pays = ()

    def _cleared(self) -> bool:
        return any(
            fact["kind"] == "clear" and fact["from"] == self.spot and fact["round"] == self.name
            for fact in self.done
            if "round" in fact
        )

    def end(self) -> None:
        self._leave()
