"""Points that the manual of High Side leaves open or states in two ways."""

from __future__ import annotations

from games.high_side.hands import HighSideRound
from games.kit.line import Line
from games.kit.question import SETTLED, Question, rounding

MAINS = ("dice-1", "dice-2", "dice-3", "card-1", "card-2", "card-3")
THIRD = ("dice-3", "card-3")


def tie(round: HighSideRound, line: Line | None) -> bool:
    """Return True if the dice and the card have the same value."""
    return round.total is not None and round.total == round.pip


def on_seven(round: HighSideRound, line: Line | None) -> bool:
    """Return True if the dice total seven."""
    return round.seven


def without_card(round: HighSideRound, line: Line | None) -> bool:
    """Return True if the dice total seven and no card was drawn."""
    return round.seven and round.card is None


QUESTIONS = (
    Question(
        "What happens to the main wagers on a tie? No rule says it.",
        "They lose, since rule 11 collects 'all wagers not on the High Side', unless the property chooses"
        " that they push.",
        "HS Rules 11",
        (*SETTLED, "tie-unregulated"),
        MAINS,
        "tie",
        tie,
    ),
    Question(
        "Does the Bonus win or lose on a tie?",
        "It loses: a margin of zero is five or less.",
        "HS Payouts",
        SETTLED,
        ("bonus",),
        concerns=tie,
    ),
    Question(
        "Is the fifth pay table, which only the layout prints, in force?",
        "No. A table can be opened with it (`felt`) and is then settled by it, but it is never approved.",
        "HS Payouts",
        ("pay-table-not-approved",),
        ("bonus",),
    ),
    Question(
        "What closes the betting? No wave is prescribed.",
        "The first die that is revealed.",
        "HS Rules 4",
        ("late-bet", "late-unbet"),
    ),
    Question(
        "How often is a cup shaken? No number is prescribed.",
        "Once is enough. Both cups are shaken before the first lid comes off.",
        "HS Rules 3",
        ("too-few-shakes",),
    ),
    Question(
        "Does a seven take the Bonus?",
        "No. Rule 8 names the second and third wagers: the first wager and the Bonus wait for the card.",
        "HS Rules 8",
        (*SETTLED, "settled-too-soon", "seven-not-swept"),
        ("bonus",),
        concerns=on_seven,
    ),
    Question(
        "May a third wager be withdrawn? The Overview says 'one or more of their three wagers'.",
        "No. Rules 5 and 9 name the first and the second wager.",
        "HS Overview",
        ("pull-not-allowed",),
        THIRD,
    ),
    Question(
        "In which order are the main wagers settled?",
        "In any order: rule 11 names paying and collecting in one step. All main wagers are settled before"
        " any Bonus (rule 12).",
        "HS Rules 11 and 12",
        ("settled-out-of-order",),
    ),
    Question(
        "Is there a second decision on a seven?",
        "No. Rule 8 continues at rule 10: no decision is asked for, and a decision that is made is out of"
        " order.",
        "HS Rules 8",
        ("out-of-order", "pull-not-allowed"),
        concerns=on_seven,
    ),
    Question(
        "Are the second and third wagers lost after a seven if no card is drawn?",
        "No. The hand ended without its card, so the round has to be voided and every stake goes back, also"
        " those that rule 8 collected.",
        "HS Rules 8 and 10",
        ("void-not-returned",),
        ("dice-2", "dice-3", "card-2", "card-3"),
        concerns=without_card,
    ),
    rounding(
        "All payouts of this game are whole multiples of the stake, so this happens only with a stake below"
        " the smallest chip.",
        "HS Payouts",
    ),
)
CONTRADICTIONS = (
    "HS Payouts says 'There are two pay table options' and prints four. All four can be chosen.",
    "HS Payouts says 'Payouts and house edges are listed below' and lists no house edge.",
    "The layout prints a fifth Bonus pay table that the manual does not have.",
    (
        "The Overview lets a player withdraw 'one or more of their three wagers'; rules 5 and 9 name the"
        " first and the second."
    ),
)
