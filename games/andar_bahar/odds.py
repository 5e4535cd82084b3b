"""The exact odds of Andar Bahar, and the figures that the manual prints."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from fractions import Fraction
from math import comb

from games.andar_bahar.manual import EDITIONS, SIDES, WAGERS, game
from games.kit.certificate import Certificate
from games.kit.chances import Chances, chances
from games.kit.line import Line
from games.kit.printed_odds import PAYS, AlternativePay, PrintedFigure, instead
from games.kit.round import Round
from games.kit.seat import Seat, bet, deal

JOKER = "As"
"""The joker that is used to compute the odds. The odds are the same for every joker."""
OTHERS = [f"{rank}{suit}" for suit in "shdc" for rank in "23456789TJQK"]


def stake_besides(round: Round, line: Line, net: Fraction) -> Fraction:
    """Return the net result of a bet if the printed total return is paid in addition to the stake."""
    return net + 1 if net > 0 else net


certificate = Certificate(
    game,
    decks=(1,),
    printed=(PrintedFigure(("1-5",), PAYS, "3:1", f"{SIDES}, text"),),
    alternatives=(
        AlternativePay(
            "3:1",
            "the text of the side bets, which contradicts their table",
            ("1-5",),
            instead({Fraction(5, 2): 3}),
        ),
        AlternativePay(
            "X as odds to one",
            "Payout table and side bets, if X does not include the stake",
            WAGERS,
            stake_besides,
        ),
    ),
)


@certificate.space(*WAGERS)
def until_the_match(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of a wager, computed from all numbers of cards until the
    match.
    """
    return chances(ends(seat, wager))


def ends(seat: Seat, wager: str) -> Iterator[tuple[int, Fraction]]:
    """Yield (ways, net result) for each position at which the match can come. `ways` is the number of card
    orders with the match at this position. `net result` is the net result of the wager in this case.
    """
    first = EDITIONS[seat.table.opened.edition].first
    sides = ("andar", "bahar") if first == "andar" else ("bahar", "andar")
    matching, behind = 4 * seat.decks - 1, 52 * seat.decks - 1
    round = seat.hand(deal("joker", JOKER), bet(wager))
    for place in range(behind - matching + 1):
        side, ended = sides[place % 2], copy(round)
        ended.deal(deal(side, JOKER))
        yield comb(behind - place - 1, matching - 1), seat.total(ended, seat.lines(ended))
        round.deal(deal(side, OTHERS[place % len(OTHERS)]))
