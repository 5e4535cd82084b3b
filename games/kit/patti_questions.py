"""Points that the chapters Teen Patti and Bet on Teen Patti both leave open or state in two ways."""

from __future__ import annotations

from games.kit.line import Line
from games.kit.patti import TwoHands
from games.kit.question import SETTLED, Question

A23_RANKS, WHEEL_RANKS = frozenset("A23"), frozenset("A2345")


def has_a23(round: TwoHands, line: Line | None) -> bool:
    """Return True if a hand of the round is ace, two and three."""
    return any({card[0] for card in hand if card} == A23_RANKS for hand in round.hands.values())


def has_steel_wheel(round: TwoHands, line: Line | None) -> bool:
    """Return True if the six cards include ace to five of one suit."""
    cards = {card for hand in round.hands.values() for card in hand if card}
    return any({rank + suit for rank in WHEEL_RANKS} <= cards for suit in "shdc")


def has_mini_royal(round: TwoHands, line: Line | None) -> bool:
    """Return True if a hand of the round is ace, king and queen of one suit."""
    hands = [{card for card in hand if card} for hand in round.hands.values()]
    return any(hand == {rank + suit for rank in "AKQ"} for hand in hands for suit in "shdc")


def compared(round: TwoHands, line: Line | None) -> bool:
    """Return True if the two hands are of the same kind and have the same highest card."""
    first, second = (round.strengths[place] for place in round.places)
    return first is not None and second is not None and first >> 8 == second >> 8


def questions(of: str, mains: tuple[str, ...], pairs: tuple[str, ...]) -> tuple[Question, ...]:
    """Return the open questions of a chapter.

    Args:
        of: how the chapter is cited.
        mains: its main wagers.
        pairs: its wagers on a pair.
    """
    return (*_about_ranks(of, mains, pairs), *_about_bets(of))


def _about_ranks(of: str, mains: tuple[str, ...], pairs: tuple[str, ...]) -> tuple[Question, ...]:
    """Return the open questions about the ranks of hands."""
    return (
        Question(
            "Which straight is A-2-3? 'The Ace may represent either a 1 or the next card above a King.'",
            "The lowest, unless the property chooses that it is the second or the highest.",
            f"{of} Hand Rankings",
            (*SETTLED, "announced-wrong"),
            mains,
            "a23",
            has_a23,
        ),
        Question(
            "Are hands of one kind decided by the highest card alone? 'The decisive factor is the highest"
            " card.'",
            "All cards are compared in order: a push needs 'exactly the same hand'.",
            f"{of} Hand Rankings",
            (*SETTLED, "announced-wrong"),
            mains,
            concerns=compared,
        ),
        Question(
            "Is A-2-3-4-5 of one suit a straight flush, 'without the Ace'?",
            "Yes, unless the property chooses that it is a flush or no hand.",
            f"{of} Hand Rankings",
            SETTLED,
            ("3+3",),
            "steel-wheel",
            has_steel_wheel,
        ),
        Question(
            "What is the 'Royal flush' of three cards?",
            "Ace, king and queen of one suit: no other hand of three can be on that line.",
            f"{of} Payouts",
            SETTLED,
            pairs,
            concerns=has_mini_royal,
        ),
    )


def _about_bets(of: str) -> tuple[Question, ...]:
    """Return the open questions about side bets and refunds."""
    return (
        Question(
            "Must the main bet be made before the side bet?",
            "It must have been made when betting closes. A feed may send the bets of a round in any order.",
            f"{of} Side Bets",
            ("side-without-main",),
        ),
        Question(
            "What is refunded when a round is cancelled? The text says 'initial bets'.",
            "Every stake of the round.",
            f"{of} Error Handling",
            ("void-not-returned",),
        ),
    )


CONTRADICTIONS = (
    "Pair or better prints a return of 95.51 %; by its pay table, which is followed, it is 95.62 %.",
    "The 3+3 Bonus prints a return of 91.44 %; by its pay table, which is followed, it is 89.78 %.",
)
