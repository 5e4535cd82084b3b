"""The content of the chapter Bet on Teen Patti: pay tables, editions, open questions, and how each wager is
settled.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from games.bet_on_teen_patti.hands import BetOnTeenPattiRound
from games.bet_on_teen_patti.questions import CONTRADICTIONS, QUESTIONS
from games.kit import patti, studio
from games.kit.game import Game
from games.kit.line import Line
from games.kit.odds import Odds
from games.kit.rules import Mistake

CHAPTER, OF = "Bet on Teen Patti", "Ezugi Bet on Teen Patti"
RULES, BETTING, PLAYING = f"{OF} Game Rules", f"{OF} Betting Instructions", f"{OF} Playing Instructions"
OUTCOMES, SIDES, RANKS, PAYOUTS = (
    f"{OF} Game Outcomes",
    f"{OF} Side Bets",
    f"{OF} Hand Rankings",
    f"{OF} Payouts",
)
RETURN = f"{OF} Return To Player"

EDITIONS = {  # Ezugi Bet on Teen Patti, Payouts: "1:0.98", and the pays of other casinos
    "ezugi": "0.98",
    "ezugi-0.95": "0.95",
}
WAGERS = ("player-a", "player-b", "pair-a", "pair-b", "3+3")

game = Game(
    code="bet_on_teen_patti",
    source=studio.source(CHAPTER, (RULES, BETTING, PLAYING, OUTCOMES, SIDES, RANKS, PAYOUTS, RETURN)),
    round=BetOnTeenPattiRound,
    live_dealer=True,
    wagers=WAGERS,
    editions=EDITIONS,
    pay_tables={wager: {"ezugi": None} for wager in WAGERS},
    decks=1,
    every_round=True,
    has_place=frozenset(BetOnTeenPattiRound.places).__contains__,
    plays=(),
    decided_by="deal",
    cites=studio.cites(CHAPTER, rules=RULES, betting=BETTING, order=PLAYING, payout=PAYOUTS, outcome=OUTCOMES)
    | {"bets-not-closed": PLAYING},
    questions=QUESTIONS,
    contradictions=CONTRADICTIONS,
    options=patti.OPTIONS,
)

HANDS = {"player-a": "a", "player-b": "b", "pair-a": "a", "pair-b": "b"}
"""The hand that each wager is bet on."""
OTHER = {"a": "b", "b": "a"}


def main_table(pays: str) -> Odds:
    """Return the odds that an edition pays on the better hand."""
    win = Fraction(pays)
    return Odds(win.numerator, win.denominator, f"The better hand pays {pays} to 1.", PAYOUTS)


BETTER = {edition: main_table(pays) for edition, pays in EDITIONS.items()}
WORSE = Odds(-1, 1, "The other hand is better.", OUTCOMES)
TIE = Odds(0, 1, "Both hands are the same: a push.", OUTCOMES)
PAIRS = {
    wager: patti.pair_table(f"Pair or better on Player {HANDS[wager].upper()}", PAYOUTS)
    for wager in ("pair-a", "pair-b")
}
SIX = patti.six_table(PAYOUTS)
PAIRS_ELSEWHERE = patti.pair_table("", PAYOUTS, patti.FITS_THE_PRINTED_RETURN["pair"])
SIX_ELSEWHERE = patti.six_table(PAYOUTS, patti.FITS_THE_PRINTED_RETURN["3+3"])


def main_odds(own: int, other: int, better: Odds) -> Odds:
    """Return the odds of a main wager.

    Args:
        own: the strength of the hand that was bet on.
        other: the strength of the other hand.
        better: the odds if the hand that was bet on is the better one.
    """
    return better if own > other else WORSE if other > own else TIE


@game.settles("player-a", "player-b")
def better_hand(round: BetOnTeenPattiRound, line: Line) -> Odds | None:
    """Return the odds owed on a main wager: the better hand wins by the edition's pay table, and equal hands
    push.
    """
    hand = HANDS[line.wager]
    own, other, better = (
        round.strengths[hand],
        round.strengths[OTHER[hand]],
        BETTER.get(round.table.opened.edition),
    )
    if own is None or other is None or better is None:
        return None
    return main_odds(own, other, better)


@game.settles("pair-a", "pair-b")
def pair_or_better(round: BetOnTeenPattiRound, line: Line) -> Odds | None:
    """Return the odds owed on a wager on a pair or better. The hand that was bet on counts, even if it is the
    worse hand.
    """
    return patti.of_three(PAIRS[line.wager], round.strengths[HANDS[line.wager]])


@game.settles("3+3")
def three_plus_three(round: BetOnTeenPattiRound, line: Line) -> Odds | None:
    """Return the odds owed on the 3+3 Bonus, which wins with three of a kind or better in the best five of
    the six cards.
    """
    return patti.of_six(SIX, round.best())


@game.mistakes("player-a", "player-b")
def main_gone_wrong(round: BetOnTeenPattiRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on main wagers: paying as another edition does, reading the
    odds the wrong way round, or ranking the hands differently.
    """
    edition = round.table.opened.edition
    better, right = BETTER.get(edition), better_hand(round, line)
    if better is None:
        return
    if right == better:
        for name, pays in BETTER.items():
            if name != edition:
                yield Mistake(f"it was paid {EDITIONS[name]} to 1, as under the edition {name}.", pays)
        yield Mistake(
            f"1:{EDITIONS[edition]} was read the other way round, 1 to {EDITIONS[edition]}.",
            Odds(better.down, better.up, "", PAYOUTS),
        )
    for says, a, b in patti.other_ranks(round):
        own, other = (a, b) if HANDS[line.wager] == "a" else (b, a)
        odds = main_odds(own, other, better)
        if odds != right:
            yield Mistake(says, odds)


@game.mistakes("pair-a", "pair-b")
def pair_gone_wrong(round: BetOnTeenPattiRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on pair wagers: paying by the other hand, by another pay
    table, or by another line of the pay table.
    """
    hand = HANDS[line.wager]
    return patti.pair_mistakes(round, hand, OTHER[hand], PAIRS[line.wager], PAIRS_ELSEWHERE)


@game.mistakes("3+3")
def six_gone_wrong(round: BetOnTeenPattiRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on the 3+3 Bonus: ranking the suited A-2-3-4-5 differently,
    or paying by another pay table or another line of the pay table.
    """
    return patti.six_mistakes(round, SIX, SIX_ELSEWHERE)
