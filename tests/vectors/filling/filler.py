"""What every game's honest procedure has in common: rounds open and close, what lies is known, what is due
moves once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from casino.sample.settling import RANKS, SUITS, rounded

Draft = dict[str, Any]
BETWEEN = ("shuffled", "table-opened", "corrected", "alarm", "alarm-answered")
STAKES = ("bet", "bets", "unbet")
DECK = frozenset(rank + suit for rank in RANKS for suit in SUITS)


def matches(draft: Draft, words: str) -> bool:
    """Whether a fact is the one that `words` names, as in `say card 1` or `pay 1 over`."""
    kind, *rest = words.split()
    named = {"say": "announce", "shuffle": "shuffled"}.get(kind, kind)
    values = [str(draft.get(name)) for name in ("what", "spot", "wager", "from", "to") if name in draft]
    return draft["kind"] == named and values[: len(rest)] == rest


class Taker(ABC):
    """What no filler can do without."""

    @abstractmethod
    def take(self, draft: Draft) -> None:
        """The hand's next fact, with what goes around it."""


class Filler(Taker):
    """Walks through the drafts of a case and lays the missing facts between them."""

    every_round = False
    """The deck is shuffled before each round, not once a shoe."""

    def __init__(self, drafts: list[Draft], table: Draft, without: set[str], honest: bool) -> None:
        self.rest, self.table, self.without, self.honest = list(drafts), table, without, honest
        self.done: list[Draft] = []
        self.number = 0
        self.is_open = False

    def run(self) -> list[Draft]:
        """All rounds of the case."""
        while self.rest:
            draft = self.rest.pop(0)
            if draft["kind"] == "next":
                self.close()
            elif draft.pop("within", False):
                self.open()
                self.emit(draft)
            elif draft["kind"] in BETWEEN and draft["kind"] != "alarm-answered":
                self.close()
                self.done.append(draft | ({"round": self.name} if draft["kind"] == "corrected" else {}))
            elif draft["kind"] == "alarm-answered":
                self.done.append(draft)
            else:
                self.open()
                self.take(draft)
        self.close()
        return self.done

    @property
    def name(self) -> str:
        """The round that is, or was last, open."""
        return f"r-{self.number:04d}"

    def open(self) -> None:
        """A round opens with the first fact in it."""
        if not self.is_open:
            self.number += 1
            self.is_open = True
            self.lies: dict[tuple[str, str], int] = {}
            self.void = False
            self.start()
            self.emit({"kind": "round-opened"})

    def close(self) -> None:
        """Add everything that is still due in the round, and its end."""
        if self.is_open:
            self.end()
            if "round-closed" not in self.without:
                self.emit({"kind": "round-closed"})
            self.is_open = False

    def emit(self, draft: Draft) -> None:
        """One fact of the open round, unless it is to be left out."""
        if draft["kind"] in STAKES:
            for spot, wager, amount in draft.get("bets") or [
                (draft["spot"], draft["wager"], draft["amount"])
            ]:
                self.lies[spot, wager] = self.lies.get((spot, wager), 0) + (
                    -amount if draft["kind"] == "unbet" else amount
                )
        self.done.append(draft | {"round": self.name})

    def fill(self, draft: Draft) -> None:
        """A fact that the procedure asks for, unless the hand has it itself or goes without."""
        if not self.honest or self.named(draft) or any(matches(draft, words) for words in self.without):
            return
        if not any(settles(moved, draft) for moved in self.done if moved.get("round") == self.name):
            self.emit(draft)

    def named(self, draft: Draft) -> bool:
        """Whether the rest of this round's hand has this fact in its own words."""
        for each in self.rest:
            if each["kind"] == "next":
                return False
            if all(
                each.get(name) == draft.get(name) for name in ("kind", "what", "spot", "wager", "from")
            ) or settles(each, draft):
                return True
        return False

    def due(self, owed: Iterator[tuple[str, str, Fraction]]) -> list[Draft]:
        """The takes and pays of what is owed, as the table's reading rounds it."""
        moves = []
        for spot, wager, amount in owed:
            moved = rounded(
                amount, self.table["chip"], self.table["readings"]["rounding"], self.lies[spot, wager]
            )
            if moved:
                moves.append(
                    {
                        "kind": "pay" if moved > 0 else "take",
                        "spot": spot,
                        "wager": wager,
                        "amount": int(abs(moved)),
                    }
                )
        return moves

    def dead(self, draft: Draft) -> None:
        """A void: every stake comes back."""
        self.emit(draft)
        self.void = True
        for (spot, wager), amount in self.lies.items():
            if amount:
                self.fill({"kind": "return", "spot": spot, "wager": wager, "amount": amount})

    def start(self) -> None:
        """What comes before the round opens."""

    def end(self) -> None:
        """What is due at the end of the round."""


