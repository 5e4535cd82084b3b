"""Bet on Teen Patti. Ezugi Game Rules, chapter Bet on Teen Patti.

Two hands of three cards are dealt, Player A and Player B, and the players bet on which is better. Side wagers
are on a pair or better in one of the hands, and on the best five cards of all six.

`manual` has what is printed and how it settles, `hands` what a round remembers, `procedure` what may be bet
and how it is
dealt, `odds` what the wagers cost.
"""

from games.bet_on_teen_patti import odds, procedure
from games.bet_on_teen_patti.manual import game

__all__ = ["game", "odds", "procedure"]
