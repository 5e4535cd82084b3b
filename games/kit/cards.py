"""The 52 cards, each written as rank and suit: `Td` is the ten of diamonds."""

from __future__ import annotations

RANKS = "A23456789TJQK"
SUITS = "shdc"

DECK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards. Any other card that a feed sends is impossible."""

PIP: dict[str, int] = {card: RANKS.index(card[0]) + 1 for card in DECK}
"""The value of each card: ace 1, number cards at face value, Jack 11, Queen 12, King 13."""
