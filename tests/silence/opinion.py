"""What each wager of a round is owed and what moved, read from the facts alone and judged by the second
opinion of `casino.sample`.

This module uses no rule from `games`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from casino.sample.tables.andar_bahar import andar
from casino.sample.tables.casino_over_under import over_under, total
from casino.sample.tables.easy_over_under import easy
from casino.sample.tables.high_side import high
from casino.sample.tables.lucky_7 import lucky
from casino.sample.tables.patti import bet_on_teen_patti, teen_patti
from casino.sample.tables.settling import rounded

Fact = dict[str, Any]
Key = tuple[str, str]


class Read(NamedTuple):
    """What the facts of a round show without knowledge of the rules."""

    opened: Fact
    stakes: dict[Key, int]
    moved: dict[Key, int]
    cards: dict[str, list[str]]
    """The cards dealt to each place, in order."""
    dealt: list[tuple[str, str]]
    dice: list[int]
    choices: dict[str, str]


def read(opened: Fact, round: Sequence[Fact]) -> Read | None:
    """Return what a round shows, or None if the round was voided or has unreadable cards.

    Bets that a player made before losing the connection, if betting was still open, do not count, nor does
    anything the player does until the connection is back.
    """
    stakes: dict[Key, int] = defaultdict(int)
    moved: dict[Key, int] = defaultdict(int)
    cards: dict[str, list[str]] = defaultdict(list)
    dealt, dice, choices = list[tuple[str, str]](), list[int](), dict[str, str]()
    lost, betting = set[str](), True
    for fact in round:
        kind = fact["kind"]
        betting = (
            betting and kind not in ("no-more-bets", "burn") and (kind != "deal" or fact["to"] == "joker")
        )
        if kind in ("void", "return") or (kind == "deal" and fact["card"] is None):
            return None
        for spot, wager, amount in bets(fact):
            if spot not in lost:
                stakes[spot, wager] += amount
        for spot, wager, amount in moves(fact):
            moved[spot, wager] += amount
        if kind == "player-lost":
            lost.add(fact["spot"])
            for key in [key for key in stakes if betting and key[0] == fact["spot"]]:
                del stakes[key]
        elif kind == "player-back":
            lost.discard(fact["spot"])
        elif kind == "pull":
            stakes.pop((fact["spot"], fact["wager"]), None)
        elif kind == "roll":
            dice += fact["dice"]
        elif kind == "choose" and fact["spot"] not in lost:
            choices.setdefault(fact["spot"], fact["choice"])
        elif kind == "deal":
            cards[fact["to"]].append(fact["card"])
            dealt.append((fact["to"], fact["card"]))
    return Read(opened, dict(stakes), dict(moved), dict(cards), dealt, dice, choices)


def bets(fact: Fact) -> Iterator[tuple[str, str, int]]:
    """Yield the spot, wager and amount that a fact bets. An amount taken back is negative."""
    if fact["kind"] in ("bet", "unbet"):
        yield fact["spot"], fact["wager"], fact["amount"] * (1 if fact["kind"] == "bet" else -1)
    yield from (tuple(move) for move in fact.get("bets", ()))


def moves(fact: Fact) -> Iterator[tuple[str, str, int]]:
    """Yield the spot, wager and amount that a fact moves, positive if it moves to the player."""
    if fact["kind"] in ("take", "pay"):
        yield fact["spot"], fact["wager"], fact["amount"] * (1 if fact["kind"] == "pay" else -1)
    if fact["kind"] == "settled":
        yield from ((spot, wager, amount) for spot, wager, amount in fact["paid"])
        yield from ((spot, wager, -amount) for spot, wager, amount in fact["taken"])


def settled_rightly(opened: Fact, round: Sequence[Fact]) -> bool:
    """Return True if each wager of the round moved exactly the amount that the second opinion says
    is owed.
    """
    seen = read(opened, round)
    if seen is None:
        return False
    try:
        due = {key: amount for key, amount in owed(seen).items() if amount}
    except (KeyError, IndexError, ValueError, ZeroDivisionError):
        return False  # a hand with cards missing
    return due == {key: amount for key, amount in seen.moved.items() if amount}


def owed(seen: Read) -> dict[Key, Fraction]:
    """Return the amount owed on each wager, rounded by the table's option."""
    due = {
        (spot, wager): one(seen, spot, wager, stake) for (spot, wager), stake in seen.stakes.items() if stake
    }
    if seen.opened["game"] == "teen_patti":
        bonus = {
            (spot, "ante-bonus"): stake
            for (spot, wager), stake in seen.stakes.items()
            if wager == "ante" and stake
        }
        due |= {(spot, wager): one(seen, spot, wager, stake) for (spot, wager), stake in bonus.items()}
        seen = seen._replace(stakes=seen.stakes | bonus)
    opened = seen.opened
    how = opened["chip"], opened["readings"].get("rounding", "exact")
    return {key: rounded(amount, *how, seen.stakes[key]) for key, amount in due.items()}


def one(seen: Read, spot: str, wager: str, stake: int) -> Fraction:
    """Return the amount owed on one wager before rounding. Raise an error if the round does not decide the
    wager.
    """
    opened, cards, readings = seen.opened, seen.cards, seen.opened["readings"]
    game, edition = opened["game"], opened["edition"]
    orders = readings.get("a23", "lowest"), readings.get("steel-wheel", "straight-flush")
    if game == "easy_over_under":
        (card,) = cards[spot]
        return easy(wager, stake, tuple(seen.dice), card, opened["pay_tables"]["spread"])
    if game == "casino_over_under":
        choice = seen.choices.get(spot, "")
        if choice == "surrender" and wager == "ante":
            return Fraction(-stake)
        first, second, third = cards[spot]
        return over_under(wager, stake, total((first, second, third)), choice)
    if game == "high_side":
        ((card,), (one_die, other)) = cards["community"], seen.dice
        return high(
            wager, stake, (one_die, other), card, opened["pay_tables"]["bonus"], readings.get("tie", "lose")
        )
    if game == "andar_bahar":
        side, place = match(seen)
        return andar(wager, stake, side, place, edition)
    if game == "lucky_7":
        (card,) = cards["table"]
        return lucky(wager, stake, card, edition)
    if game == "teen_patti":
        hands = whole(cards["player"]), whole(cards["dealer"])
        return teen_patti(wager, stake, *hands, seen.choices.get(spot) == "play", *orders)
    return bet_on_teen_patti(wager, stake, whole(cards["a"]), whole(cards["b"]), edition, *orders)


def whole(hand: list[str]) -> list[str]:
    """Return the hand if it has three cards. Raise ValueError if not."""
    first, second, third = hand
    return [first, second, third]


def match(seen: Read) -> tuple[str, int]:
    """Return the side on which the match fell, and the number of cards after the joker. Raise an error if the
    match is not the last card.
    """
    (place, joker), *rest = seen.dealt
    hits = [number for number, (_, card) in enumerate(rest, 1) if card[0] == joker[0]]
    if place != "joker" or hits != [len(rest)]:
        raise ValueError("the match is not the last card")
    return rest[-1][0], len(rest)
