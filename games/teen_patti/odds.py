"""The exact odds of Teen Patti, and the figures that the manual prints."""

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
from games.kit.showdown import Own, suit_pattern
from games.teen_patti.hands import TeenPattiRound
from games.teen_patti.manual import BONUS, PAYMENT, RETURN, game

HAND = 3
"""The number of cards in a hand."""

certificate = Certificate(
    game,
    decks=(1,),
    any_decks=False,
    printed=(
        PrintedFigure(("ante",), RTP, "96.63", RETURN),
        PrintedFigure(("pair-or-better",), RTP, "95.51", RETURN),
        PrintedFigure(("3+3",), RTP, "91.44", RETURN),
    ),
    alternatives=patti_odds.elsewhere("pair-or-better"),
    counted_in={"play": None},
    units={"ante": "the ante, with Ante, Play and ante bonus together"},
)


@certificate.space("ante", options=("a23",))
def main_game(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of the ante, computed from all hands. On each hand the player
    makes the better of two decisions: play or fold.

    Ante, play and ante bonus are counted together. The player sees only his own three cards.
    """
    return mix((own.ways, best(*choices.values())) for own, choices in decisions(seat))


def decisions(seat: Seat) -> Iterator[tuple[Own, dict[str, Chances]]]:
    """Yield (hand, {decision: {net result: probability}}) for each hand of the player. The decisions are play
    and fold.

    After a fold the ante is lost, so the dealer's hand does not matter.
    """
    showdown = patti_odds.showdown(seat.table.answers["a23"])
    played = patti_odds.six_dealt(seat, bet("ante"), choose("play"), bet("play"))
    folded = patti_odds.six_dealt(seat, bet("ante"), choose("fold"))
    plays = showdown.net_results(seat, played, played.strengths, "player", "dealer")
    folds = showdown.net_results_of_one_hand(seat, folded, folded.strengths, "player")
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
    """Return the cost of playing and of folding each hand, in antes. Hands that differ only in the names of
    the suits count as one hand.
    """
    case = certificate.case_of("", "ante", pay_tables={}, decks=1, readings={"a23": a23})
    assert case is not None
    return {suit_pattern(own.cards): costs(choices) for own, choices in decisions(certificate.seat(case))}


@cache
def without_play(a23: str) -> dict[object, Fraction]:
    """Return the average net result of the ante for each hand of a player who neither folds nor makes a play
    wager.
    """
    case = certificate.case_of("", "ante", pay_tables={}, decks=1, readings={"a23": a23})
    assert case is not None
    seat, showdown = certificate.seat(case), patti_odds.showdown(a23)
    round = patti_odds.six_dealt(seat, bet("ante"), choose("play"))
    runs = showdown.net_results(seat, round, round.strengths, "player", "dealer")
    return {
        suit_pattern(own.cards): mean(chances(showdown.outcomes(own, runs[own.place])))
        for own in showdown.own
    }


@certificate.decides("ante", dependent=("play", PAYMENT), needs="choose")
def played_or_folded(round: TeenPattiRound, line: Line) -> Exact | None:
    """Return the cost of playing or folding the player's three cards. A missing decision counts as a fold,
    and so does the default decision of a disconnected player.
    """
    cards = tuple(card for card in round.hands["player"] if card is not None)
    hand = suit_pattern(cards) if len(cards) == HAND else None
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
    """Return the cost of not folding if the play wager does not equal the ante or is missing. The cost is
    below 0 if the player gained by it.

    The result of the play wager is proportional to its amount. The bonus on the ante is owed in full for a
    play wager of any amount. Without a play wager it is not owed.
    """
    play_result, bonus = (
        without_play(round.table.answers["a23"])[hand],
        of_three(BONUS, round.strengths["player"]),
    )
    best = known["fold"] - 1
    earned = Fraction(bonus.up, bonus.down) if bonus is not None else Fraction(0)
    wager = best - known["play"] - play_result - earned
    return ante * (best - play_result - (earned if play else 0)) - play * wager


@certificate.space("pair-or-better")
def pair_or_better(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of the wager on a pair or better, computed from all hands of
    the player.
    """
    return patti_odds.one_hand(seat, wager, "player")


@certificate.space("3+3", options=("steel-wheel",))
def three_plus_three(seat: Seat, wager: str) -> Chances:
    """Return the probability of each net result of the 3+3 Bonus, computed from all sets of six cards."""
    return patti_odds.all_six(seat, wager)
