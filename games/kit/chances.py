"""Exact chances: the probability of each net result that a wager may have, and the comparison of several
decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from games.kit.cards import DECK, RANKS

Chances = dict[Fraction, Fraction]
"""The probability of each net result. A net result is given per unit of the first stake, positive if the
player wins. The probabilities add up to one.
"""

Cards = dict[str, int]
"""For each card: the number of copies that may still be dealt."""


class Figures(NamedTuple):
    """The figures that a certificate states about a wager, per unit of the first stake on it."""

    edge: Fraction
    variance: Fraction
    hit: Fraction
    """The probability that the player ends the round with a profit."""
    push: Fraction
    """The probability that nothing is won or lost."""

    @property
    def rtp(self) -> Fraction:
        """Return the share of a stake that the player gets back on average, the stake included."""
        return 1 - self.edge


def chances(outcomes: Iterable[tuple[int, Fraction]]) -> Chances:
    """Return the probability of each net result. `outcomes`: net results, each with the number of equally
    likely ways in which it comes.

    Raises:
        ValueError: there is no outcome, or a number of ways is negative.
    """
    # The keys are numerator and denominator, because looking up a fraction is slow.
    ways: dict[tuple[int, int], int] = {}
    for count, net in outcomes:
        key = net.as_integer_ratio()
        ways[key] = ways.get(key, 0) + count
    total = sum(ways.values())
    if total < 1 or min(ways.values()) < 0:
        raise ValueError(
            "a wager needs at least one outcome, and no outcome may have a negative number of ways"
        )
    return {Fraction(*key): Fraction(count, total) for key, count in ways.items() if count}


def mix(branches: Iterable[tuple[int, Chances]]) -> Chances:
    """Return the combined chances of several branches, such as the values of a card or die that comes first.
    Each branch is given with the number of ways in which it comes.
    """
    sums: Chances = {}
    total = 0
    for count, branch in branches:
        total += count
        for net, part in branch.items():
            sums[net] = sums.get(net, Fraction(0)) + count * part
    if total < 1:
        raise ValueError("at least one branch needs a number of ways above 0")
    return {net: part / total for net, part in sums.items()}


def best(*choices: Chances) -> Chances:
    """Return the chances of the decision with the highest average for the player; the first one if several
    are equal.
    """
    return max(choices, key=mean)


def mean(of: Chances) -> Fraction:
    """Return the average net result, positive if the player wins."""
    return sum((net * part for net, part in of.items()), Fraction(0))


def costs(choices: Mapping[str, Chances]) -> dict[str, Fraction]:
    """Return what each decision costs the player on average in comparison with the best one."""
    means = {choice: mean(of) for choice, of in choices.items()}
    return {choice: max(means.values()) - expectation for choice, expectation in means.items()}


def figures(of: Chances) -> Figures:
    """Return the figures of a certificate: edge, variance, and how often the wager wins and pushes."""
    average = mean(of)
    variance = sum((net * net * part for net, part in of.items()), Fraction(0)) - average**2
    hit = sum((part for net, part in of.items() if net > 0), Fraction(0))
    return Figures(-average, variance, hit, of.get(Fraction(0), Fraction(0)))


def by_card(decks: int) -> Cards:
    """Return all cards of this number of decks, each with its number of copies."""
    return dict.fromkeys(DECK, decks)


def by_rank(decks: int) -> Cards:
    """Return the cards of this number of decks for games in which suits do not matter: one card of each rank
    represents all four suits.
    """
    return {f"{rank}s": 4 * decks for rank in RANKS}


def draws(cards: Cards) -> Iterator[tuple[int, str, Cards]]:
    """Yield each card that may come next, with its number of copies and the cards that then remain."""
    for card, count in cards.items():
        if count:
            yield count, card, cards | {card: count - 1}
