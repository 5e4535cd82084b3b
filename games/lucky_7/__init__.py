"""Lucky 7. Ezugi Game Rules, chapter Lucky 7.

After the bets three cards are burned and one is dealt. The wagers: whether it is above 7, below 7 or a 7,
and, each on its own, its colour and whether it is odd or even. Ace is 1, Jack 11, Queen 12, King 13.

`manual` has what is printed and how it settles, `hands` what a round remembers, `procedure` the order of
play, `odds`
what the wagers cost.
"""

from games.lucky_7 import odds, procedure
from games.lucky_7.manual import game

__all__ = ["game", "odds", "procedure"]
