"""The content of the chapter Teen Patti: pay tables, open questions, and how each wager is settled."""

from __future__ import annotations

from collections.abc import Iterator

from games.kit import events as e
from games.kit import patti, studio
from games.kit.game import Game
from games.kit.line import Line
from games.kit.odds import Odds, to_one
from games.kit.poker import HIGH_CARD, THREE_NAMES
from games.kit.rules import Mistake
from games.teen_patti.hands import TeenPattiRound
from games.teen_patti.questions import CONTRADICTIONS, QUESTIONS

CHAPTER, OF = "Teen Patti", "Ezugi Teen Patti"
RULES, BETTING, PLAYING = f"{OF} Game Rules", f"{OF} Betting Instructions", f"{OF} Playing Instructions"
OUTCOMES, SIDES, RANKS, PAYOUTS = (
    f"{OF} Game Outcomes",
    f"{OF} Side Bets",
    f"{OF} Hand Rankings",
    f"{OF} Payouts",
)
RETURN, DISCONNECTION = f"{OF} Return To Player", studio.disconnection(CHAPTER)

ANTE_BONUS = {  # Ezugi Teen Patti, Payouts. Its "Royal flush" is the mini royal.
    "mini royal": "5:1",
    "straight flush": "5:1",
    "three of a kind": "4:1",
    "straight": "1:1",
}
WAGERS = ("ante", "play", "pair-or-better", "3+3")
PAYMENT = "ante-bonus"

game = Game(
    code="teen_patti",
    source=studio.source(CHAPTER, (RULES, BETTING, PLAYING, OUTCOMES, SIDES, RANKS, PAYOUTS, RETURN)),
    round=TeenPattiRound,
    live_dealer=True,
    wagers=WAGERS,
    editions={"ezugi": None},
    pay_tables={wager: {"ezugi": None} for wager in (*WAGERS, PAYMENT)},
    decks=1,
    every_round=True,
    has_place=frozenset(TeenPattiRound.places).__contains__,
    plays=(e.Choose,),
    decided_by="deal",
    cites=studio.cites(
        CHAPTER, rules=RULES, betting=BETTING, order=PLAYING, payout=PAYOUTS, outcome=OUTCOMES
    ),
    questions=QUESTIONS,
    contradictions=CONTRADICTIONS,
    options=patti.OPTIONS,
    payments={PAYMENT: "ante"},
)

EVEN = {
    "ante": Odds(1, 1, "The dealer qualifies and the player's hand is better: the ante pays 1:1.", OUTCOMES),
    "play": Odds(
        1, 1, "The dealer qualifies and the player's hand is better: the play wager pays 1:1.", OUTCOMES
    ),
}
LOSES = Odds(-1, 1, "The dealer qualifies and his hand is better.", OUTCOMES)
TIE = Odds(0, 1, "The dealer qualifies and both hands are the same: a push.", OUTCOMES)
UNQUALIFIED = {
    "ante": Odds(1, 1, "The dealer does not have queen high: the ante pays 1:1.", OUTCOMES),
    "play": Odds(0, 1, "The dealer does not have queen high: the play wager pushes.", OUTCOMES),
}
FOLDED = Odds(-1, 1, "The player folded: the ante is lost.", PLAYING)
TIMED_OUT = Odds(-1, 1, "The time to decide had run out, so the hand is folded: the ante is lost.", PLAYING)
DEFAULTED = Odds(
    -1,
    1,
    "The player had lost the connection before deciding, so the hand is folded by default: the ante is lost.",
    DISCONNECTION,
)
FOLDED_PLAY = Odds(0, 1, "The hand is folded: nothing is owed on a play wager.", OUTCOMES)
NO_BONUS = Odds(0, 1, "The hand is less than a straight: it brings no ante bonus.", OUTCOMES)
NO_BONUS_FOLDED = Odds(0, 1, "The player folded: there is no ante bonus without ante and play.", OUTCOMES)
NO_BONUS_ALONE = Odds(0, 1, "There is no play wager: there is no ante bonus without ante and play.", OUTCOMES)
BONUS = tuple(
    (
        Odds(*to_one(ANTE_BONUS[kind]), f"The ante bonus pays {ANTE_BONUS[kind]} for a {kind}.", PAYOUTS)
        if kind in ANTE_BONUS
        else NO_BONUS
    )
    for kind in THREE_NAMES
)
PAIRS = patti.pair_table("Pair or better", PAYOUTS)
SIX = patti.six_table(PAYOUTS)
PAIRS_ELSEWHERE = patti.pair_table("", PAYOUTS, patti.FITS_THE_PRINTED_RETURN["pair"])
SIX_ELSEWHERE = patti.six_table(PAYOUTS, patti.FITS_THE_PRINTED_RETURN["3+3"])


def against_dealer(wager: str, player: int, dealer: int) -> Odds:
    """Return the odds of the ante or the play wager against a dealer who qualifies."""
    return EVEN[wager] if player > dealer else LOSES if dealer > player else TIE


