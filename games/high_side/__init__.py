"""High Side. Paradigm Table Games, Washington State Game Manual of March 2013 (HS).

Two dice in two cups and one card for the whole table; players bet on which of the two is higher, with three
equal wagers of which the first and the second may be withdrawn as the dice are revealed. Ace is 1, Jack 11,
Queen 12, King 13 (HS Overview).

`manual` has what is printed and how it settles, `hands` what a round remembers, `procedure` the dealer's
steps, `choices` what
players decide and withdraw, `betting` what they may bet, `odds` what the wagers cost.
"""

from games.high_side import betting, choices, odds, procedure, settlement
from games.high_side.manual import game

__all__ = ["betting", "choices", "game", "odds", "procedure", "settlement"]
