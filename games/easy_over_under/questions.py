"""Points that the manual of Easy Over Under leaves open or states in two ways."""

from __future__ import annotations

from games.kit.question import Question, rounding

QUESTIONS = (
    Question(
        "May Bet The Spread be made without an Over or Under wager?",
        "Yes. Step 2 says 'and/or', and the rack card calls it an optional wager.",
        "EOU Dealer Instructions 2",
    ),
    Question(
        "May a player bet on Over and on Under in one hand?",
        "No. The rules say 'either an Over or an Under wager'. Both wagers are settled, and the second one"
        " is reported as a finding.",
        "EOU Game Rules 1",
        ("both-sides",),
    ),
    Question(
        "How many decks are used? The Overview says at least one, step 1 says six or eight.",
        "Any number. No printed figure of the game depends on it.",
        "EOU Overview",
        ("wrong-decks",),
    ),
    Question(
        "Is betting closed by a wave after a roll of seven? Step 8 goes on at step 11 and passes over the"
        " wave of step 10.",
        "A wave is not required then, and is not an error.",
        "EOU Dealer Instructions 8",
        ("bets-not-closed",),
    ),
    rounding(
        "Half of the stake is lost on a tie, and 7 to 5 is not a whole amount for every stake.",
        "EOU Game Rules 9",
    ),
)
CONTRADICTIONS = (
    (
        "The Overview asks for 'at least one standard deck', Dealer Instructions 1 for six or eight decks."
        " No printed figure depends on it."
    ),
    (
        "Dealer Instructions 2 let a player bet 'and/or' The Spread, the rack card only together with Over or"
        " Under."
    ),
)
