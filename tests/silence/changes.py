"""Every small change to a round: a fact is removed, repeated, swapped or moved, or one of its fields is
changed.

The changes are made to facts as they are posted. This module knows the contract of facts, but uses nothing
from `games`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

Fact = dict[str, Any]

RANKS, SUITS = "A23456789TJQK", "shdc"
WAGERS = {
    "easy_over_under": ("over", "under", "spread", "short-side"),
    "casino_over_under": ("ante", "over", "under", "bonus"),
    "high_side": ("dice-1", "dice-2", "dice-3", "card-1", "card-2", "card-3", "bonus"),
    "andar_bahar": ("andar", "bahar", "1-5", "6-10", "11-15", "16-25", "26-30", "31-35", "36-40", "41+"),
    "teen_patti": ("ante", "play", "pair-or-better", "3+3", "ante-bonus"),
    "bet_on_teen_patti": ("player-a", "player-b", "pair-a", "pair-b", "3+3"),
    "lucky_7": ("7-up", "7", "7-down", "red", "black", "odd", "even"),
}
PLACES = {
    "easy_over_under": ("1", "2", "3", "6"),
    "casino_over_under": ("1", "2", "3", "7"),
    "high_side": ("community", "dealer"),
    "andar_bahar": ("joker", "andar", "bahar"),
    "teen_patti": ("player", "dealer"),
    "bet_on_teen_patti": ("a", "b"),
    "lucky_7": ("table", "dealer"),
}
CHOICES = ("over", "under", "surrender", "play", "fold", "keep")
WORDS = ("dice", "short-side", "no-short-side", "no-bonus?", "outcome", "card")
ENVELOPE = frozenset({"uid", "table", "day", "kind", "at", "source", "n", "v"})


class Change(NamedTuple):
    """One change to a stream: how the change was made, the fact and the field that it concerns, and all facts
    of the changed stream.
    """

    how: str
    """`remove`, `repeat`, `repeat late`, `swap`, `move`, or `field`."""
    fact: Fact
    """The fact before the change."""
    field: str
    became: Any
    """The fact after the change. For `swap`, the other fact; for `move`, the fact after which the moved fact
    now comes.
    """
    facts: list[Fact]

    @property
    def kind(self) -> str:
        return str(self.fact["kind"])

    def __str__(self) -> str:
        return (
            f"{self.how} {self.field} {fact_text(self.fact)} ->"
            f" {fact_text(self.became) if isinstance(self.became, dict) else self.became}"
        )


def fact_text(fact: Fact) -> str:
    """Return a fact without its envelope, as text for a message."""
    return " ".join(
        [
            fact["kind"],
            *(f"{name}={value}" for name, value in fact.items() if name not in ENVELOPE and name != "round"),
        ]
    )


def changes(game: str, facts: Sequence[Fact], first: int, last: int) -> Iterator[Change]:
    """Yield every change to the facts from index `first` up to but not including `last`."""
    new = (f"00000000-0000-4000-8000-{place:012}" for place in count(1))
    for place in range(first, last):
        fact, before, after = facts[place], list(facts[:place]), list(facts[place + 1 :])
        copy = fact | {"uid": next(new)}
        yield Change("remove", fact, "", "", before + after)
        yield Change("repeat", fact, "", "", [*before, fact, copy, *after])
        if place < last - 2:
            distance = last - place - 2
            yield Change(
                "repeat late", fact, "", "", [*before, fact, *after[:distance], copy, *after[distance:]]
            )
        if place + 1 < last:
            yield swapped(fact, before, after)
        for to in range(first, last):
            if abs(to - place) > 1:
                others = before + after
                yield Change("move", fact, "", others[to - 1], [*others[:to], fact, *others[to:]])
        for field, became in fields(game, fact, facts[first:last]):
            yield Change("field", fact, field, became, [*before, became, *after])


def swapped(fact: Fact, before: list[Fact], after: list[Fact]) -> Change:
    """Return the change that swaps a fact with the next one."""
    return Change("swap", fact, "", after[0], [*before, after[0], fact, *after[1:]])


def fields(game: str, fact: Fact, round: Sequence[Fact]) -> Iterator[tuple[str, Fact]]:
    """Yield the name of a field and the fact with this field changed. Every field is changed to every value
    that is worth trying.
    """
    for name, value in fact.items():
        if name in ENVELOPE:
            continue
        if name in ("bets", "paid", "taken"):
            for place, move in enumerate(value):
                sides = value[:place], value[place + 1 :]
                yield f"{name} entry", fact | {name: sides[0] + sides[1]}
                yield f"{name} entry twice", fact | {name: [*sides[0], move, move, *sides[1]]}
                for part, of in enumerate(("spot", "wager", "amount")):
                    for other in values(game, of, move[part], round):
                        yield (
                            f"{name} {of}",
                            fact | {name: [*sides[0], [*move[:part], other, *move[part + 1 :]], *sides[1]]},
                        )
            continue
        for other in values(game, name, value, round):
            yield name, fact | {name: other}
        if name in ("value", "ranks", "pays", "player", "cup", "cut"):
            yield f"no {name}", {key: of for key, of in fact.items() if key != name}


def values(game: str, field: str, value: Any, round: Sequence[Fact]) -> Iterator[Any]:
    """Yield other values that a field could have."""
    if field in OTHERS:
        yield from (other for other in OTHERS[field] if other != value)
    elif field in ("spot", "from"):
        spots = {fact["spot"] for fact in round if fact.get("spot")}
        yield from sorted(spots - {value})[:3]
        yield "p-1" if str(value).startswith("p-") else "5"
    elif field in ("wager", "to"):
        known = (*WAGERS[game], "insurance") if field == "wager" else PLACES[game]
        yield from (other for other in known if other != value)
    elif field == "card" and value is not None:
        yield None
        yield from cards(value, round)
    elif field in NEAR:
        yield from NEAR[field](value)


def amounts(value: int) -> list[int]:
    """Return other amounts: twice, half and ten times as much, and one chip more."""
    return [value * 2, value * 10, value + 100, *([value // 2] if value > 1 else [])]


def numbers(value: Any) -> list[Any]:
    """Return wrong values for a number: one more and one less. For a declared result, return the others."""
    return [value + 1, value - 1] if isinstance(value, int) else ["tie", "andar"]


def dice(value: list[int]) -> list[list[int]]:
    """Return the dice with each die changed by one, and dice with an impossible value."""
    return [
        *([*value[:place], die % 6 + 1, *value[place + 1 :]] for place, die in enumerate(value)),
        [7, *value[1:]],
    ]


OTHERS: dict[str, tuple[Any, ...]] = {
    "choice": CHOICES,
    "timeout": (True, False),
    "side": ("ties-push", "ties-lose-half"),
    "what": WORDS,
    "pays": ("9 to 2", "1 to 1"),
    "round": ("r-other", None),
    "by": ("",),
    "second": ("",),
    "reason": ("",),
    "player": ("somebody",),
}
"""For each field, all values worth trying."""
NEAR: dict[str, Callable[[Any], list[Any]]] = {
    "amount": amounts,
    "dice": dice,
    **dict.fromkeys(("value", "times", "cup", "cut", "decks"), numbers),
    "ranks": lambda value: [["2"], [*value, next(rank for rank in RANKS if rank not in value)]],
}
"""For each field, a function that returns values near the value that the field has."""


def cards(card: str, round: Sequence[Fact]) -> Iterator[str]:
    """Yield other cards to try. First comes one card of every other rank. Then come the cards of the same
    rank in the other suits. All of these are cards that the round does not have yet. The last card is one
    that the round already has.
    """
    shown = {fact.get("card") for fact in round}
    for rank in RANKS:
        if rank != card[0] and (
            other := next((rank + suit for suit in SUITS if rank + suit not in shown), None)
        ):
            yield other
    yield from (card[0] + suit for suit in SUITS if card[0] + suit not in shown)
    yield from sorted(of for of in shown if of is not None and of != card)[:1]
