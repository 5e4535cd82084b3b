"""Cards in poker notation, rank and suit: `Td`, `As`."""

from __future__ import annotations

RANKS = "A23456789TJQK"
SUITS = "shdc"

DECK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards. Anything else that a feed sends is an impossible card."""

PIP: dict[str, int] = {card: RANKS.index(card[0]) + 1 for card in DECK}
"""Ace 1, pips at face value, Jack 11, Queen 12, King 13."""
