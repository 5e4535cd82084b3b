"""The exact odds of Bet on Teen Patti, and the figures that the manual prints."""

from __future__ import annotations

from fractions import Fraction

from games.bet_on_teen_patti.manual import HANDS, PAYOUTS, RETURN, game
from games.kit import patti_odds
from games.kit.certificate import Certificate
from games.kit.chances import Chances, chances
from games.kit.printed_odds import RTP, AlternativePay, PrintedFigure, instead
from games.kit.seat import Seat, bet

certificate = Certificate(
    game,
    decks=(1,),
    any_decks=False,
    printed=(
        PrintedFigure(("player-a", "player-b"), RTP, "99.00", RETURN),
        PrintedFigure(("pair-a", "pair-b"), RTP, "95.51", RETURN),
        PrintedFigure(("3+3",), RTP, "91.44", RETURN),
    ),
    alternatives=(
        *patti_odds.elsewhere("pair-a", "pair-b"),
        AlternativePay(
            "1 to 0.98",
            f"{PAYOUTS}, 1:0.98 to the letter",
            ("player-a", "player-b"),
            instead({Fraction(49, 50): Fraction(50, 49)}),
        ),
    ),
)


@certificate.space("player-a", "player-b", options=("a23",))
def better_hand(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of a main wager, computed from all pairs of hands."""
    showdown = patti_odds.showdown(seat.table.answers["a23"])
    round = patti_odds.six_dealt(seat, bet(wager))
    runs = showdown.net_results(seat, round, round.strengths, "a", "b")
    return chances(
        (own.ways * ways, net)
        for own in showdown.own
        for ways, net in showdown.outcomes(own, runs[own.place])
    )


@certificate.space("pair-a", "pair-b")
def pair_or_better(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of a pair wager, computed from all hands of its player."""
    return patti_odds.one_hand(seat, wager, HANDS[wager])


@certificate.space("3+3", options=("steel-wheel",))
def three_plus_three(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of the 3+3 Bonus, computed from all sets of six cards."""
    return patti_odds.all_six(seat, wager)
