"""Points that the chapter Bet on Teen Patti leaves open or states in two ways."""

from __future__ import annotations

from games.bet_on_teen_patti.hands import BetOnTeenPattiRound
from games.kit import patti_questions
from games.kit.line import Line
from games.kit.question import SETTLED, Question, rounding

OF = "Ezugi Bet on Teen Patti"
MAINS = ("player-a", "player-b")


def won(round: BetOnTeenPattiRound, line: Line | None) -> bool:
    """Return True if the wager is owed winnings."""
    return line is not None and line.owed is not None and line.owed > 0


def tie(round: BetOnTeenPattiRound, line: Line | None) -> bool:
    """Return True if both hands are equal."""
    return round.outcome() == "tie"


QUESTIONS = (
    Question(
        "Is '1:0.98' read as 0.98 to 1 or as 1 to 0.98?",
        "0.98 to 1, which returns the printed 99.00 %. The other way round the player would have an edge of"
        " 1.02 %.",
        f"{OF} Payouts",
        SETTLED,
        MAINS,
        concerns=won,
    ),
    Question(
        "What happens on a tie? The text says that the bets 'are refunded'.",
        "A push: nothing is owed. A studio may show it by returning exactly the stake.",
        f"{OF} Game Outcomes",
        SETTLED,
        MAINS,
        concerns=tie,
    ),
    Question(
        "May a player bet on Player A and on Player B in one round?",
        "Yes. Nothing forbids it.",
        f"{OF} Betting Instructions",
    ),
    *patti_questions.questions(OF, MAINS, ("pair-a", "pair-b")),
    rounding("0.98 to 1 is not a whole amount for every stake.", f"{OF} Payouts"),
)
CONTRADICTIONS = (
    "The main bets are printed as '1:0.98' and are meant as 0.98 to 1: only that gives the printed return.",
    *patti_questions.CONTRADICTIONS,
)
