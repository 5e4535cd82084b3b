"""Bet on Teen Patti. Ezugi Game Rules, chapter Bet on Teen Patti.

Two hands of three cards are dealt, Player A and Player B, and the players bet on the better one. There are
side wagers on a pair or better in one hand, and on the best five of all six cards.

Modules: `manual` (what the manual prints, and how bets are settled), `hands` (the state of a round),
`procedure` (what may be bet, and how the cards are dealt), `odds` (the exact odds).
"""

from games.bet_on_teen_patti import odds, procedure
from games.bet_on_teen_patti.manual import game

__all__ = ["game", "odds", "procedure"]
