"""The exact odds of Lucky 7, and the figures that the manual prints."""

from __future__ import annotations

from fractions import Fraction

from games.kit.certificate import Certificate
from games.kit.chances import Chances, by_card, chances
from games.kit.printed_odds import RTP, AlternativePay, PrintedFigure, instead
from games.kit.seat import Seat, bet, deal
from games.lucky_7.manual import RETURN, WAGERS, game

OLDER = "edition ezugi-0.9; pages of the game from 2020 to 2025"

certificate = Certificate(
    game,
    decks=(8,),
    printed=(
        PrintedFigure(("7-up", "7", "7-down"), RTP, "92.31", RETURN),
        PrintedFigure(("red", "black"), RTP, "95.0", RETURN),
        PrintedFigure(("odd",), RTP, "96.92", RETURN),
        PrintedFigure(("even",), RTP, "92.31", RETURN),
    ),
    alternatives=(
        AlternativePay(
            "a 7 takes the whole bet",
            "against the text of the payout table",
            ("7-up", "7-down"),
            instead({Fraction(-1, 2): -1}),
        ),
        AlternativePay("0.9:1", OLDER, ("red", "black"), instead({Fraction(49, 50): Fraction(9, 10)})),
        AlternativePay("1:1", OLDER, ("even",), instead({Fraction(11, 10): 1})),
    ),
)


@certificate.space(*WAGERS)
def one_card(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of a wager, computed from all cards. The three burned cards
    do not change it, because any card may be among them.
    """
    return chances(
        (count, seat.net(bet(wager), deal("table", card))) for card, count in by_card(seat.decks).items()
    )
