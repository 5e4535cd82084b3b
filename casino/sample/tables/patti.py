"""What a hand of Teen Patti or of Bet on Teen Patti wins or loses, computed from the Ezugi rules alone.

This module uses nothing from `games`, not even its ranking of hands. It looks at the cards as a person at the
table does. It searches for the best five of six cards among all sets of five. Amounts are in minor units, and
positive if the player wins.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

ORDER = "23456789TJQKA"
PATTI_WAGERS = ("ante", "play", "pair-or-better", "3+3")
BET_WAGERS = ("player-a", "player-b", "pair-a", "pair-b", "3+3")
MAIN_PAYS = {"ezugi": Fraction(98, 100), "ezugi-0.95": Fraction(95, 100)}
SUITED_RUN, TRAIL, RUN, SUITED, PAIR, NOTHING = 5, 4, 3, 2, 1, 0
PAIR_PAYS = {SUITED_RUN: 40, TRAIL: 30, RUN: 6, SUITED: 3, PAIR: 1}
BONUS_PAYS = {SUITED_RUN: 5, TRAIL: 4, RUN: 1}
ACE_LOW = {"lowest": (1, 2, 3), "second": (12, 13, 13), "highest": (12, 13, 14)}
"""For each option: the values by which ace, two, three is ranked (jack is 11, ace is 14). The hand is below
2-3-4, between 11-12-13 and 12-13-14, or level with the highest run.
"""
FIVES = {
    "royal": 1000,
    "suited run": 200,
    "four": 50,
    "full house": 25,
    "suited": 20,
    "run": 10,
    "three": 5,
    "less": -1,
}

Rank = tuple[int, tuple[int, ...]]


def rank(hand: list[str], a23: str) -> Rank:
    """Return the rank of a hand of three cards as a pair that can be compared: its kind, and the deciding
    cards, highest first.
    """
    values = sorted((ORDER.index(card[0]) + 2 for card in hand), reverse=True)
    times = Counter(values)
    run = values[0] - values[2] == 2 and len(times) == 3
    if values == [14, 3, 2]:
        run, values = True, list(reversed(ACE_LOW[a23]))
    one_suit = len({card[1] for card in hand}) == 1
    if len(times) == 1:
        return TRAIL, tuple(values)
    if run:
        return (SUITED_RUN if one_suit else RUN), tuple(values)
    if one_suit:
        return SUITED, tuple(values)
    by_times = sorted(times, key=lambda value: (times[value], value), reverse=True)
    return (PAIR if len(times) == 2 else NOTHING), tuple(by_times)


def is_mini_royal(hand: list[str]) -> bool:
    """Return True if the hand is ace, king and queen of one suit."""
    return {card[0] for card in hand} == set("AKQ") and len({card[1] for card in hand}) == 1


def beats(own: list[str], other: list[str], a23: str) -> int:
    """Return 1 if the first hand is better, -1 if the second hand is better, 0 if they are equal."""
    first, second = (is_mini_royal(own), rank(own, a23)), (is_mini_royal(other), rank(other, a23))
    return (first > second) - (first < second)


def pair_or_better(hand: list[str], a23: str = "lowest") -> int:
    """Return the net win of a stake of one on Pair or better; -1 if it loses."""
    return 200 if is_mini_royal(hand) else PAIR_PAYS.get(rank(hand, a23)[0], -1)


def of_five(five: tuple[str, ...], steel_wheel: str) -> str:
    """Return the rank of a hand of five cards, a key of FIVES."""
    values = sorted(ORDER.index(card[0]) + 2 for card in five)
    times = sorted(Counter(values).values())
    one_suit = len({card[1] for card in five}) == 1
    wheel = values == [2, 3, 4, 5, 14]
    run = wheel or (len(times) == 5 and values[4] - values[0] == 4)
    if one_suit and wheel:
        return {"straight-flush": "suited run", "flush": "suited", "nothing": "less"}[steel_wheel]
    if one_suit and run:
        return "royal" if values[4] == 14 else "suited run"
    if times[-1] >= 4:
        return "four"
    if times == [2, 3]:
        return "full house"
    return "suited" if one_suit else "run" if run else "three" if times[-1] == 3 else "less"


def three_plus_three(cards: list[str], steel_wheel: str) -> int:
    """Return the net win of a stake of one on the 3+3 by the best five of six cards; -1 if it loses."""
    return max(FIVES[of_five(five, steel_wheel)] for five in combinations(cards, 5))


def teen_patti(
    wager: str, stake: int, player: list[str], dealer: list[str], plays: bool, a23: str, steel_wheel: str
) -> Fraction:
    """Return the amount owed on a wager at Teen Patti. For the ante bonus, `stake` is the ante."""
    if wager == "pair-or-better":
        return Fraction(stake * pair_or_better(player))
    if wager == "3+3":
        return Fraction(stake * three_plus_three(player + dealer, steel_wheel))
    if wager == "ante-bonus":
        return Fraction(stake * BONUS_PAYS.get(rank(player, a23)[0], 0) if plays else 0)
    if wager == "ante" and not plays:
        return Fraction(-stake)
    if rank(dealer, a23) < (NOTHING, (ORDER.index("Q") + 2,)):
        return Fraction(stake if wager == "ante" else 0)
    return Fraction(stake * beats(player, dealer, a23))


def bet_on_teen_patti(
    wager: str, stake: int, a: list[str], b: list[str], edition: str, a23: str, steel_wheel: str
) -> Fraction:
    """Return the amount owed on a wager at Bet on Teen Patti."""
    if wager == "3+3":
        return Fraction(stake * three_plus_three(a + b, steel_wheel))
    own, other = (a, b) if wager.endswith("-a") else (b, a)
    if wager.startswith("pair-"):
        return Fraction(stake * pair_or_better(own))
    better = beats(own, other, a23)
    return stake * MAIN_PAYS[edition] if better > 0 else Fraction(stake * better)
