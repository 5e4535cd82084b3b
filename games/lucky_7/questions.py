"""Points that the chapter Lucky 7 leaves open or states in two ways."""

from __future__ import annotations

from games.kit.line import Line
from games.kit.question import SETTLED, Question, rounding
from games.lucky_7.hands import SEVEN, Lucky7Round

OF = "Ezugi Lucky 7"


def seven(round: Lucky7Round, line: Line | None) -> bool:
    """Return True if the card is a seven."""
    return round.pip == SEVEN


def picture(round: Lucky7Round, line: Line | None) -> bool:
    """Return True if the card is an ace or a picture card."""
    return round.pip is not None and (round.pip == 1 or round.pip > 10)


def won(round: Lucky7Round, line: Line | None) -> bool:
    """Return True if the wager is owed winnings."""
    return line is not None and line.owed is not None and line.owed > 0


QUESTIONS = (
    Question(
        "Do 7 Up and 7 Down lose half on a seven? The printed return of 92.31 % would fit a seven that takes"
        " the whole bet.",
        "Half, as the text says. Their return is then 96.15 %; 92.31 % is that of the bet on 7.",
        f"{OF} Payout table",
        SETTLED,
        ("7-up", "7-down"),
        concerns=seven,
    ),
    Question(
        "What do red and black pay? The table prints 0.98:1, the printed return of 95.0 % would fit 0.9:1.",
        "0.98 to 1, which returns 99.00 %. A table that pays 0.9 to 1 is opened with the edition ezugi-0.9.",
        f"{OF} Side Bets",
        SETTLED,
        ("red", "black"),
        concerns=won,
    ),
    Question(
        "What does even pay? The table prints 1.1:1, the printed return of 92.31 % would fit 1:1.",
        "1.1 to 1, which returns 96.92 %. A table that pays 1 to 1 is opened with the edition ezugi-0.9.",
        f"{OF} Side Bets",
        SETTLED,
        ("even",),
        concerns=won,
    ),
    Question(
        "Do odd, red and black lose half on a seven?",
        "No. A seven is odd, and only 7 Up and 7 Down lose half.",
        f"{OF} Payout table",
        SETTLED,
        ("red", "black", "odd", "even"),
        concerns=seven,
    ),
    Question(
        "What do an ace, a Jack, a Queen and a King count?",
        "1, 11, 12 and 13, as the table of low and high, odd and even says.",
        f"{OF} Game Rules",
        SETTLED,
        concerns=picture,
    ),
    Question(
        "May a player bet on both sides, for example on red and on black?",
        "Yes. Nothing forbids it, and each bet is settled by itself.",
        f"{OF} Betting Instructions",
    ),
    Question(
        "Are the three burned cards shown?",
        "The text does not say. They count as cards of the shoe, face up or face down.",
        f"{OF} Betting Instructions",
        ("burn-count", "duplicate-card", "shoe-overrun"),
    ),
    Question(
        "What is refunded when a round is cancelled? The text says 'initial bets'.",
        "Every stake of the round.",
        f"{OF} Error Handling",
        ("void-not-returned",),
    ),
    rounding(
        "0.98, 0.8 and 1.1 to 1 and the half loss are not whole amounts for every stake.",
        f"{OF} Payout table",
    ),
)
CONTRADICTIONS = (
    "The return of 92.31 % is printed for all main bets, but it is correct only for the bet on 7.",
    "Red and black are paid 0.98:1, and the printed return of 95.0 % is that of 0.9:1.",
    "Even is paid 1.1:1, and the printed return of 92.31 % is that of 1:1.",
)
