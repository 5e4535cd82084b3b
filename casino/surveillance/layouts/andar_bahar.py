"""Layout of Andar Bahar: the joker, and two rows of cards in the order in which they were dealt, up to the
match.
"""

from __future__ import annotations

from typing import Any

from casino.surveillance.layouts.laid import Card, Laid
from games.andar_bahar.hands import AndarBaharRound

SIDES = ("andar", "bahar")


def felt(layout: Laid, round: AndarBaharRound) -> dict[str, Any]:
    """Return the joker and both rows of cards. The number below a card is its position in the order of the
    cards dealt after the joker.
    """
    rows: dict[str, list[Card]] = {side: [] for side in SIDES}
    for number, event in enumerate(layout.dealt(*SIDES), 1):
        matched = event is round.match
        rows[event.to].append(
            layout.card(event, f"{number}, the match" if matched else str(number), "match" if matched else "")
        )
    return {
        "joker": layout.cards("joker"),
        "rows": list(rows.items()),
        "match": round.match,
        "spots": layout.spots(),
        "first": layout.dealt(*SIDES)[:1],
    }
