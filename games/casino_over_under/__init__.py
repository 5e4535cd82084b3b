"""Casino Over Under. Casino Over Under LLC, Procedure Manual of 2016, approved in Washington on 9 July 2018
(COU).

After the first of three cards a player surrenders the ante, or doubles it by betting on a total over 23 or
under 18. The bonus pays on the total alone. An ace counts 11 and a face card 10 (COU How the outcomes are
determined).

Modules: `manual` (what the manual prints, and how bets are settled), `hands` (the state of a round), `cards`
(the three cards of a spot), `choices` (the rules about what players declare), `declarations` (what they
declared), `procedure` (how the cards are dealt), `settlement` (how a hand is settled), `betting` (what
players may bet), `odds` (the exact odds).
"""

from games.casino_over_under import betting, choices, odds, procedure, settlement
from games.casino_over_under.manual import game

__all__ = ["betting", "choices", "game", "odds", "procedure", "settlement"]
