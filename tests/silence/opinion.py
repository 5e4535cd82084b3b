"""What each wager of a round is owed, and what moved. This module reads the facts of the round, and
`casino.sample` computes what is owed.

It is a second opinion on the rules, because it uses no rule from `games`.
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
DICE = 2
"""The number of dice of the games with dice."""
CARDS = {
    "easy_over_under": {"": 1},
    "casino_over_under": {"": 3},
    "high_side": {"": 1},
    "andar_bahar": {"": 52, "joker": 1},
    "teen_patti": {"": 3},
    "bet_on_teen_patti": {"": 3},
    "lucky_7": {"": 1, "burn": 3},
}
"""For each game: the greatest number of cards that each place may get. The key "" means all other places. A
number of burned cards is given only if the manual fixes it.
"""


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
    judged: bool
    """False if the round was voided, if a stake was returned, or if a card could not be read."""


def read(opened: Fact, round: Sequence[Fact]) -> Read:
    """Return the stakes, moved amounts, cards, dice and choices of a round.

    If a player loses the connection while betting is open, the player's bets do not count. Until the
    connection is back, no act of the player counts, except a Play wager after the decision to play.
    """
    stakes: dict[Key, int] = defaultdict(int)
    moved: dict[Key, int] = defaultdict(int)
    cards: dict[str, list[str]] = defaultdict(list)
    dealt, dice, choices = list[tuple[str, str]](), list[int](), dict[str, str]()
    lost, betting, judged = set[str](), True, True
    for fact in round:
        kind = fact["kind"]
        betting = (
            betting and kind not in ("no-more-bets", "burn") and (kind != "deal" or fact["to"] == "joker")
        )
        judged = judged and kind not in ("void", "return") and (kind != "deal" or fact["card"] is not None)
        for spot, wager, amount in bets(fact):
            if spot not in lost or (wager == "play" and choices.get(spot) == "play"):
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
    return Read(opened, dict(stakes), dict(moved), dict(cards), dealt, dice, choices, judged)


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
    hand = read(opened, round)
    if not hand.judged:
        return False
    try:
        due = {key: amount for key, amount in owed(hand).items() if amount}
    except (KeyError, IndexError, ValueError, ZeroDivisionError):
        return False  # a hand with cards missing
    return due == {key: amount for key, amount in hand.moved.items() if amount}


def pushes(opened: Fact, round: Sequence[Fact], key: Key, wagers: Sequence[str]) -> bool:
    """Return True if nothing is owed on a wager and nothing moved on it. Nothing is owed on a wager that the
    game does not have, or that the round did not decide.
    """
    hand = read(opened, round)
    if not hand.judged or hand.moved.get(key):
        return False
    try:
        return key[1] not in wagers or not owed_on(hand, *key, hand.stakes.get(key, 0))
    except (KeyError, ValueError):
        return True  # a spot without a card


def all_returned(round: Sequence[Fact]) -> bool:
    """Return True if the round was voided and everything was returned. Each wager must have got back its
    stake. If more than the stake was collected, it must have got back the collected amount.
    """
    if not any(fact["kind"] == "void" for fact in round):
        return False
    staked: dict[Key, int] = defaultdict(int)
    taken: dict[Key, int] = defaultdict(int)
    back: dict[Key, int] = defaultdict(int)
    for fact in round:
        for spot, wager, amount in bets(fact):
            staked[spot, wager] += amount
        for spot, wager, amount in moves(fact):
            (taken if amount < 0 else back)[spot, wager] += abs(amount)
        if fact["kind"] == "pull":
            staked.pop((fact["spot"], fact["wager"]), None)
        if fact["kind"] == "return":
            back[fact["spot"], fact["wager"]] += fact["amount"]
    return all(max(staked[key], taken[key]) == back[key] for key in {*staked, *taken, *back})


def no_extra_card(opened: Fact, round: Sequence[Fact]) -> bool:
    """Return True if no hand has more cards than the game deals to it, no more dice were rolled than the game
    has, and no more cards were burned than its manual says.
    """
    hand, limits = read(opened, round), CARDS[opened["game"]]
    burned = sum(fact["kind"] == "burn" for fact in round)
    return (
        len(hand.dice) <= DICE
        and burned <= limits.get("burn", burned)
        and all(len(hand) <= limits.get(place, limits[""]) for place, hand in hand.cards.items())
    )


def allowed_stakes(opened: Fact, round: Sequence[Fact]) -> bool:
    """Return True if a round of Easy Over Under has no stake outside the limits, no spot with both Over and
    Under, and no Short Side stake above the spot's stake on Over or Under (Game Rules 1 and 4).
    """
    stakes = {key: stake for key, stake in read(opened, round).stakes.items() if stake}
    minimum, maximum = opened["limits"]["*"]
    for spot in {spot for spot, _ in stakes}:
        over, under, short = (stakes.get((spot, wager), 0) for wager in ("over", "under", "short-side"))
        if (over and under) or short > over + under:
            return False
    return all(minimum <= stake <= maximum for stake in stakes.values())


def owed(hand: Read) -> dict[Key, Fraction]:
    """Return the amount owed on each wager, rounded by the table's option."""
    due = {
        (spot, wager): owed_on(hand, spot, wager, stake)
        for (spot, wager), stake in hand.stakes.items()
        if stake
    }
    if hand.opened["game"] == "teen_patti":
        bonus = {
            (spot, "ante-bonus"): stake
            for (spot, wager), stake in hand.stakes.items()
            if wager == "ante" and stake
        }
        due |= {(spot, wager): owed_on(hand, spot, wager, stake) for (spot, wager), stake in bonus.items()}
        hand = hand._replace(stakes=hand.stakes | bonus)
    opened = hand.opened
    unit_and_rounding = opened["chip"], opened["readings"].get("rounding", "exact")
    return {key: rounded(amount, *unit_and_rounding, hand.stakes[key]) for key, amount in due.items()}


