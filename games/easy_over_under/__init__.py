"""Easy Over Under. Paradigm Table Games, Game Manual of 5 February 2010 (EOU).

Two dice are rolled for the table and one card is dealt to each spot. Every wager compares the spot's card
with the roll. Ace is 1, Jack 11, Queen 12, King 13 (EOU Overview).

Modules: `manual` (what the manual prints, and how bets are settled), `hands` (the state of a round),
`procedure` and `sequence` (the dealer's steps from the cup to the first card), `settlement` (the steps of
each hand from its card on), `short_side` (when the Short Side may be bet), `betting` (what players may bet),
`odds` (the exact odds).
"""

from games.easy_over_under import betting, odds, procedure, sequence, settlement
from games.easy_over_under.manual import game

__all__ = ["betting", "game", "odds", "procedure", "sequence", "settlement"]
