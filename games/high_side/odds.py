"""The exact odds of High Side. Its manual mentions house edges but does not print them. Its layout shows a
pay table that is not in the manual.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import cast

from games.high_side.dice_and_card import NUMBER
from games.high_side.hands import HighSideRound
from games.high_side.manual import PAYOUTS, game
from games.kit.amounts import Exact
from games.kit.certificate import Certificate
from games.kit.chances import Chances, best, by_rank, chances, mean, mix
from games.kit.events import Event
from games.kit.line import Line
from games.kit.printed_odds import DRAWN, AlternativePay, PrintedFigure
from games.kit.round import Round
from games.kit.seat import SPOT, Seat, bet, choose, deal, pull, roll

DIE = range(1, 7)
FELT = "1:1 2:1 3:1 5:1 10:1 20:1"
EASY = "as in Easy Over Under of the same publisher"
HALF = "the half loss of Easy Over Under, also on doubles"
SCAN = "the layout's line 'HAND WAYS THE PAIR 24 THIRD BET', if it is 'hard ways tie pays 2-1 third bet'"


def dice(round: Round) -> tuple[int | None, int | None]:
    """Return the values of the two dice."""
    (_, first), (_, second) = cast(HighSideRound, round).shown
    return first, second


def tie_costs_half(round: Round, line: Line, net: Fraction) -> Fraction:
    """Return the net result of a bet if a tie costs half of the stake."""
    return net or Fraction(-1, 2)


def tie_costs_half_except_doubles(round: Round, line: Line, net: Fraction) -> Fraction:
    """Return the net result of a bet if a tie costs half of the stake, but is a push when the dice are
    doubles.
    """
    first, second = dice(round)
    return net if first == second else tie_costs_half(round, line, net)


def hard_way_pays_two(round: Round, line: Line, net: Fraction) -> Fraction:
    """Return the net result of a bet if the third wager is paid 2 to 1 on a hard way. A hard way is a tie
    with two twos, threes, fours or fives on the dice.
    """
    first, second = dice(round)
    hard = (
        first == second
        and first in (2, 3, 4, 5)
        and cast(HighSideRound, round).total == cast(HighSideRound, round).pip
    )
    return Fraction(2) if hard and NUMBER[line.wager] == 3 else net


certificate = Certificate(
    game,
    decks=(6,),
    printed=(
        PrintedFigure(("bonus",), DRAWN, FELT, f"{PAYOUTS}, the layout's Bonus Pays", pay_table="felt"),
    ),
    alternatives=(
        AlternativePay("a tie loses half", HALF, ("main",), tie_costs_half, {"tie": "push"}),
        AlternativePay(
            "a tie loses half and pushes on doubles",
            EASY,
            ("main",),
            tie_costs_half_except_doubles,
            {"tie": "push"},
        ),
        AlternativePay("a hard-way tie pays the third wager 2:1", SCAN, ("main",), hard_way_pays_two),
    ),
    counted_in={wager: "main" if number == 1 else None for wager, number in NUMBER.items()},
    units={"main": "one of the three equal main wagers"},
)


@certificate.space("main", options=("tie",))
def three_wagers(seat: Seat, wager: str, side: str = "dice") -> Chances:
    """Return the probability of each net result of the three wagers on a side, computed from all dice and
    cards. The player makes the better decision after each die. The unit is one of the three wagers.
    """
    return mix((1, best(*first_decision(seat, side, die))) for die in DIE)


def first_decision(seat: Seat, side: str, die: int) -> tuple[Chances, Chances]:
    """Return the probability of each net result if the player keeps the first wager, and if the player
    withdraws it.

    Args:
        die: the value of the first die.
    """
    so_far = [*(bet(f"{side}-{number}") for number in (1, 2, 3)), roll(die)]
    return second_die(seat, side, [*so_far, choose("keep")]), second_die(
        seat, side, [*so_far, pull(f"{side}-1")]
    )


def second_die(seat: Seat, side: str, so_far: list[Event]) -> Chances:
    """Return the probability of each net result after the facts in `so_far`, computed from all values of the
    second die and all cards. The player is assumed to make the better decision on the second wager. After a
    seven there is no decision.
    """
    return mix((1, best(*second_decision(seat, side, [*so_far, roll(two)]))) for two in DIE)


def second_decision(seat: Seat, side: str, shown: list[Event]) -> tuple[Chances, ...]:
    """Return the probability of each net result if the player keeps the second wager, and if the player
    withdraws it. After a seven there is nothing to decide, so the tuple has one item.

    Args:
        shown: the facts up to the second die.
    """
    if not cast(HighSideRound, seat.hand(*shown)).asks_second(SPOT):
        return (the_card(seat, shown),)
    return the_card(seat, [*shown, choose("keep")]), the_card(seat, [*shown, pull(f"{side}-2")])


def the_card(seat: Seat, so_far: list[Event]) -> Chances:
    """Return the probability of each net result after the facts in `so_far`, computed from all cards."""
    return chances(
        (count, seat.net(*so_far, deal("community", card))) for card, count in by_rank(seat.decks).items()
    )


@cache
def kept_first(side: str, tie: str, die: int) -> Fraction:
    """Return how much more the player wins on average by keeping the first wager on this die than by
    withdrawing it.
    """
    keep, withdraw = first_decision(seat_for(tie), side, die)
    return mean(keep) - mean(withdraw)


@cache
def kept_second(side: str, tie: str, first: int, second: int) -> Fraction:
    """Return how much more the player wins on average by keeping the second wager on these dice than by
    withdrawing it.
    """
    so_far = [*(bet(f"{side}-{number}") for number in (1, 2, 3)), roll(first), choose("keep"), roll(second)]
    keep, withdraw = second_decision(seat_for(tie), side, so_far)
    return mean(keep) - mean(withdraw)


def seat_for(tie: str) -> Seat:
    """Return a simulated table whose option `tie` has this value."""
    case = certificate.case_of("", "dice-1", pay_tables={}, decks=6, readings={"tie": tie})
    assert case is not None
    return certificate.seat(case)


FIRST_AND_SECOND = tuple(wager for wager, number in NUMBER.items() if number < 3)


@certificate.decides(
    *FIRST_AND_SECOND, dependent=[wager for wager in NUMBER if wager not in FIRST_AND_SECOND], needs="pull"
)
def kept_or_withdrawn(round: HighSideRound, line: Line) -> Exact | None:
    """Return the cost of the decision to keep or withdraw a wager. A stake that was not withdrawn counts as
    kept. After a seven there is no second decision.
    """
    first, second = dice(round) if round.second_die is not None else (None, None)
    if first is None or second is None:
        return None
    if NUMBER[line.wager] == 2 and round.seven:
        return 0
    side, tie = line.wager[:4], round.table.answers["tie"]
    worth = kept_first(side, tie, first) if NUMBER[line.wager] == 1 else kept_second(side, tie, first, second)
    wrong = line.stake if worth < 0 else line.pulled
    return wrong * abs(worth) if wrong else 0


@certificate.space("bonus")
def margin(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of the Bonus, computed from all dice and cards."""
    return mix(
        (1, the_card(seat, [bet(wager), roll(first), roll(second)])) for first in DIE for second in DIE
    )
