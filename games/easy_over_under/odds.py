"""The exact odds of Easy Over Under, and the figures that the manual prints."""

from __future__ import annotations

from games.easy_over_under.manual import PAYOUTS, SHORT_SIDE_PAYS, game
from games.kit.certificate import Certificate
from games.kit.chances import Chances, by_rank, chances
from games.kit.printed_odds import EDGE, PrintedFigure
from games.kit.seat import SPOT, Seat, bet, deal, roll

ROLLS = [(first, second) for first in range(1, 7) for second in range(1, 7)]


def price_class(first: int, second: int) -> str:
    """Return the name of the price class of a roll, on which the odds of the Short Side depend: `9`, or `8
    doubles`.
    """
    return f"{first + second}{' doubles' if first == second else ''}"


CLASSES: dict[str, dict[str, int]] = {"": {}} | {
    price_class(*dice): {"roll": sum(dice), "doubles": dice[0] == dice[1]}
    for dice in sorted(ROLLS, key=sum)
    if sum(dice) != 7
}
"""For each price class: what the player knows about the roll when betting on the Short Side. The empty class
is for a player who bets on every roll except a seven.
"""

certificate = Certificate(
    game,
    decks=(6, 8),  # EOU Dealer Instructions 1: "six or eight decks"
    printed=(
        PrintedFigure(("over", "under"), EDGE, "3.21", f"{PAYOUTS}, Over & Under"),
        PrintedFigure(("short-side",), EDGE, "3.85", f"{PAYOUTS}, Short Side", conditions={"doubles": False}),
        PrintedFigure(("short-side",), EDGE, "0.00", f"{PAYOUTS}, Short Side", conditions={"doubles": True}),
        PrintedFigure(("spread",), EDGE, "2.99", f"{PAYOUTS}, Bet The Spread", pay_table="A"),
        PrintedFigure(("spread",), EDGE, "5.13", f"{PAYOUTS}, Bet The Spread", pay_table="B"),
    ),
)


@certificate.space("over", "under", "spread")
def before_the_roll(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of a wager (Over, Under or Bet The Spread), computed from all
    rolls of two dice and all cards.
    """
    cards = by_rank(seat.decks).items()
    return chances(
        (count, seat.net(bet(wager), roll(*dice), deal(SPOT, card)))
        for dice in ROLLS
        for card, count in cards
    )


@certificate.space("short-side", classes=CLASSES)
def after_the_roll(seat: Seat, wager: str, **known: int) -> Chances:
    """Return the probability of each net result of the Short Side, computed from all cards, either for a
    known roll or for all rolls except a seven.
    """
    rolls = [
        dice for dice in ROLLS if sum(dice) in SHORT_SIDE_PAYS and known in ({}, CLASSES[price_class(*dice)])
    ]
    cards = by_rank(seat.decks).items()
    return chances(
        (count, seat.net(roll(*dice), bet(wager), deal(SPOT, card)))
        for dice in rolls
        for card, count in cards
    )
