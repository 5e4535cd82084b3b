"""When the cards of a Casino Over Under round that is voided cannot be those of a right deal (COU
Irregularities 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.casino_over_under.hands import OverUnderRound


def interrupted_misdeal(round: OverUnderRound) -> bool:
    """Return True if one spot has too many cards for what another has, although no hand is complete.

    That is two first cards to one spot, a spot that was passed over for its first card, and a hand left with
    two cards.
    """
    if round.two_firsts:
        return True
    highest = int(round.highest.to) if round.highest is not None else 0
    asked = bool(round.seconds) or any(choice.spot in round.hands for choice in round.declared)
    for spot in round.spots if highest else ():
        lacks_its_first = spot not in round.hands and round.table.game.has_place(spot) and round.plays(spot)
        if lacks_its_first and (asked or int(spot) < highest):
            return True
    return any(hand.passed_by is not None and not hand.whole for hand in round.hands.values())
