"""Teen Patti. Ezugi Game Rules, chapter Teen Patti.

All players share one hand of three cards against the dealer's. Each lays an ante, sees the three cards, and
plays with a second wager or folds. The dealer qualifies with queen high. A good hand brings a bonus on the
ante. Side wagers are on a pair or better in the players' hand, and on the best five cards of all six.

`manual` has what is printed and how it settles, `hands` what a round remembers, `procedure` what may be bet,
decided and dealt,
`odds` what the wagers cost.
"""

from games.teen_patti import odds, procedure
from games.teen_patti.manual import game

__all__ = ["game", "odds", "procedure"]
