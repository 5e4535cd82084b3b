"""Layout of Easy Over Under: the dice, the number grid with the disc on it, and for each spot its card and
its circles Over, Under, Spread and Short Side.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from audit.review.hands import Wager
from casino.surveillance.layouts.laid import Laid, Place
from games.easy_over_under.hands import EasyRound
from games.kit import events as e

CIRCLES = (("over", "Over"), ("under", "Under"), ("spread", "Spread"), ("short-side", "Short Side"))


class Spot(NamedTuple):
    """A spot with its card, its circles, and its wagers that have no circle."""

    place: Place
    boxes: list[tuple[str, Wager | None]]
    others: list[Wager]


def felt(layout: Laid, round: EasyRound) -> dict[str, Any]:
    """Return the dice, the spots and the disc. The disc is shown where the dealer put it, even if that is
    wrong.
    """
    return {
        "total": round.total,
        "doubles": round.doubles,
        "mark": layout.last(e.Mark),
        "spots": [_spot(place) for place in layout.spots(layout.cards)],
        "others": [place for place in layout.places() if not place.spot],
    }


def _spot(place: Place) -> Spot:
    wagers = {wager.wager: wager for wager in place.wagers}
    boxes = [(label, wagers.pop(wager, None)) for wager, label in CIRCLES]
    return Spot(place, boxes, list(wagers.values()))
