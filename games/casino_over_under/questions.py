"""Points that the manual of Casino Over Under leaves open or states in two ways."""

from __future__ import annotations

from games.casino_over_under.hands import OverUnderRound
from games.kit.line import Line
from games.kit.question import SETTLED, Question, rounding

OVERVIEW, DEALING = "COU Overview of the Rules", "COU Dealing Procedures"
GAP = (18, 23)


def on_the_bound(round: OverUnderRound, line: Line | None) -> bool:
    """Return True if the spot's cards total 18 or 23."""
    hand = round.hands.get(line.spot) if line is not None else None
    return hand is not None and hand.total in GAP


def given_up(round: OverUnderRound, line: Line | None) -> bool:
    """Return True if the spot surrendered."""
    return line is not None and round.surrendered(line.spot)


def won(round: OverUnderRound, line: Line | None) -> bool:
    """Return True if the wager is owed winnings."""
    return line is not None and line.owed is not None and line.owed > 0


QUESTIONS = (
    Question(
        "Do totals of 18 and 23 push? The text says 'Pushes for summations of 18 or 23 are losses'.",
        "No. 'There are no pushes': Over and Under both lose on 18 and on 23.",
        f"{OVERVIEW}, How the outcomes are determined",
        SETTLED,
        ("ante", "over", "under"),
        concerns=on_the_bound,
    ),
    Question(
        "Does a surrender cost the whole ante or half of it?",
        "The whole ante: it is 'forfeited'. Half would give the player an edge of 3.58 % with six decks.",
        f"{DEALING} 4",
        SETTLED,
        ("ante",),
        concerns=given_up,
    ),
    Question(
        "Is the multiplier of Figure 1 paid to one or for one?",
        "To one: step 6 calls a total of 31 'paid at 5 to 1'.",
        "COU Bonus Payout Table, Figure 1",
        SETTLED,
        ("bonus",),
        concerns=won,
    ),
    Question(
        "How many decks are used? 'Six standard 52-card decks', and 'any number of decks may be used'.",
        "Any number. The odds depend on it, and the certificate shows them for each number of decks.",
        f"{OVERVIEW}, Introduction",
        ("wrong-decks",),
    ),
    Question(
        "Are the 'four games' that a player may play four spots?",
        "Yes. It can be judged only if a bet names its player.",
        f"{OVERVIEW}, Time and location of wagers",
        ("too-many-spots",),
    ),
    Question(
        "Is 'No more bets' said once, or before each player's first card?",
        "Once, before the first card of the round.",
        f"{DEALING} 2",
        ("bets-not-closed",),
    ),
    Question(
        "Is a losing Over or Under announced?",
        "It need not be. Step 6 gives words for winners and for every bonus.",
        f"{DEALING} 6",
        ("not-announced",),
        ("over", "under"),
    ),
    Question(
        "Is a hand with too few cards void, as one with too many is?",
        "Yes: 'an incorrect number of cards'. Burned cards belong to no hand.",
        "COU Irregularities in Dealing Procedures 1",
        ("wrong-card-count", "void-required"),
    ),
    Question(
        "Which counts if a player says one side and bets on the other?",
        "The wager: players 'make their selection by placing a wager'. The ante is settled with that side.",
        f"{DEALING} 4",
        ("choice-without-bet",),
    ),
    Question(
        "May a declaration be changed?",
        "Until the first second card of the round is dealt, but not a surrender: its ante has been taken.",
        f"{DEALING} 4",
        ("choice-too-late", "late-bet", "late-unbet"),
        ("", "over", "under"),
    ),
    rounding(
        "All payouts of this game are whole multiples of the stake, so this happens only with a stake below"
        " the smallest chip.",
        "COU Bonus Payout Table, Figure 1",
    ),
)
CONTRADICTIONS = (
    (
        "The outcomes are explained with 'Pushes for summations of 18 or 23 are losses' and with 'there are"
        " no pushes'. By both texts 18 and 23 lose."
    ),
    (
        "The Introduction deals from six decks and lets any number be used; the procedures name single,"
        " double, six and eight decks."
    ),
)
