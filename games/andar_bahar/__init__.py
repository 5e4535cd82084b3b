"""Andar Bahar. Ezugi Game Rules, chapter Andar Bahar.

The joker is dealt, bets are made, then single cards go to Andar and Bahar in turn until one has the
joker's value. The wagers: on which side it falls, and after how many cards.

`manual` has what is printed and how it settles, `hands` what a round remembers, `procedure` the order of
play, `odds` what the
wagers cost.
"""

from games.andar_bahar import odds, procedure
from games.andar_bahar.manual import game

__all__ = ["game", "odds", "procedure"]
