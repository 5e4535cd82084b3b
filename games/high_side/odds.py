"""The exact odds of High Side. Its manual announces house edges and prints none; its layout draws a pay table that it does not have."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from games.high_side.hands import NUMBER, HighSideRound
from games.high_side.manual import PAYOUTS, game
from games.kit.certificate import Certificate
from games.kit.chances import Chances, best, by_rank, chances, mix
from games.kit.events import Event
from games.kit.line import Line
from games.kit.printed import DRAWN, Otherwise, Printed
from games.kit.round import Round
from games.kit.seat import SPOT, Seat, bet, choose, deal, pull, roll

DIE = range(1, 7)
FELT = "1:1 2:1 3:1 5:1 10:1 20:1"
EASY = "as Easy Over Under by the same house has it"
HALF = "the half loss of Easy Over Under, also on doubles"
SCAN = "the layout's line 'HAND WAYS THE PAIR 24 THIRD BET', if it is 'hard ways tie pays 2-1 third bet'"


def dice(round: Round) -> tuple[int | None, int | None]:
    """What the two dice show."""
    (_, one), (_, two) = cast(HighSideRound, round).shown
    return one, two


def half(round: Round, line: Line, net: Fraction) -> Fraction:
    """A tie, which pushes here, costs half."""
    return net or Fraction(-1, 2)


def half_but_doubles(round: Round, line: Line, net: Fraction) -> Fraction:
    """A tie, which pushes here, costs half, and nothing on doubles."""
    one, two = dice(round)
    return net if one == two else half(round, line, net)


def hard_way(round: Round, line: Line, net: Fraction) -> Fraction:
    """A tie on two twos, threes, fours or fives pays the third wager two to one."""
    one, two = dice(round)
    hard = one == two and one in (2, 3, 4, 5) and cast(HighSideRound, round).total == cast(HighSideRound, round).pip
    return Fraction(2) if hard and NUMBER[line.wager] == 3 else net


certificate = Certificate(
    game,
    decks=(6,),
    printed=(Printed(("bonus",), DRAWN, FELT, f"{PAYOUTS}, the layout's Bonus Pays", pay_table="felt"),),
    otherwise=(
        Otherwise("a tie loses half", HALF, ("main",), half, {"tie": "push"}),
        Otherwise("a tie loses half and pushes on doubles", EASY, ("main",), half_but_doubles, {"tie": "push"}),
        Otherwise("a hard-way tie pays the third wager 2:1", SCAN, ("main",), hard_way),
    ),
    counted_in={wager: "main" if number == 1 else None for wager, number in NUMBER.items()},
)


@certificate.space("main", readings=("tie",))
def three_wagers(seat: Seat, wager: str, side: str = "dice") -> Chances:
    """Three wagers on a side, each die, the best of keeping and withdrawing after each, and every card; per one of the three."""
    bets = [bet(f"{side}-{number}") for number in (1, 2, 3)]
    keep, withdraw = choose("keep"), pull(f"{side}-1")
    return mix((1, best(*(second_die(seat, side, [*bets, roll(one), first]) for first in (keep, withdraw)))) for one in DIE)


def second_die(seat: Seat, side: str, so_far: list[Event]) -> Chances:
    """The second die, then the second decision, which a seven skips, and the card."""
    branches = []
    for two in DIE:
        shown = [*so_far, roll(two)]
        asked = cast(HighSideRound, seat.hand(*shown)).asks_second(SPOT)
        ways: list[list[Event]] = [[choose("keep")], [pull(f"{side}-2")]] if asked else [[]]
        branches.append((1, best(*(the_card(seat, [*shown, *way]) for way in ways))))
    return mix(branches)


def the_card(seat: Seat, so_far: list[Event]) -> Chances:
    """Every card."""
    return chances((count, seat.net(*so_far, deal("community", card))) for card, count in by_rank(seat.decks).items())


@certificate.space("bonus")
def margin(seat: Seat, wager: str) -> Chances:
    """The bet, both dice, and every card."""
    return mix((1, the_card(seat, [bet(wager), roll(one), roll(two)])) for one in DIE for two in DIE)
