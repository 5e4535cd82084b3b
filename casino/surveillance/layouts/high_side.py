"""Layout of High Side: two dice revealed one after the other, the card, and each spot's three circles (dice)
or rectangles (card) with their numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from audit.review.hands import Wager
from casino.surveillance.layouts.laid import Laid, Place
from games.high_side.dice_and_card import NUMBER
from games.high_side.hands import HighSideRound
from games.kit import events as e

SIDES = (("dice", "circle"), ("card", "rectangle"))


class Box(NamedTuple):
    """A circle or rectangle of the betting area, and the bets in it."""

    shape: str
    number: int
    wager: Wager | None


class Area(NamedTuple):
    """The betting area of one spot: the sides with bets, the Bonus, and other wagers."""

    place: Place
    sides: list[tuple[str, list[Box]]]
    others: list[Wager]


def felt(layout: Laid, round: HighSideRound) -> dict[str, Any]:
    """Return the dice in the order in which they were revealed, the card, and the betting areas."""
    dice = [value for fact in layout.facts if isinstance(fact, e.Roll) for value in fact.dice]
    return {
        "dice": dice,
        "total": round.total,
        "seven": round.seven,
        "cards": layout.cards("community"),
        "areas": _areas(layout),
    }


def _areas(layout: Laid) -> list[Area]:
    areas = []
    for spot in layout.spots():
        lies = {wager.wager: wager for wager in spot.wagers}
        sides = [
            (
                side,
                [
                    Box(shape, number, lies.get(name))
                    for name, number in NUMBER.items()
                    if name.startswith(side)
                ],
            )
            for side, shape in SIDES
            if any(name.startswith(f"{side}-") for name in lies)
        ]
        areas.append(Area(spot, sides, [wager for wager in spot.wagers if wager.wager not in NUMBER]))
    return areas
