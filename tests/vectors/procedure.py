"""The honest procedure around a hand: what its notations leave out because it goes without saying."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from casino.sample.settling import BAHAR_FIRST, RANKS, SHORT_SIDE_PAYS, SUITS, andar, easy, pip, rounded, short_side

Draft = dict[str, Any]
BETWEEN = ("shuffled", "table-opened", "corrected", "alarm", "alarm-answered")
STAKES = ("bet", "bets", "unbet")


def matches(draft: Draft, words: str) -> bool:
    """Whether a fact is the one that `words` names, as in `say card 1` or `pay 1 over`."""
    kind, *rest = words.split()
    named = {"say": "announce", "shuffle": "shuffled"}.get(kind, kind)
    values = [str(draft.get(name)) for name in ("what", "spot", "wager", "from", "to") if name in draft]
    return draft["kind"] == named and values[: len(rest)] == rest


class Filler:
    """Walks through the drafts of a case and lays the missing facts between them."""

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
        """Whatever is still due in the round, and its end."""
        if self.is_open:
            self.end()
            if "round-closed" not in self.without:
                self.emit({"kind": "round-closed"})
            self.is_open = False

    def emit(self, draft: Draft) -> None:
        """One fact of the open round, unless it is to be left out."""
        if draft["kind"] in STAKES:
            for spot, wager, amount in draft.get("bets") or [(draft["spot"], draft["wager"], draft["amount"])]:
                self.lies[spot, wager] = self.lies.get((spot, wager), 0) + (-amount if draft["kind"] == "unbet" else amount)
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
            if all(each.get(name) == draft.get(name) for name in ("kind", "what", "spot", "wager", "from")) or settles(each, draft):
                return True
        return False

    def due(self, owed: Iterator[tuple[str, str, Fraction]]) -> list[Draft]:
        """The takes and pays of what is owed, as the table's reading rounds it."""
        moves = []
        for spot, wager, amount in owed:
            moved = rounded(amount, self.table["chip"], self.table["readings"]["rounding"], self.lies[spot, wager])
            if moved:
                moves.append({"kind": "pay" if moved > 0 else "take", "spot": spot, "wager": wager, "amount": int(abs(moved))})
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

    def take(self, draft: Draft) -> None:
        """The hand's next fact, with what goes around it."""
        raise NotImplementedError

    def end(self) -> None:
        """What is due at the end of the round."""


class Easy(Filler):
    """Steps 2 to 16 of the dealer instructions."""

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
            self.dead(draft)
        else:
            self.closed = self.closed or kind == "no-more-bets"
            self.emit(draft)

    def _roll(self, draft: Draft) -> None:
        self.roll = tuple(draft["dice"])
        total = sum(self.roll)
        if not any(fact["kind"] == "shake" and fact["round"] == self.name for fact in self.done if "round" in fact):
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
        for step in ({"kind": "announce", "what": "dice", "value": total}, {"kind": "mark", "value": total, "side": side}, grid):
            self.fill(step)
            if self.named(step) and self.rest and self.rest[0]["kind"] == step["kind"] and self.rest[0].get("what") == step.get("what"):
                self.emit(self.rest.pop(0))

    def _deal(self, draft: Draft) -> None:
        if draft["to"] == self.spot:
            self.emit(draft)  # a card too many: nothing goes with it
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
        """The last spot served gets its winnings, and its card goes."""
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
            fact["kind"] == "clear" and fact["from"] == self.spot and fact["round"] == self.name for fact in self.done if "round" in fact
        )

    def end(self) -> None:
        self._leave()


class Andar(Filler):
    """From the shuffle to the settlement of a live round."""

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


def settles(moved: Draft, due: Draft) -> bool:
    """Whether this take, pay or batch is about the spot and wager of the take or pay that is due."""
    if moved["kind"] not in ("take", "pay", "settled") or due["kind"] not in ("take", "pay"):
        return False
    entries = [*moved.get("paid", []), *moved.get("taken", [])] or [(moved["spot"], moved["wager"])]
    return any((entry[0], entry[1]) == (due["spot"], due["wager"]) for entry in entries)


def easy_over_under(drafts: list[Draft], table: Draft, without: set[str], honest: bool) -> list[Draft]:
    """All rounds of a hand of Easy Over Under."""
    return Easy(drafts, table, without, honest).run()


def andar_bahar(drafts: list[Draft], table: Draft, without: set[str], honest: bool) -> list[Draft]:
    """All rounds of a hand of Andar Bahar."""
    return Andar(drafts, table, without, honest).run()
