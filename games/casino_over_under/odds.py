"""The exact odds of Casino Over Under. Its manual prints none."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import cast

from games.casino_over_under.hands import BASE, OverUnderRound
from games.casino_over_under.manual import game
from games.kit.amounts import Exact
from games.kit.certificate import Certificate
from games.kit.chances import Cards, Chances, best, by_rank, chances, costs, draws, mix
from games.kit.line import Line
from games.kit.printed_odds import AlternativePay
from games.kit.round import Round
from games.kit.seat import SPOT, Seat, bet, choose, deal

Pair = tuple[int, str, str]
"""(ways, second card, third card). `ways` is the number of ways in which these two cards can be dealt."""


def half_comes_back(round: Round, line: Line, net: Fraction) -> Fraction:
    """Return the net result if a surrender costs half of the ante."""
    return net / 2 if cast(OverUnderRound, round).surrendered(line.spot) else net


certificate = Certificate(
    game,
    decks=(6, 1, 2, 8),  # COU Introduction: six; COU Dealing Procedures: single, double, six and eight decks
    alternatives=(
        AlternativePay(
            "a surrender costs half",
            "contradicts 'forfeited', which the manual prints three times",
            ("ante",),
            half_comes_back,
        ),
    ),
    counted_in={"over": None, "under": None},
    units={"ante": "the ante, with Ante and Over or Under together"},
)


def two_more(cards: Cards) -> Iterator[Pair]:
    """Yield each pair of a second and a third card, with the number of ways in which it can be dealt."""
    for count, second, deck in draws(cards):
        for ways, third, _ in draws(deck):
            yield count * ways, second, third


@certificate.space("ante")
def main_game(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of the base game, computed from all first cards. After the
    first card the player makes the best of three choices: over, under or surrender. The ante and the second
    wager are counted together.
    """
    return mix(
        (count, best(*choices(seat, first, deck).values()))
        for count, first, deck in draws(by_rank(seat.decks))
    )


def choices(seat: Seat, first: str, deck: Cards) -> dict[str, Chances]:
    """Return {decision: {net result: probability}} for a player whose first card is `first`. The other two
    cards come from `deck`.
    """
    opening = (bet("ante"), deal(SPOT, first))
    sides = {
        side: chances(
            (count, seat.net(*opening, choose(side), bet(side), deal(SPOT, second), deal(SPOT, third)))
            for count, second, third in two_more(deck)
        )
        for side in BASE
    }
    return {**sides, "surrender": {seat.net(*opening, choose("surrender")): Fraction(1)}}


@cache
def costs_on(first: str, decks: int) -> dict[str, Fraction]:
    """Return {decision: cost in antes} for a player with this first card, dealt from this number of decks."""
    case = certificate.case_of("", "ante", pay_tables={}, decks=decks, readings={})
    assert case is not None
    cards = by_rank(case.decks)
    return costs(choices(certificate.seat(case), first, cards | {first: cards[first] - 1}))


@certificate.decides("ante", dependent=BASE, needs="choose")
def declared(round: OverUnderRound, line: Line) -> Exact | None:
    """Return the cost of the decision that the player declared: over, under or surrender. The cost depends
    only on the rank of the first card.
    """
    hand = round.hands.get(line.spot)
    choice = "surrender" if round.surrendered(line.spot) else round.side(line.spot)
    if hand is None or hand.values[0] is None or choice is None:
        return None
    cost = costs_on(f"{str(hand.cards[0].card)[0]}s", round.table.opened.decks)[choice]
    return line.stake * cost if cost else 0


@certificate.space("bonus")
def three_cards(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of the bonus, computed from all sets of three cards. The
    player's decision does not matter.
    """
    return chances(
        (count * ways, seat.net(bet(wager), *(deal(SPOT, card) for card in (first, second, third))))
        for count, first, deck in draws(by_rank(seat.decks))
        for ways, second, third in two_more(deck)
    )
