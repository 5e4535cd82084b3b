"""Andar Bahar. Ezugi Game Rules, chapter Andar Bahar.

The joker is dealt, bets are made, then single cards are dealt to Andar and Bahar in turn until one has the
joker's value. Players bet on the side to which it is dealt and on the number of cards until then.

Modules: `manual` (what the manual prints, and how bets are settled), `hands` (the state of a round),
`procedure` (the order of play), `odds` (the exact odds).
"""

from games.andar_bahar import odds, procedure
from games.andar_bahar.manual import game

__all__ = ["game", "odds", "procedure"]
