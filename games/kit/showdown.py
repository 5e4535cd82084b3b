"""All pairs of two hands of three cards from one deck. For each hand of one side: how many hands of each
strength the other side may have.

The hands of the other side are counted by inclusion and exclusion. From all hands up to a strength, those
that contain one card of the first hand are subtracted, those that contain two are added again, and the first
hand itself is subtracted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, pairwise
from typing import NamedTuple

from games.kit.cards import DECK
from games.kit.odds import Odds
from games.kit.round import Round
from games.kit.seat import Seat

Hand = tuple[str, ...]
Run = tuple[int, int, Fraction]
"""A range of strengths with the same net result: the first index, the end index (exclusive) and the net
result.
"""


class Own(NamedTuple):
    """One hand, the index of its strength, and the number of hands that differ from it only in the names of
    the suits.
    """

    cards: Hand
    place: int
    ways: int


class Showdown:
    """All pairs of hands. A strength is given by its index among all strengths; 0 is the weakest."""

    def __init__(self, strength: Callable[[Hand], int]) -> None:
        hands: dict[Hand, int] = {cards: strength(cards) for cards in combinations(DECK, 3)}
        self.strengths = sorted(set(hands.values()))
        place = {strength: number for number, strength in enumerate(self.strengths)}
        held: dict[Hand, list[int]] = {
            part: [0] * len(place) for size in (0, 1, 2) for part in combinations(DECK, size)
        }
        groups: dict[object, list[Hand]] = {}
        for cards, value in hands.items():
            for part in ((), *combinations(cards, 1), *combinations(cards, 2)):
                held[part][place[value]] += 1
            groups.setdefault(suit_pattern(cards), []).append(cards)
        self._below = {part: [0, *accumulate(counts)] for part, counts in held.items()}
        self._disjoint: dict[tuple[Hand, int, int], int] = {}
        self.own = [Own(group[0], place[hands[group[0]]], len(group)) for group in groups.values()]

    def disjoint_hands(self, own: Own, low: int, high: int) -> int:
        """Return how many hands of the other side have no card in common with this hand, and have a strength
        index from `low` up to, but not including, `high`.
        """
        known = self._disjoint.get((own.cards, low, high))
        if known is not None:
            return known
        count = -1 if low <= own.place < high else 0
        for size, sign in ((0, 1), (1, -1), (2, 1)):
            for part in combinations(own.cards, size):
                below = self._below[part]
                count += sign * (below[high] - below[low])
        self._disjoint[own.cards, low, high] = count
        return count

    def outcomes(self, own: Own, runs: Sequence[Run]) -> Iterator[tuple[int, Fraction]]:
        """Yield each net result that this hand can have, with the number of other hands that lead to it."""
        return ((self.disjoint_hands(own, low, high), net) for low, high, net in runs)

    def net_results(
        self, seat: Seat, round: Round, strengths: MutableMapping[str, int | None], own: str, other: str
    ) -> list[list[Run]]:
        """Return the net result of each pair of strengths, as the game's settlement functions compute it. The
        result has one list for each strength of the hand `own`. Each list has ranges of strengths of the hand
        `other` that have the same net result.

        The settlement functions are called only near strengths at which their result changes. If two
        strengths of the other side give the same result, so do all strengths between them; the tests check
        this for every pair.

        Args:
            seat: the table with the game's settlements.
            round: the round with the bets.
            strengths: the mapping in which the round keeps the strengths of its two hands.
            own: the key of one hand in `strengths`.
            other: the key of the other hand.
        """
        lines = seat.lines(round)
        asks = [(seat.game.settlements[line.wager], line) for line in lines]
        results = []
        for strengths[own] in self.strengths:

            @cache
            def answer(place: int) -> tuple[Odds | None, ...]:
                strengths[other] = self.strengths[place]
                return tuple([settle(round, line) for settle, line in asks])

            last, turns = len(self.strengths), [0, *change_points(answer, 0, len(self.strengths) - 1)]
            runs = []
            for low, high in pairwise((*turns, last)):
                strengths[other] = self.strengths[low]
                runs.append((low, high, seat.total(round, lines)))
            results.append(runs)
        return results

    def net_results_of_one_hand(
        self, seat: Seat, round: Round, strengths: MutableMapping[str, int | None], own: str
    ) -> list[Fraction]:
        """Return the net result for each strength of one hand. Use this for wagers on which the other hand
        has no effect.
        """
        lines, results = seat.lines(round), []
        for strengths[own] in self.strengths:
            results.append(seat.total(round, lines))
        return results


def change_points(answer: Callable[[int], object], low: int, high: int) -> Iterator[int]:
    """Yield each index at which the result of `answer` differs from its result at the previous index. Only
    indexes after `low` and up to `high` are tried.
    """
    if answer(low) == answer(high):
        return
    if high == low + 1:
        yield high
        return
    middle = (low + high) // 2
    yield from change_points(answer, low, middle)
    yield from change_points(answer, middle, high)


def suit_pattern(cards: Hand) -> object:
    """Return a key of a hand: its ranks, and which of its cards share a suit. Hands with the same key differ
    only in the names of the suits.
    """
    suits: dict[str, int] = {}
    return tuple((card[0], suits.setdefault(card[1], len(suits))) for card in sorted(cards))
