"""High Side. Paradigm Table Games, Washington State Game Manual of March 2013 (HS).

Two dice in two cups and one card are used for the whole table. Players bet on which of the two is higher,
with three equal wagers. They may withdraw the first and the second one as the dice are revealed. Ace is 1,
Jack 11, Queen 12, King 13 (HS Overview).

Modules: `manual` (what the manual prints, and how bets are settled), `hands` and `dice_and_card` (the state
of a round), `decisions` (what one spot has decided), `procedure` (the dealer's steps), `choices` (the rules
about what players decide and withdraw), `settlement` (how the wagers are settled), `betting` (what players
may bet), `odds` (the exact odds).
"""

from games.high_side import betting, choices, odds, procedure, settlement
from games.high_side.manual import game

__all__ = ["betting", "choices", "game", "odds", "procedure", "settlement"]
