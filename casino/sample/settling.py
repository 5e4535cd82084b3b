"""What all second opinions share: the ranks, and how an owed amount becomes chips. Nothing here comes from
`games`, nor the other way.
"""

from __future__ import annotations

from fractions import Fraction

RANKS = "A23456789TJQK"
SUITS = "shdc"


def pip(card: str) -> int:
    """Ace is 1, Jack 11, Queen 12, King 13."""
    return RANKS.index(card[0]) + 1


def rounded(owed: Fraction, chip: int, reading: str, stake: int) -> Fraction:
    """What is settled of what is owed where only whole chips move; never more than the stake is lost."""
    if reading == "exact":
        return owed
    steps = owed / chip
    whole = (
        steps.numerator // steps.denominator
        if reading == "house"
        else -(-steps.numerator // steps.denominator)
    )
    return max(Fraction(whole * chip), Fraction(-stake))
