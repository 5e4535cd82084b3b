"""Points that the chapter Andar Bahar leaves open or states in two ways."""

from __future__ import annotations

from games.andar_bahar.hands import AndarBaharRound
from games.kit.line import Line
from games.kit.question import SETTLED, Question, rounding

OF = "Ezugi Andar Bahar"
BOUNDS = frozenset({0, 1, 5, 6, 10, 11, 15, 16, 25, 26, 30, 31, 35, 36, 40, 41})
BANDS = ("1-5", "6-10", "11-15", "16-25", "26-30", "31-35", "36-40", "41+")


def won(round: AndarBaharRound, line: Line | None) -> bool:
    """Return True if the wager is owed winnings."""
    return line is not None and line.owed is not None and line.owed > 0


def at_a_bound(round: AndarBaharRound, line: Line | None) -> bool:
    """Return True if one card more or one card less until the match would let another side bet win."""
    return round.cards in BOUNDS


QUESTIONS = (
    Question(
        "Is X1.9 the total return or the win to one?",
        "The total return, the stake included. Read as odds to one, Andar, Bahar and 1-5 would give the"
        " player an edge.",
        f"{OF} Payout table",
        SETTLED,
        concerns=won,
    ),
    Question(
        "What does 1-5 pay? The text says 'odds of 3:1', the table X3.5.",
        "X3.5, which is 2.5 to 1. Odds of 3 to 1 would give the player an edge of 8.43 %.",
        f"{OF} Side Bets",
        SETTLED,
        ("1-5",),
        concerns=won,
    ),
    Question(
        "Does the joker count among the cards?",
        "No: 'the number of cards that will be dealt after the Joker card'.",
        f"{OF} Side Bets",
        SETTLED,
        BANDS,
        concerns=at_a_bound,
    ),
    Question(
        "Which side is dealt first?",
        "Andar, as the manual says. A table that deals Bahar first is opened with the edition"
        " ezugi-bahar-first, which pays Bahar 0.9.",
        f"{OF} Betting Instructions",
        (*SETTLED, "wrong-deal-order"),
        ("", "andar", "bahar"),
    ),
    Question(
        "What is refunded when a round is cancelled? The text says 'initial bets'.",
        "Every stake of the round.",
        f"{OF} Error Handling",
        ("void-not-returned",),
    ),
    rounding(
        "0.9 to 1 and the half units of the side bets are not whole amounts for every stake.",
        f"{OF} Payout table",
    ),
)
CONTRADICTIONS = (
    "The text pays 1-5 'odds of 3:1', 3 times the bet, and the table X3.5, which is 2.5 times the bet.",
)
