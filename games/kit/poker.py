"""The strength of poker hands as integers that can be compared: three cards, and the best five of six.

    strength = three(("As", "Kd", "Qh"), a23="lowest")     # higher is better, equal is a tie
    name_of_three(strength)                                # "straight"
    strength = six(cards, steel_wheel="straight-flush")    # the best five of six cards, or of five
    name_of_five(strength)                                 # "full house"
    best_five(cards)                                       # the five cards of the six that make it

Three cards rank as in the Ezugi rules: mini royal, straight flush, three of a kind, straight, flush, pair,
high card. Two hands of the same kind are compared card by card. The strength of a hand is looked up by its
ranks in a table that grows as hands occur; no combinations of cards are tried. A hand that contains the same
card twice is judged like any other. An impossible card raises KeyError.

`every_six()` represents all 20,358,520 sets of six cards by some 37,000 hands, each with the number of sets
that it represents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import comb

from games.kit.cards import DECK

ORDER = "23456789TJQKA"
HIGH_CARD, PAIR, FLUSH, STRAIGHT, TRIPS, STRAIGHT_FLUSH, MINI_ROYAL = range(7)
THREE_NAMES = ("high card", "pair", "flush", "straight", "three of a kind", "straight flush", "mini royal")
FIVE_NAMES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)
"""Kinds of hand, lowest first. The index of a kind is its number."""

A23 = {"lowest": 3, "second": 14, "highest": 15}
"""The values of the option `a23`, which says where ace, two, three ranks among straights. Each value has a
number, which is compared with the highest card of other straights: ace, king, queen is 15 and king, queen,
jack is 13.
"""

STEEL_WHEEL = ("straight-flush", "flush", "nothing")
"""The values of the option `steel-wheel`, which says how a suited A-2-3-4-5 ranks."""

_SUITS_AT = 39
_RANKS = (1 << _SUITS_AT) - 1
_UNIT = {rank: 1 << 3 * place for place, rank in enumerate(ORDER)}
CODE: dict[str, int] = {card: _UNIT[card[0]] + (1 << _SUITS_AT + 4 * "shdc".index(card[1])) for card in DECK}
"""A number for each card. The sum of the numbers of a hand counts each rank in three bits and, above them,
each suit in four bits.
"""
_SUITED = {3 << 4 * suit for suit in range(4)}
_FIVE_OR_MORE, _FLAGS = 0x3333, 0x8888
_WHEEL = sum(_UNIT[rank] for rank in "A2345")


def three(cards: Sequence[str], a23: str = "lowest") -> int:
    """Return the strength of three cards.

    Args:
        a23: a value of the option that ranks ace, two, three.
    """
    first, second, third = cards
    code = CODE[first] + CODE[second] + CODE[third]
    return _THREE[a23][code & _RANKS, code >> _SUITS_AT in _SUITED]


def name_of_three(strength: int) -> str:
    """Return the kind of hand, one of THREE_NAMES, of three cards with this strength."""
    return THREE_NAMES[strength >> 12]


def six(cards: Sequence[str], steel_wheel: str = "straight-flush") -> int:
    """Return the strength of the best five of five or six cards.

    Args:
        steel_wheel: a value of the option that ranks a suited A-2-3-4-5.
    """
    code = sum([CODE[card] for card in cards])  # noqa: C419, a list is summed faster
    suits = (code >> _SUITS_AT) + _FIVE_OR_MORE & _FLAGS
    ranks = code & _RANKS
    if not suits:
        return _BY_RANKS[ranks]
    suit = "shdc"[suits.bit_length() // 4 - 1]
    suited = sum(CODE[card] & _RANKS for card in cards if card[1] == suit)
    flush = _FLUSHES[steel_wheel][suited]
    if flush:
        return max(flush, _BY_RANKS[ranks])
    return _best_without_the_wheel(ranks)


def name_of_five(strength: int) -> str:
    """Return the kind of hand, one of FIVE_NAMES, of the best five cards with this strength."""
    return FIVE_NAMES[strength >> 20]


def best_five(cards: Sequence[str], steel_wheel: str = "straight-flush") -> tuple[str, ...]:
    """Return the five of six cards that make the best hand, in the order in which they were given."""
    return max(combinations(cards, 5), key=lambda five: six(five, steel_wheel))


def _three(ranks: Sequence[int], suited: bool, a23: str) -> int:
    """Return the strength of three cards, given as ranks from 2 to 14, highest first."""
    high, middle, low = ranks
    if high == low:
        return _sum(TRIPS, (high, 0, 0))
    run = (
        15
        if ranks == (14, 13, 12)
        else high
        if (high, middle) == (low + 2, low + 1)
        else A23[a23]
        if ranks == (14, 3, 2)
        else 0
    )
    if suited and run:
        return _sum(MINI_ROYAL if ranks == (14, 13, 12) else STRAIGHT_FLUSH, (run, 0, 0))
    if run:
        return _sum(STRAIGHT, (run, 0, 0))
    if suited:
        return _sum(FLUSH, ranks)
    if middle in (high, low):
        return _sum(PAIR, (middle, low if middle == high else high, 0))
    return _sum(HIGH_CARD, ranks)


def _sum(kind: int, cards: Sequence[int]) -> int:
    """Return one number for a kind of hand and the cards that decide between two hands of this kind."""
    for card in cards:
        kind = kind << 4 | card
    return kind


def _five(kind: str, *cards: int) -> int:
    """Return the strength of five cards of this kind. Only the ranks that decide between hands of the kind
    are needed.
    """
    return _sum(FIVE_NAMES.index(kind), (*cards, 0, 0, 0, 0)[:5])


def _counted(ranks: int) -> dict[int, int]:
    """Return the number of cards of each rank in the hand, from 14 down to 2."""
    return {place + 2: ranks >> 3 * place & 7 for place in reversed(range(13)) if ranks >> 3 * place & 7}


def _run(ranks: dict[int, int]) -> int:
    """Return the highest card of five ranks in sequence, or 0 if there is no sequence. The ace also counts as
    1.
    """
    held = ranks.keys() | ({1} if 14 in ranks else set())
    return next((high for high in range(14, 4, -1) if held.issuperset(range(high - 4, high + 1))), 0)


class _ByRanks(dict[int, int]):
    """{key: strength of the best hand of five or six cards if suits are ignored}, filled on demand. The key
    is the sum of the rank bits of the cards' `CODE` numbers.
    """

    def __missing__(self, key: int) -> int:
        ranks = _counted(key)
        by_count = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
        first, second, *_ = (*by_count, 0)
        over = sorted(ranks, reverse=True)
        run = _run(ranks)
        if ranks[first] >= 4:
            strength = _five("four of a kind", first, *[rank for rank in over if rank != first][:1])
        elif ranks[first] == 3 and ranks[second] >= 2:
            strength = _five("full house", first, second)
        elif run:
            strength = _five("straight", run)
        elif ranks[first] == 3:
            strength = _five("three of a kind", first, *[rank for rank in over if rank != first][:2])
        elif ranks[first] == 2 and ranks[second] == 2:
            strength = _five(
                "two pair", first, second, *[rank for rank in over if rank not in (first, second)][:1]
            )
        elif ranks[first] == 2:
            strength = _five("pair", first, *[rank for rank in over if rank != first][:3])
        else:
            strength = _five("high card", *over[:5])
        self[key] = strength
        return strength


class _Flushes(dict[int, int]):
    """{key: strength of the best hand of five or six cards of one suit}, filled on demand. The key is the sum
    of the rank bits of the cards' `CODE` numbers. The strength is 0 if the hand is a suited A-2-3-4-5 that
    does not count.
    """

    def __init__(self, steel_wheel: str) -> None:
        super().__init__()
        self.steel_wheel = steel_wheel

    def __missing__(self, key: int) -> int:
        ranks = _counted(key)
        run = _run(ranks)
        top = [rank for rank, count in ranks.items() for _ in range(count)][:5]
        if run == 14:
            strength = _five("royal flush", run)
        elif run > 5 or (run == 5 and self.steel_wheel == "straight-flush"):
            strength = _five("straight flush", run)
        elif key == _WHEEL and self.steel_wheel == "nothing":
            strength = 0
        else:
            strength = _five("flush", *top)
        self[key] = strength
        return strength


def _best_without_the_wheel(ranks: int) -> int:
    """Return the strength of the best hand if a suited A-2-3-4-5 does not count. The best hand is then one
    that the sixth card makes with the other ranks, or a high card.
    """
    sixth = _counted(ranks - _WHEEL)
    if any(rank in (14, 2, 3, 4, 5, 6) for rank in sixth):
        return _BY_RANKS[ranks]
    return _five("high card", *list(_counted(ranks))[:5])


_THREE: dict[str, dict[tuple[int, bool], int]] = {
    reading: {
        (sum(1 << 3 * (rank - 2) for rank in ranks), suited): _three(ranks, suited, reading)
        for ranks in combinations_with_replacement(range(14, 1, -1), 3)
        for suited in (False, True)
    }
    for reading in A23
}
_BY_RANKS = _ByRanks()
_FLUSHES = {reading: _Flushes(reading) for reading in STEEL_WHEEL}


def every_six() -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield hands that represent all sets of six cards of a deck. Each comes with the number of sets that it
    represents.

    Sets with five or six cards of one suit have one hand for each choice of the suited ranks and of the
    remaining rank. All other sets have one hand for each choice of ranks.
    """
    suited_of: dict[tuple[str, ...], int] = {}
    for five in combinations(ORDER, 5):
        for off in ORDER:
            yield (*(rank + "s" for rank in five), off + "h"), 12
            ranks = tuple(sorted((*five, off)))
            suited_of[ranks] = suited_of.get(ranks, 0) + 12
    for all_six in combinations(ORDER, 6):
        yield tuple(rank + "s" for rank in all_six), 4
        ranks = tuple(sorted(all_six))
        suited_of[ranks] = suited_of.get(ranks, 0) + 4
    for chosen in combinations_with_replacement(ORDER, 6):
        counts = [chosen.count(rank) for rank in set(chosen)]
        if max(counts) <= 4:
            sets = 1
            for count in counts:
                sets *= comb(4, count)
            yield _scattered(chosen), sets - suited_of.get(tuple(sorted(chosen)), 0)


def _scattered(ranks: Sequence[str]) -> tuple[str, ...]:
    """Return cards of these ranks in suits such that no suit comes five times. Suits are assigned in turn, so
    equal ranks in the argument must follow each other.
    """
    return tuple(rank + "shdc"[place % 4] for place, rank in enumerate(ranks))
