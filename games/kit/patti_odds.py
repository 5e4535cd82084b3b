"""The spaces that Teen Patti and Bet on Teen Patti share: two hands of three cards, one of them, and the six
together.
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
"""Any six: each space says afterwards what the hands are worth."""


@cache
def showdown(a23: str) -> Showdown:
    """Return all pairs of hands under a reading of A-2-3."""
    return Showdown(lambda cards: three(cards, a23))


@cache
def _sixes() -> list[tuple[tuple[str, ...], int]]:
    return list(every_six())


@cache
def best_of_six(steel_wheel: str) -> Counter[int]:
    """Return how many sets of six cards there are of each strength under a reading of the suited
    A-2-3-4-5.
    """
    ways: Counter[int] = Counter()
    for cards, count in _sixes():
        ways[six(cards, steel_wheel)] += count
    return ways


def six_dealt(seat: Seat, bet: Event, *then: Event) -> TwoHands:
    """Return a round with a bet, three cards to each place, and these facts after them."""
    places = cast("type[TwoHands]", seat.game.round).places
    cards = [deal(places[number // 3], card) for number, card in enumerate(CARDS)]
    return cast(TwoHands, seat.hand(bet, *cards, *then))


def one_hand(seat: Seat, wager: str, place: str) -> Chances:
    """Count the bet on one hand, and every hand that may be dealt there."""
    round = six_dealt(seat, bet(wager))
    show = showdown(seat.table.answers["a23"])
    nets = show.alone(seat, round, round.strengths, place)
    return chances((own.ways, nets[own.place]) for own in show.own)


def all_six(seat: Seat, wager: str) -> Chances:
    """Count the bet on the best five of six, and every set of six cards."""
    round = six_dealt(seat, bet(wager))
    lines = seat.lines(round)

    def net(strength: int) -> Fraction:
        round.made = strength
        return seat.total(round, lines)

    return chances(
        (ways, net(strength)) for strength, ways in best_of_six(seat.table.answers["steel-wheel"]).items()
    )


def elsewhere(*pairs: str) -> tuple[AlternativePay, ...]:
    """Return the pay tables of other casinos that fit the printed returns; `pairs` is this game's name of the
    wager on a pair.
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
    ours: Pays, theirs: Pays, source: str, *wagers: str, answers: Mapping[str, str] | None = None
) -> AlternativePay:
    """Return a table that pays for the same hands, named by what it pays."""
    name = "-".join(str(to_one(pays)[0]) for pays in theirs.values())
    table = {Fraction(*to_one(ours[hand])): Fraction(*to_one(theirs[hand])) for hand in ours}
    return AlternativePay(name, source, wagers, instead(table), answers or {})
