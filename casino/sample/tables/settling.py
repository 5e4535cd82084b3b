"""What all sample tables share when they compute owed amounts: the ranks of cards, and the rounding to chips.
This module uses nothing from `games`, and `games` uses nothing from it.
"""

from __future__ import annotations

from fractions import Fraction

RANKS = "A23456789TJQK"
SUITS = "shdc"


def pip(card: str) -> int:
    """Return the number of a card's rank: ace 1, jack 11, queen 12, king 13."""
    return RANKS.index(card[0]) + 1


def rounded(owed: Fraction, chip: int, reading: str, stake: int) -> Fraction:
    """Round an owed amount to whole chips, as the option `reading` says. A player never loses more than the
    stake.
    """
    if reading == "exact":
        return owed
    steps = owed / chip
    chips = (
        steps.numerator // steps.denominator
        if reading == "house"
        else -(-steps.numerator // steps.denominator)
    )
    return max(Fraction(chips * chip), Fraction(-stake))
