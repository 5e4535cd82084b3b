"""Points that the chapter Teen Patti leaves open or states in two ways."""

from __future__ import annotations

from games.kit import patti_questions
from games.kit.line import Line
from games.kit.question import SETTLED, Question, rounding
from games.teen_patti.hands import TeenPattiRound

OF = "Ezugi Teen Patti"


def unqualified(round: TeenPattiRound, line: Line | None) -> bool:
    """Return True if the dealer has less than queen high."""
    return round.qualified() is False


QUESTIONS = (
    Question(
        "Is the ante paid when the dealer does not qualify and the player's hand is worse?",
        "Yes. The text has no condition.",
        f"{OF} Game Outcomes",
        SETTLED,
        ("ante", "play"),
        concerns=unqualified,
    ),
    Question(
        "When is the ante bonus paid? It is for 'an Ante and Play bets', 'even if the dealer wins'.",
        "If there is an ante and a play wager, also on a tie and if the dealer does not qualify. It is never"
        " paid after a fold or without a play wager.",
        f"{OF} Payouts",
        SETTLED,
        ("ante-bonus",),
    ),
    Question(
        "Which hands earn the ante bonus? The text names three, the table four.",
        "The four of the table. Its 'Royal flush' is a straight flush and pays the same.",
        f"{OF} Payouts",
        SETTLED,
        ("ante-bonus",),
        concerns=patti_questions.has_mini_royal,
    ),
    Question(
        "What happens to a player who makes no decision?",
        "The hand is folded. The studio sends a fold with a timeout.",
        f"{OF} Playing Instructions",
        ("choice-missing", "choice-too-late"),
    ),
    Question(
        "Which decisions count if a player loses the connection?",
        "Decisions recorded before it was lost, with the play wager that completes them. After that the"
        " default decision counts: a fold.",
        f"{OF} Disconnection",
        ("choice-too-late", "no-such-bet"),
    ),
    Question(
        "May a decision be changed?",
        "No: 'Play' places the wager, and 'Fold' ends the round for that player.",
        f"{OF} Playing Instructions",
        ("out-of-order",),
    ),
    Question(
        "Is a second spot of one player a second seat?",
        "Yes: 'no more than one seat'. It can be judged only if a bet names its player.",
        f"{OF} Game Rules",
        ("too-many-spots",),
    ),
    Question(
        "Who has won when the dealer does not qualify?",
        "The manual does not say, so the outcome that the studio declares is not judged then.",
        f"{OF} Game Outcomes",
    ),
    *patti_questions.questions(OF, ("ante", "play"), ("pair-or-better", "ante-bonus")),
    rounding("Half a minor unit can only be owed on a stake below the smallest chip.", f"{OF} Payouts"),
)
CONTRADICTIONS = (
    "The text names three hands that earn the ante bonus, the table four.",
    *patti_questions.CONTRADICTIONS,
)
