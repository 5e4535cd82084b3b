"""What a hand at Casino Over Under wins or loses: a second opinion, written from the manual alone."""

from __future__ import annotations

from fractions import Fraction

from .settling import RANKS

SEES = (
    "alarm", "alarm-answered", "announce", "bet", "burn", "choose", "clear", "corrected", "cut-card-shown", "deal", "dealer-seated",
    "no-more-bets", "pay", "return", "round-closed", "round-opened", "shuffled", "table-closed", "table-opened", "take", "unbet", "void",
)  # fmt: skip
WORTH = dict(zip(RANKS, (11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))
BONUS_PAYS = {12: 1, 11: 2, 10: 3, 9: 4, 8: 5, 7: 10, 6: 50, 27: 1, 28: 2, 29: 3, 30: 4, 31: 5, 32: 10, 33: 50}


def total(cards: list[str] | tuple[str, ...]) -> int:
    """Two to ten at face value, face cards ten, aces eleven."""
    return sum(WORTH[card[0]] for card in cards)


def wins(side: str, count: int) -> bool:
    """Over 23, or under 18."""
    return count >= 24 if side == "over" else count <= 17


def over_under(wager: str, stake: int, count: int, choice: str) -> Fraction:
    """What a wager is owed when three cards make this total: the bonus by the total, the ante as the player chose."""
    if wager == "bonus":
        return Fraction(stake * BONUS_PAYS.get(count, -1))
    side = choice if wager == "ante" else wager
    return Fraction(stake if side != "surrender" and wins(side, count) else -stake)