def owed_on(hand: Read, spot: str, wager: str, stake: int) -> Fraction:
    """Return the amount owed on one wager before rounding. Raise an error if the round does not decide the
    wager.
    """
    opened, cards, readings = hand.opened, hand.cards, hand.opened["readings"]
    game, edition = opened["game"], opened["edition"]
    orders = readings.get("a23", "lowest"), readings.get("steel-wheel", "straight-flush")
    if game == "easy_over_under":
        (card,) = cards[spot]
        return easy(wager, stake, tuple(hand.dice), card, opened["pay_tables"]["spread"])
    if game == "casino_over_under":
        choice = hand.choices.get(spot, "")
        if choice == "surrender" and wager == "ante":
            return Fraction(-stake)
        first, second, third = cards[spot]
        return over_under(wager, stake, total((first, second, third)), choice)
    if game == "high_side":
        ((card,), (one_die, other)) = cards["community"], hand.dice
        return high(
            wager, stake, (one_die, other), card, opened["pay_tables"]["bonus"], readings.get("tie", "lose")
        )
    if game == "andar_bahar":
        side, place = match(hand)
        return andar(wager, stake, side, place, edition)
    if game == "lucky_7":
        (card,) = cards["table"]
        return lucky(wager, stake, card, edition)
    if game == "teen_patti":
        hands = three_cards(cards["player"]), three_cards(cards["dealer"])
        return teen_patti(wager, stake, *hands, hand.choices.get(spot) == "play", *orders)
    return bet_on_teen_patti(wager, stake, three_cards(cards["a"]), three_cards(cards["b"]), edition, *orders)


def three_cards(hand: list[str]) -> list[str]:
    """Return the hand if it has three cards. Raise ValueError if not."""
    first, second, third = hand
    return [first, second, third]


def match(hand: Read) -> tuple[str, int]:
    """Return the side to which the matching card was dealt, and the number of cards after the joker. Raise an
    error if the matching card is not the last card.
    """
    (place, joker), *others = hand.dealt
    hits = [number for number, (_, card) in enumerate(others, 1) if card[0] == joker[0]]
    if place != "joker" or hits != [len(others)]:
        raise ValueError("the match is not the last card")
    return others[-1][0], len(others)
