"""The exact odds of Teen Patti, and what the manual prints of them."""

from __future__ import annotations

from fractions import Fraction

from games.kit import patti_odds
from games.kit.certificate import Certificate
from games.kit.chances import Chances, best, chances, mix
from games.kit.printed import RTP, Printed
from games.kit.seat import Seat, bet, choose
from games.teen_patti.manual import RETURN, game

certificate = Certificate(
    game,
    decks=(1,),
    any_decks=False,
    printed=(
        Printed(("ante",), RTP, "96.63", RETURN),
        Printed(("pair-or-better",), RTP, "95.51", RETURN),
        Printed(("3+3",), RTP, "91.44", RETURN),
    ),
    otherwise=patti_odds.elsewhere("pair-or-better"),
    counted_in={"play": None},
)


@certificate.space("ante", readings=("a23",))
def main_game(seat: Seat, wager: str) -> Chances:
    """Each hand that the player may hold, and the better of play and fold against all that the dealer may hold beside it.
    Who has folded is asked for no more: the dealer's hand is no part of it.

    Ante, play and ante bonus together; the player sees his own three cards and no other.
    """
    showdown = patti_odds.showdown(seat.table.answers["a23"])
    played = patti_odds.six_dealt(seat, bet("ante"), choose("play"), bet("play"))
    folded = patti_odds.six_dealt(seat, bet("ante"), choose("fold"))
    plays = showdown.asked(seat, played, played.strengths, "player", "dealer")
    folds = showdown.alone(seat, folded, folded.strengths, "player")
    return mix((own.ways, best(chances(showdown.outcomes(own, plays[own.place])), {folds[own.place]: Fraction(1)})) for own in showdown.own)


@certificate.space("pair-or-better")
def pair_or_better(seat: Seat, wager: str) -> Chances:
    """Every hand of the player, played or folded."""
    return patti_odds.one_hand(seat, wager, "player")


@certificate.space("3+3", readings=("steel-wheel",))
def three_plus_three(seat: Seat, wager: str) -> Chances:
    """Every six cards, played or folded."""
    return patti_odds.all_six(seat, wager)
