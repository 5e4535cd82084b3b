"""Lucky 7. Ezugi Game Rules, chapter Lucky 7.

After the bets three cards are burned and one is dealt. Players bet on a card above 7, below 7 or equal to 7,
on its color, and on odd or even. Ace is 1, Jack 11, Queen 12, King 13.

Modules: `manual` (what the manual prints, and how bets are settled), `hands` (the state of a round),
`procedure` (the order of play), `odds` (the exact odds).
"""

from games.lucky_7 import odds, procedure
from games.lucky_7.manual import game

__all__ = ["game", "odds", "procedure"]
