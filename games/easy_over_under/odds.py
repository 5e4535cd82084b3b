"""The exact odds of Easy Over Under, and what the manual prints of them."""

from __future__ import annotations

from games.easy_over_under.manual import PAYOUTS, SHORT_SIDE_PAYS, game
from games.kit.certificate import Certificate
from games.kit.chances import Chances, by_rank, chances
from games.kit.printed_odds import EDGE, PrintedFigure
from games.kit.seat import SPOT, Seat, bet, deal, roll

ROLLS = [(one, two) for one in range(1, 7) for two in range(1, 7)]


def price_class(one: int, two: int) -> str:
    """Return the roll in the words in which a round names what the price of its Short Side depends on."""
    return f"{one + two}{' doubles' if one == two else ''}"


CLASSES: dict[str, dict[str, int]] = {"": {}} | {
    price_class(*dice): {"roll": sum(dice), "doubles": dice[0] == dice[1]}
    for dice in sorted(ROLLS, key=sum)
    if sum(dice) != 7
}
"""What a Short Side wager knows when it is made. Without anything: one that is made on every roll but a
seven.
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
    """Count the bet, every roll of two dice, and every card on it."""
    cards = by_rank(seat.decks).items()
    return chances(
        (count, seat.net(bet(wager), roll(*dice), deal(SPOT, card)))
        for dice in ROLLS
        for card, count in cards
    )


@certificate.space("short-side", classes=CLASSES)
def after_the_roll(seat: Seat, wager: str, **known: int) -> Chances:
    """Count every card on a known roll, after the bet. On a seven there is no bet."""
    rolls = [
        dice for dice in ROLLS if sum(dice) in SHORT_SIDE_PAYS and known in ({}, CLASSES[price_class(*dice)])
    ]
    cards = by_rank(seat.decks).items()
    return chances(
        (count, seat.net(roll(*dice), bet(wager), deal(SPOT, card)))
        for dice in rolls
        for card, count in cards
    )
