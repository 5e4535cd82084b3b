"""Layout of Easy Over Under: the dice, the number grid with the disc on it, and a card for each spot."""

from __future__ import annotations

from typing import Any

from casino.surveillance.layouts.laid import Laid
from games.easy_over_under.hands import EasyRound
from games.kit import events as e


def felt(laid: Laid, round: EasyRound) -> dict[str, Any]:
    """Return the dice, the places and the disc. The disc is shown where the dealer put it, even if that is
    wrong.
    """
    return {
        "total": round.total,
        "doubles": round.doubles,
        "mark": laid.last(e.Mark),
        "places": laid.places(),
    }
