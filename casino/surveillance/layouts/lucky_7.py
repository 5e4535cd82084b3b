"""Layout of Lucky 7: the burned cards, the one card dealt, and the wagers that win with it."""

from __future__ import annotations

from typing import Any

from casino.surveillance.layouts.laid import Laid
from games.kit import events as e
from games.lucky_7.hands import Lucky7Round

LAYOUT = (
    ("7-down", "7 Down"),
    ("7", "7"),
    ("7-up", "7 Up"),
    ("red", "Red"),
    ("black", "Black"),
    ("odd", "Odd"),
    ("even", "Even"),
)


def felt(layout: Laid, round: Lucky7Round) -> dict[str, Any]:
    """Return the cards, and the total that all players bet on each wager."""
    burned = [layout.card(fact, "burned", "burned") for fact in layout.facts if isinstance(fact, e.Burn)]
    cards = [
        layout.card(event) if event is round.card else layout.card(event, "too many", "odd")
        for event in layout.dealt("table")
    ]
    boxes = [
        (
            label,
            wager in round.winners,
            sum(wager_line.stake for wager_line in layout.wagers if wager_line.wager == wager),
        )
        for wager, label in LAYOUT
    ]
    return {
        "burned": burned,
        "miscounted": layout.miscounted("table"),
        "cards": cards,
        "known": bool(round.winners),
        "boxes": boxes,
        "spots": layout.spots(),
    }
