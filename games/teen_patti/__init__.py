"""Teen Patti. Ezugi Game Rules, chapter Teen Patti.

All players share one hand of three cards against the dealer's. Each player bets an ante, sees the three
cards, and plays with a second wager or folds. The dealer qualifies with queen high. A good hand earns a bonus
on the ante. There are side wagers on a pair or better in the players' hand, and on the best five of all six
cards.

Modules: `manual` (what the manual prints, and how bets are settled), `hands` (the state of a round),
`procedure` (what may be bet and decided, and how the cards are dealt), `odds` (the exact odds).
"""

from games.teen_patti import odds, procedure
from games.teen_patti.manual import game

__all__ = ["game", "odds", "procedure"]
