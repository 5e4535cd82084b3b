"""Layout of Teen Patti: the hand that all players share, the dealer's hand and whether it qualifies, and who
plays.
"""

from __future__ import annotations

from typing import Any

from casino.surveillance.layouts import patti
from casino.surveillance.layouts.laid import Laid
from games.teen_patti.hands import TeenPattiRound


def felt(layout: Laid, round: TeenPattiRound) -> dict[str, Any]:
    """Return both hands, and each spot with its player's decision."""
    own = patti.hands(layout, round, {"player": "Players"})
    decided = [(spot, patti.choice_of(round.choices, spot.spot)) for spot in own["spots"]]
    return own | {"qualified": round.qualified(), "decided": decided}
