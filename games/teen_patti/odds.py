"""The exact odds of Teen Patti, and what the manual prints of them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from games.kit import patti_odds
from games.kit.amounts import Exact
from games.kit.certificate import Certificate
from games.kit.chances import Chances, best, chances, costs, mean, mix
from games.kit.line import Line
from games.kit.patti import of_three
from games.kit.printed_odds import RTP, PrintedFigure
from games.kit.seat import Seat, bet, choose
from games.kit.showdown import Own, suits_apart
from games.teen_patti.hands import TeenPattiRound
from games.teen_patti.manual import BONUS, PAYMENT, RETURN, game

HAND = 3
"""Cards of a hand."""

certificate = Certificate(
    game,
    decks=(1,),
    any_decks=False,
    printed=(
        PrintedFigure(("ante",), RTP, "96.63", RETURN),
        PrintedFigure(("pair-or-better",), RTP, "95.51", RETURN),
        PrintedFigure(("3+3",), RTP, "91.44", RETURN),
    ),
    otherwise=patti_odds.elsewhere("pair-or-better"),
    counted_in={"play": None},
    units={"ante": "the ante, with Ante, Play and ante bonus together"},
)


@certificate.space("ante", options=("a23",))
def main_game(seat: Seat, wager: str) -> Chances:
    """Count each hand of the player, with the better of play and fold against all hands that the dealer may
    hold.

    Ante, play and ante bonus are counted together. The player sees only his own three cards.
    """
    return mix((own.ways, best(*choices.values())) for own, choices in decisions(seat))


def decisions(seat: Seat) -> Iterator[tuple[Own, dict[str, Chances]]]:
    """Yield each hand of the player with the chances of play and of fold.

    After a fold nothing more is decided, so the dealer's hand is not counted.
    """
    showdown = patti_odds.showdown(seat.table.answers["a23"])
    played = patti_odds.six_dealt(seat, bet("ante"), choose("play"), bet("play"))
    folded = patti_odds.six_dealt(seat, bet("ante"), choose("fold"))
    plays = showdown.asked(seat, played, played.strengths, "player", "dealer")
    folds = showdown.alone(seat, folded, folded.strengths, "player")
    for own in showdown.own:
        yield (
            own,
            {
                "play": chances(showdown.outcomes(own, plays[own.place])),
                "fold": {folds[own.place]: Fraction(1)},
            },
        )


@cache
def costs_by_hand(a23: str) -> dict[object, dict[str, Fraction]]:
    """Return the cost of play and of fold, in antes, for each hand up to the names of its suits."""
    case = certificate.case_of("", "ante", pay_tables={}, decks=1, readings={"a23": a23})
    assert case is not None
    return {suits_apart(own.cards): costs(choices) for own, choices in decisions(certificate.seat(case))}


@cache
def without_play(a23: str) -> dict[object, Fraction]:
    """Return what an ante brings on average on each hand of a player who stays in without a play wager."""
    case = certificate.case_of("", "ante", pay_tables={}, decks=1, readings={"a23": a23})
    assert case is not None
    seat, showdown = certificate.seat(case), patti_odds.showdown(a23)
    round = patti_odds.six_dealt(seat, bet("ante"), choose("play"))
    runs = showdown.asked(seat, round, round.strengths, "player", "dealer")
    return {
        suits_apart(own.cards): mean(chances(showdown.outcomes(own, runs[own.place]))) for own in showdown.own
    }


@certificate.decides("ante", besides=("play", PAYMENT), needs="choose")
def played_or_folded(round: TeenPattiRound, line: Line) -> Exact | None:
    """Play or fold on the player's three cards; no decision is a fold, and so is the default of a player who
    is lost.
    """
    cards = tuple(card for card in round.hands["player"] if card is not None)
    hand = suits_apart(cards) if len(cards) == HAND else None
    known = costs_by_hand(round.table.answers["a23"]).get(hand)
    if known is None:
        return None
    plays = round.plays(line.spot)
    play = round.stake(line.spot, "play") if plays else 0
    if plays and play != line.stake:
        return unequal(round, line.stake, play, hand, known)
    cost = known["play" if plays else "fold"]
    return line.stake * cost if cost else 0


def unequal(
    round: TeenPattiRound, ante: int, play: int, hand: object, known: dict[str, Fraction]
) -> Fraction:
    """Return what it cost to stay in with a play wager that does not equal the ante, or with none: below 0 if
    it gained.

    The bonus needs a play wager of any amount; what the play wager itself brings grows with it.
    """
    alone, bonus = without_play(round.table.answers["a23"])[hand], of_three(BONUS, round.strengths["player"])
    best = known["fold"] - 1
    earned = Fraction(bonus.up, bonus.down) if bonus is not None else Fraction(0)
    wager = best - known["play"] - alone - earned
    return ante * (best - alone - (earned if play else 0)) - play * wager


@certificate.space("pair-or-better")
def pair_or_better(seat: Seat, wager: str) -> Chances:
    """Count every hand of the player, played or folded."""
    return patti_odds.one_hand(seat, wager, "player")


@certificate.space("3+3", options=("steel-wheel",))
def three_plus_three(seat: Seat, wager: str) -> Chances:
    """Count every set of six cards, played or folded."""
    return patti_odds.all_six(seat, wager)
