"""Functions that the layouts of both Teen Patti games share: two named hands of three cards, and the best
five of all six cards for the wager 3+3.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from casino.presentation.formatting import place
from casino.surveillance.layouts.laid import Card, Laid
from games.kit import events as e
from games.kit.patti import TwoHands
from games.kit.poker import best_five, name_of_five, name_of_three


class Hand(NamedTuple):
    """Three cards and their rank, which is empty if a card is unknown."""

    key: str
    name: str
    cards: list[Card]
    says: str


def hands(layout: Laid, round: TwoHands, names: dict[str, str] | None = None) -> dict[str, Any]:
    """Return both hands. The best five cards are marked if all six are known."""
    best = round.best()
    known = [card for cards in round.hands.values() for card in cards if card is not None]
    five = Counter(best_five(known, round.table.answers["steel-wheel"]) if best is not None else ())
    shown = []
    for to in round.places:
        cards = []
        for event in layout.dealt(to):
            marked = event.card is not None and five[event.card] > 0
            if event.card is not None and marked:
                five[event.card] -= 1
            cards.append(
                layout.card(event, "one of the best five" if marked else "", "best" if marked else "")
            )
        strength = round.strengths[to]
        shown.append(
            Hand(
                to,
                (names or {}).get(to, place(to)),
                cards,
                name_of_three(strength) if strength is not None else "",
            )
        )
    return {"hands": shown, "five": name_of_five(best) if best is not None else "", "spots": layout.spots()}


def choice_of(choices: dict[str, e.Choose], spot: str) -> str:
    """Return a player's decision, or empty text if the player made none."""
    return choices[spot].choice if spot in choices else ""