@game.settles("ante", "play")
def ante_and_play(round: TeenPattiRound, line: Line) -> Odds | None:
    """Return the odds owed on ante or play against the dealer's hand. After a fold the ante is lost and
    nothing is owed on play.
    """
    if not round.plays(line.spot):
        return folded(round, line)
    player, dealer, qualified = round.strengths["player"], round.strengths["dealer"], round.qualified()
    if qualified is False:
        return UNQUALIFIED[line.wager]
    if player is None or dealer is None:
        return None
    return against_dealer(line.wager, player, dealer)


def folded(round: TeenPattiRound, line: Line) -> Odds:
    """Return the odds of the ante or the play wager after a fold. The text of these odds names the reason for
    the fold.
    """
    if line.wager == "play":
        return FOLDED_PLAY
    choice = round.choices.get(line.spot)
    if choice is not None and choice.choice == "play":
        return TIMED_OUT
    return DEFAULTED if round.defaulted(line.spot) else FOLDED


@game.settles(PAYMENT)
def ante_bonus(round: TeenPattiRound, line: Line) -> Odds | None:
    """Return the odds owed as a bonus on the ante. It pays for a straight or better in the player's hand,
    even if the hand loses. The player needs an ante and a play wager.
    """
    if not round.plays(line.spot):
        return NO_BONUS_FOLDED
    return (
        patti.of_three(BONUS, round.strengths["player"]) if round.stake(line.spot, "play") else NO_BONUS_ALONE
    )


@game.settles("pair-or-better")
def pair_or_better(round: TeenPattiRound, line: Line) -> Odds | None:
    """Return the odds owed on a pair or better in the player's three cards, even after a fold."""
    return patti.of_three(PAIRS, round.strengths["player"])


@game.settles("3+3")
def three_plus_three(round: TeenPattiRound, line: Line) -> Odds | None:
    """Return the odds owed on the 3+3 Bonus. It pays for three of a kind or better in the best five of the
    six cards, also after a fold.
    """
    return patti.of_six(SIX, round.best())


@game.mistakes("ante", "play")
def main_gone_wrong(round: TeenPattiRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on ante and play: overlooking a fold or the qualification,
    adding the bonus to the ante, or ranking the hands differently.
    """
    player, dealer, qualified = round.strengths["player"], round.strengths["dealer"], round.qualified()
    right, wager = ante_and_play(round, line), line.wager
    if player is None or dealer is None:
        return
    if not round.plays(line.spot):
        played = against_dealer(wager, player, dealer) if qualified else UNQUALIFIED[wager]
        yield Mistake(f"the fold was overlooked, and the {wager} settled as if played.", played)
        if wager == "play":
            yield Mistake("the play wager was taken together with the folded ante.", LOSES)
        return
    if not qualified:
        yield Mistake("it was settled as if the dealer had qualified.", against_dealer(wager, player, dealer))
    elif dealer >> 12 == HIGH_CARD:
        yield Mistake("it was settled as if the dealer had not qualified.", UNQUALIFIED[wager])
    bonus = BONUS[player >> 12]
    if wager == "ante" and bonus != NO_BONUS and right is not None:
        sentence = "the ante bonus was settled together with the ante."
        yield Mistake(sentence, Odds(right.up + bonus.up, 1, "", PAYOUTS))
    if qualified:
        for says, own, other in patti.other_ranks(round):
            if against_dealer(wager, own, other) != right:
                yield Mistake(says, against_dealer(wager, own, other))


@game.mistakes(PAYMENT)
def bonus_gone_wrong(round: TeenPattiRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on the ante bonus: paying it after a fold or for the dealer's
    hand, or paying by the pay table of Pair or better or by another line of its own pay table.
    """
    right, own, dealer = (
        ante_bonus(round, line),
        patti.of_three(BONUS, round.strengths["player"]),
        round.strengths["dealer"],
    )
    if right == NO_BONUS_FOLDED and own is not None:
        yield Mistake("it was paid although the player had folded.", own)
    if right == NO_BONUS_ALONE and own is not None:
        yield Mistake("it was paid although there was no play wager.", own)
    if dealer is not None and BONUS[dealer >> 12] != right:
        yield Mistake("it was paid on the dealer's hand.", BONUS[dealer >> 12])
    pair = patti.of_three(PAIRS, round.strengths["player"])
    if pair is not None and pair.up > 0:
        yield Mistake("it was paid by the table of pair or better.", pair)
    yield from patti.other_lines(BONUS, THREE_NAMES, right)


@game.mistakes("pair-or-better")
def pair_gone_wrong(round: TeenPattiRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on pair wagers: paying by the dealer's hand, by another pay
    table, or by another line of the pay table.
    """
    return patti.pair_mistakes(round, "player", "dealer", PAIRS, PAIRS_ELSEWHERE, BONUS)


@game.mistakes("3+3")
def six_gone_wrong(round: TeenPattiRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on the 3+3 Bonus: ranking the suited A-2-3-4-5 differently,
    or paying by another pay table or another line of the pay table.
    """
    return patti.six_mistakes(round, SIX, SIX_ELSEWHERE)