def live_table(wagers: Iterable[str], decks: int, sees: Iterable[str], **readings: str) -> Draft:
    """The settings of a studio's table, under the manual's own edition and pays."""
    return {
        "edition": "ezugi",
        "pay_tables": dict.fromkeys(wagers, "ezugi"),
        "decks": decks,
        "spots": 0,
        "limits": {"*": [100, 10_000]},
        "currency": "EUR",
        "chip": 1,
        "readings": {"rounding": "exact"} | readings,
        "sees": list(sees),
    }


class Live(Filler):
    """A round in a studio: the countdown before the first card, players who are lost before it, the shuffle
    where each round has one.
    """

    def start(self) -> None:
        self.closed = False
        shuffled = bool(self.done) and self.done[-1]["kind"] == "shuffled"
        if (
            self.every_round
            and self.number > 1
            and not shuffled
            and "shuffle" not in self.without
            and self.honest
        ):
            self.done.append({"kind": "shuffled", "shoe": "shoe-1"})

    def pass_on(self, draft: Draft) -> None:
        """A fact that is no card."""
        if draft["kind"] == "void":
            self.dead(draft)
            return
        if draft["kind"] == "player-lost" and not self.closed:
            self.lies = {key: amount for key, amount in self.lies.items() if key[0] != draft["spot"]}
        self.closed = self.closed or draft["kind"] == "no-more-bets"
        self.emit(draft)

    def close_betting(self) -> None:
        """The countdown has ended before the first card."""
        if not self.closed:
            self.fill({"kind": "no-more-bets"})
        self.closed = True

    def settle(self, owed: Callable[[str, int], Fraction]) -> None:
        """What is due on all that lies, by wager and stake."""
        stakes = [
            (spot, wager, stake)
            for (spot, wager), stake in self.lies.items()
            if stake and wager in self.table["pay_tables"]
        ]
        for move in self.due((spot, wager, owed(wager, stake)) for spot, wager, stake in stakes):
            self.fill(move)


class TwoHands(Live):
    """One deck, shuffled before each round; two hands of three cards, the sixth of which decides all."""

    every_round = True
    places: tuple[str, str]

    def start(self) -> None:
        super().start()
        self.hands: dict[str, list[str | None]] = {place: [] for place in self.places}
        self.gone: set[str] = set()

    def take(self, draft: Draft) -> None:
        kind = draft["kind"]
        if kind == "cards":
            for place, card in zip(
                (self.places[0],) * 3 + (self.places[1],) * 3, draft["cards"], strict=True
            ):
                self._card({"kind": "deal", "to": place, "card": card})
        elif kind == "deal":
            self._card(draft)
        else:
            if kind in ("player-lost", "player-back"):
                (self.gone.add if kind == "player-lost" else self.gone.discard)(draft["spot"])
            self.pass_on(draft)
            if kind == "choose":
                self.chosen(draft)

    def _card(self, draft: Draft) -> None:
        self.close_betting()
        self.emit(draft)
        hand = self.hands.get(draft["to"], [])
        if len(hand) < 3:
            hand.append(draft["card"])
            if all(len(cards) == 3 for cards in self.hands.values()):
                self.whole()

    def whole(self) -> None:
        """All six cards lie."""

    def chosen(self, draft: Draft) -> None:
        """A player has decided."""

    def answers(self) -> tuple[str, str]:
        """The table's readings of A-2-3 and of the steel wheel."""
        readings = self.table["readings"]
        return readings.get("a23", "lowest"), readings.get("steel-wheel", "straight-flush")

    @abstractmethod
    def moves(self, hands: list[list[str]]) -> list[Draft]:
        """The takes and pays that are due on all that lies, by the two hands."""

    def end(self) -> None:
        cards = [card for hand in self.hands.values() for card in hand]
        if len(cards) == 6 and not self.void and all(card in DECK for card in cards):
            for move in self.moves([[str(card) for card in hand] for hand in self.hands.values()]):
                self.fill(move)


def settles(moved: Draft, due: Draft) -> bool:
    """Whether this take, pay or batch is about the spot and wager of the take or pay that is due."""
    if moved["kind"] not in ("take", "pay", "settled") or due["kind"] not in ("take", "pay"):
        return False
    entries = [*moved.get("paid", []), *moved.get("taken", [])] or [(moved["spot"], moved["wager"])]
    return any((entry[0], entry[1]) == (due["spot"], due["wager"]) for entry in entries)
