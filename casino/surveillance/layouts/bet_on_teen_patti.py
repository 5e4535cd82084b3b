"""Layout of Bet on Teen Patti: two hands of three cards, which of them is better, and the best five of all
six cards.
"""

from __future__ import annotations

from typing import Any

from casino.surveillance.layouts import patti
from casino.surveillance.layouts.laid import Laid
from games.bet_on_teen_patti.hands import BetOnTeenPattiRound


def felt(layout: Laid, round: BetOnTeenPattiRound) -> dict[str, Any]:
    """Return both hands and which of them is better."""
    return patti.hands(layout, round, {"a": "Player A", "b": "Player B"}) | {"outcome": round.outcome() or ""}
