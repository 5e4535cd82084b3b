"""The base classes of fillers. A filler adds the facts of the correct procedure to a hand that is written in
short notation.

These classes have what all games share: rounds open and close, stakes are added up, and each take or pay that
is due is made once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from casino.sample.tables.settling import RANKS, SUITS, rounded

Draft = dict[str, Any]
BETWEEN = ("shuffled", "table-opened", "corrected", "alarm", "alarm-answered")
STAKES = ("bet", "bets", "unbet")
DECK = frozenset(rank + suit for rank in RANKS for suit in SUITS)


def matches(draft: Draft, words: str) -> bool:
    """Return True if `words` names this fact, as `say card 1` or `pay 1 over` does."""
    kind, *rest_of_words = words.split()
    named = {"say": "announce", "shuffle": "shuffled"}.get(kind, kind)
    values = [str(draft.get(name)) for name in ("what", "spot", "wager", "from", "to") if name in draft]
    return draft["kind"] == named and values[: len(rest_of_words)] == rest_of_words


class Taker(ABC):
    """The base class of all fillers. Every filler must define the method `take`."""

    @abstractmethod
    def take(self, draft: Draft) -> None:
        """Add the next fact of the hand, and the facts that the procedure requires before and after it."""


class Filler(Taker):
    """Goes through the drafts of a case, which are facts without uid and time, and adds the missing ones."""

    every_round = False
    """True if the deck is shuffled before each round, and not once for each shoe."""

    def __init__(self, drafts: list[Draft], table: Draft, without: set[str], honest: bool) -> None:
        self.rest, self.table, self.without, self.honest = list(drafts), table, without, honest
        self.done: list[Draft] = []
        self.number = 0
        self.is_open = False

    def run(self) -> list[Draft]:
        """Return the given drafts and the added ones, for all rounds of the case."""
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
        """Return the name of the open round or, if none is open, of the latest round."""
        return f"r-{self.number:04d}"

    def open(self) -> None:
        """Open a round if none is open."""
        if not self.is_open:
            self.number += 1
            self.is_open = True
            self.lies: dict[tuple[str, str], int] = {}
            self.void = False
            self.start()
            self.emit({"kind": "round-opened"})

    def close(self) -> None:
        """Add all facts that are still due in the round, and close the round."""
        if self.is_open:
            self.end()
            if "round-closed" not in self.without:
                self.emit({"kind": "round-closed"})
            self.is_open = False

    def emit(self, draft: Draft) -> None:
        """Add a fact to the open round, and update the stakes."""
        if draft["kind"] in STAKES:
            for spot, wager, amount in draft.get("bets") or [
                (draft["spot"], draft["wager"], draft["amount"])
            ]:
                self.lies[spot, wager] = self.lies.get((spot, wager), 0) + (
                    -amount if draft["kind"] == "unbet" else amount
                )
        self.done.append(draft | {"round": self.name})

    def fill(self, draft: Draft) -> None:
        """Add a fact that the procedure requires. Do not add it if the hand contains it or leaves it out on
        purpose.
        """
        if (
            not self.honest
            or self.rest_contains(draft)
            or any(matches(draft, words) for words in self.without)
        ):
            return
        if not any(settles(moved, draft) for moved in self.done if moved.get("round") == self.name):
            self.emit(draft)

    def rest_contains(self, draft: Draft) -> bool:
        """Return True if this fact comes later in the hand of this round. Also return True if a later fact
        settles the wager that this take or pay would settle.
        """
        for fact in self.rest:
            if fact["kind"] == "next":
                return False
            if all(
                fact.get(name) == draft.get(name) for name in ("kind", "what", "spot", "wager", "from")
            ) or settles(fact, draft):
                return True
        return False

    def due(self, owed: Iterator[tuple[str, str, Fraction]]) -> list[Draft]:
        """Return the takes and pays by which these amounts are settled, rounded by the table's option."""
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

    def void_round(self, draft: Draft) -> None:
        """Add the fact that voids the round, and the return of every stake."""
        self.emit(draft)
        self.void = True
        for (spot, wager), amount in self.lies.items():
            if amount:
                self.fill({"kind": "return", "spot": spot, "wager": wager, "amount": amount})

    def start(self) -> None:
        """Add the facts that the game requires before a round opens. By default, add nothing."""

    def end(self) -> None:
        """Add the facts that the game requires at the end of a round. By default, add nothing."""


def live_table(wagers: Iterable[str], decks: int, sees: Iterable[str], **readings: str) -> Draft:
    """Return the settings of a live-dealer table, with the manual's own edition and pay tables."""
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
    """Adds the facts of a live-dealer round: the end of betting before the first card, and the shuffle if
    each round has one. Players whose connection is lost before the end of betting have no stakes.
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
        """Add a fact that is not a card. After a void, also add the return of every stake."""
        if draft["kind"] == "void":
            self.void_round(draft)
            return
        if draft["kind"] == "player-lost" and not self.closed:
            self.lies = {key: amount for key, amount in self.lies.items() if key[0] != draft["spot"]}
        self.closed = self.closed or draft["kind"] == "no-more-bets"
        self.emit(draft)

    def close_betting(self) -> None:
        """End the betting before the first card, if it is still open."""
        if not self.closed:
            self.fill({"kind": "no-more-bets"})
        self.closed = True

    def settle(self, owed: Callable[[str, int], Fraction]) -> None:
        """Add the takes and pays of all stakes. `owed` returns the amount for a wager and a stake."""
        stakes = [
            (spot, wager, stake)
            for (spot, wager), stake in self.lies.items()
            if stake and wager in self.table["pay_tables"]
        ]
        for move in self.due((spot, wager, owed(wager, stake)) for spot, wager, stake in stakes):
            self.fill(move)


class TwoHands(Live):
    """Adds the facts of a game with one deck that is shuffled before each round, and two hands of three
    cards. All bets are decided when both hands are complete.
    """

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
                self.complete_hands()

    def complete_hands(self) -> None:
        """Add the facts that the game requires when all six cards are dealt. By default, add nothing."""

    def chosen(self, draft: Draft) -> None:
        """Add the facts that the game requires after a player's decision. By default, add nothing."""

    def poker_options(self) -> tuple[str, str]:
        """Return two options of the table: the rank of A-2-3 and that of the steel wheel."""
        readings = self.table["readings"]
        return readings.get("a23", "lowest"), readings.get("steel-wheel", "straight-flush")

    @abstractmethod
    def moves(self, hands: list[list[str]]) -> list[Draft]:
        """Return the takes and pays that are due on all stakes, according to the two hands."""

    def end(self) -> None:
        cards = [card for hand in self.hands.values() for card in hand]
        if len(cards) == 6 and not self.void and all(card in DECK for card in cards):
            for move in self.moves([[str(card) for card in hand] for hand in self.hands.values()]):
                self.fill(move)


def settles(moved: Draft, due: Draft) -> bool:
    """Return True if this take, pay or batch settles the spot and wager of the take or pay that is due."""
    if moved["kind"] not in ("take", "pay", "settled") or due["kind"] not in ("take", "pay"):
        return False
    entries = [*moved.get("paid", []), *moved.get("taken", [])] or [(moved["spot"], moved["wager"])]
    return any((entry[0], entry[1]) == (due["spot"], due["wager"]) for entry in entries)
