"""Layout of Casino Over Under: the three cards of each spot with their total, and its places OVER 23, UNDER
18, ANTE and BONUS.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from audit.review.hands import Wager
from casino.surveillance.layouts.laid import Card, Laid, Place
from games.casino_over_under.hands import OverUnderRound
from games.casino_over_under.manual import OVER, UNDER
from games.kit import events as e

PLACES = (("over", f"Over {OVER}"), ("under", f"Under {UNDER}"), ("ante", "Ante"), ("bonus", "Bonus"))


class Spot(NamedTuple):
    """A spot with its hand. `choice` is empty if the player made no choice."""

    place: Place
    total: int | None
    choice: str
    miscounted: bool
    """True if the wrong number of cards was burned for this spot."""
    boxes: list[tuple[str, Wager | None]]
    others: list[Wager]


def felt(layout: Laid, round: OverUnderRound) -> dict[str, Any]:
    """Return all spots, starting from the dealer's left."""
    spots = []
    for spot_cards in layout.spots(lambda spot: _cards(layout, round, spot)):
        hand, choice = round.hands.get(spot_cards.spot), round.chosen.get(spot_cards.spot)
        lies = {wager.wager: wager for wager in spot_cards.wagers}
        boxes = [(label, lies.pop(wager, None)) for wager, label in PLACES]
        others, chosen = list(lies.values()), choice.choice if choice else ""
        spots.append(
            Spot(
                spot_cards,
                hand.total if hand else None,
                chosen,
                layout.miscounted(spot_cards.spot),
                boxes,
                others,
            )
        )
    return {"spots": spots}


def _cards(layout: Laid, round: OverUnderRound, spot: str) -> list[Card]:
    """Return the cards of a spot. First come the cards of its hand, with burned cards face up. Then come the
    cards that were dealt to the spot but do not belong to the hand.
    """
    hand = round.hands.get(spot)
    own: list[e.Deal | e.Burn] = list(hand.cards) if hand else []
    burned = {True: "burned", False: ""}
    cards = [layout.card(event, *[burned[isinstance(event, e.Burn)]] * 2) for event in own]
    extra = [event for event in layout.dealt(spot) if all(event is not own_card for own_card in own)]
    return cards + [layout.card(event, "too many", "odd") for event in extra]
