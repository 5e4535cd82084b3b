"""Count the outcomes of Teen Patti and Bet on Teen Patti. A wager depends on both hands of three cards, on
one hand, or on all six cards together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import cast

from games.kit.chances import Chances, chances
from games.kit.events import Event
from games.kit.odds import to_one
from games.kit.patti import FITS_THE_PRINTED_RETURN, PAIR_OR_BETTER, THREE_PLUS_THREE, TwoHands
from games.kit.poker import every_six, six, three
from games.kit.printed_odds import AlternativePay, instead
from games.kit.seat import Seat, bet, deal
from games.kit.showdown import Showdown

Pays = Mapping[str, str]
SIX_CARDS = "Evolution's 6 Card Bonus, where a suited A-2-3-4-5 is a straight flush"
CARDS = ("2s", "3h", "5d", "2h", "3d", "5c")
"""Six arbitrary cards to deal. The counting functions then replace the strengths of the hands."""


@cache
def showdown(a23: str) -> Showdown:
    """Return all pairs of hands.

    Args:
        a23: a value of the option that ranks ace, two, three.
    """
    return Showdown(lambda cards: three(cards, a23))


@cache
def _sixes() -> list[tuple[tuple[str, ...], int]]:
    return list(every_six())


@cache
def best_of_six(steel_wheel: str) -> Counter[int]:
    """Return the number of sets of six cards for each strength.

    Args:
        steel_wheel: a value of the option that ranks a suited A-2-3-4-5.
    """
    ways: Counter[int] = Counter()
    for cards, count in _sixes():
        ways[six(cards, steel_wheel)] += count
    return ways


def six_dealt(seat: Seat, bet: Event, *facts: Event) -> TwoHands:
    """Return a round with a bet, three cards for each hand, and then these facts."""
    places = cast("type[TwoHands]", seat.game.round).places
    cards = [deal(places[number // 3], card) for number, card in enumerate(CARDS)]
    return cast(TwoHands, seat.hand(bet, *cards, *facts))


def one_hand(seat: Seat, wager: str, place: str) -> Chances:
    """Return the probability of each net result of a bet on one hand, computed from all hands that may be
    dealt.
    """
    round = six_dealt(seat, bet(wager))
    show = showdown(seat.table.answers["a23"])
    nets = show.net_results_of_one_hand(seat, round, round.strengths, place)
    return chances((own.ways, nets[own.place]) for own in show.own)


def all_six(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of a bet on the best five of six cards, computed from all
    sets of six cards.
    """
    round = six_dealt(seat, bet(wager))
    lines = seat.lines(round)

    def net(strength: int) -> Fraction:
        round.made = strength
        return seat.total(round, lines)

    return chances(
        (ways, net(strength)) for strength, ways in best_of_six(seat.table.answers["steel-wheel"]).items()
    )


def elsewhere(*pairs: str) -> tuple[AlternativePay, ...]:
    """Return two pay tables of other casinos. Their exact returns are the ones that this manual prints.
    `pairs`: the wagers on a pair in this game.
    """
    return (
        other_table(PAIR_OR_BETTER, FITS_THE_PRINTED_RETURN["pair"], "Evolution's Three Card Poker", *pairs),
        other_table(
            THREE_PLUS_THREE,
            FITS_THE_PRINTED_RETURN["3+3"],
            SIX_CARDS,
            "3+3",
            answers={"steel-wheel": "straight-flush"},
        ),
    )


def other_table(
    own_pays: Pays, other_pays: Pays, source: str, *wagers: str, answers: Mapping[str, str] | None = None
) -> AlternativePay:
    """Return another casino's pay table, which pays for the same hands. Its name consists of its pays."""
    name = "-".join(str(to_one(pays)[0]) for pays in other_pays.values())
    table = {Fraction(*to_one(own_pays[hand])): Fraction(*to_one(other_pays[hand])) for hand in own_pays}
    return AlternativePay(name, source, wagers, instead(table), answers or {})
