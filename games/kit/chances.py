"""Exact chances: the net amounts that a wager may bring with their probabilities, and the best of several
decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from games.kit.cards import DECK, RANKS

Chances = dict[Fraction, Fraction]
"""Net per unit of the first stake, signed from the player, to its probability. The probabilities add up to
one.
"""

Cards = dict[str, int]
"""The cards that may still be dealt, with the number of each."""


class Figures(NamedTuple):
    """The figures that a certificate states about a wager, per unit of the first stake on it."""

    edge: Fraction
    variance: Fraction
    hit: Fraction
    """The probability that the player is ahead in the end."""
    push: Fraction
    """The probability that nothing is won or lost."""

    @property
    def rtp(self) -> Fraction:
        """Return the part of a stake that comes back to the player on average, the stake included."""
        return 1 - self.edge


def chances(outcomes: Iterable[tuple[int, Fraction]]) -> Chances:
    """Return the chances of these nets, each given with its number of equally likely ways.

    Raises:
        ValueError: the space has no outcome, or a negative number of ways.
    """
    ways: dict[tuple[int, int], int] = {}  # by numerator and denominator: a fraction is slow to look up
    for count, net in outcomes:
        key = net.as_integer_ratio()
        ways[key] = ways.get(key, 0) + count
    total = sum(ways.values())
    if total < 1 or min(ways.values()) < 0:
        raise ValueError("a space has outcomes, and each comes about in some number of ways")
    return {Fraction(*key): Fraction(count, total) for key, count in ways.items() if count}


def mix(branches: Iterable[tuple[int, Chances]]) -> Chances:
    """Return the chances over branches, each given with its number of ways: an unknown card or die comes
    first.
    """
    sums: Chances = {}
    total = 0
    for count, branch in branches:
        total += count
        for net, part in branch.items():
            sums[net] = sums.get(net, Fraction(0)) + count * part
    if total < 1:
        raise ValueError("nothing can come out here")
    return {net: part / total for net, part in sums.items()}


def best(*choices: Chances) -> Chances:
    """Return the decision that loses least on average; the first of equal ones."""
    return max(choices, key=mean)


def mean(of: Chances) -> Fraction:
    """Return the average net, signed from the player."""
    return sum((net * part for net, part in of.items()), Fraction(0))


def costs(choices: Mapping[str, Chances]) -> dict[str, Fraction]:
    """Return what each decision costs on average in comparison with the best one."""
    means = {choice: mean(of) for choice, of in choices.items()}
    return {choice: max(means.values()) - each for choice, each in means.items()}


def figures(of: Chances) -> Figures:
    """Return the edge, the variance, and how often the wager wins and pushes."""
    average = mean(of)
    variance = sum((net * net * part for net, part in of.items()), Fraction(0)) - average**2
    hit = sum((part for net, part in of.items() if net > 0), Fraction(0))
    return Figures(-average, variance, hit, of.get(Fraction(0), Fraction(0)))


def by_card(decks: int) -> Cards:
    """Return every card of this number of decks."""
    return dict.fromkeys(DECK, decks)


def by_rank(decks: int) -> Cards:
    """Return this number of decks if suits do not matter: one card of each rank for all four."""
    return {f"{rank}s": 4 * decks for rank in RANKS}


def draws(cards: Cards) -> Iterator[tuple[int, str, Cards]]:
    """Yield each card that may come next: how many there are of it, the card, and the cards that remain."""
    for card, count in cards.items():
        if count:
            yield count, card, cards | {card: count - 1}
