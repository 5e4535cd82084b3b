"""What all second opinions share: the ranks, and how an owed amount becomes chips. Nothing here comes from
`games`, nor the other way.
"""

from __future__ import annotations

from fractions import Fraction

RANKS = "A23456789TJQK"
SUITS = "shdc"


def pip(card: str) -> int:
    """Return the pip value: ace 1, jack 11, queen 12, king 13."""
    return RANKS.index(card[0]) + 1


def rounded(owed: Fraction, chip: int, reading: str, stake: int) -> Fraction:
    """Round an owed amount to what can be settled in whole chips; at most the stake is lost."""
    if reading == "exact":
        return owed
    steps = owed / chip
    whole = (
        steps.numerator // steps.denominator
        if reading == "house"
        else -(-steps.numerator // steps.denominator)
    )
    return max(Fraction(whole * chip), Fraction(-stake))
