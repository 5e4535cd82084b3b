"""Wrong numbers of cards in a round of Casino Over Under: which hands are void, and when the cards of a
voided round must be shuffled again (COU Irregularities 1).
"""

from __future__ import annotations

from games.casino_over_under.cards import PARTS
from games.casino_over_under.declarations import Declarations
from games.kit import events as e
from games.kit.events import Event
from games.kit.protocols import RoundTable


class Misdeals(Declarations):
    """A round that finds out which of its hands have a wrong number of cards."""

    __slots__ = ("highest", "short", "too_many", "two_firsts")

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.highest: e.Deal | None = None
        """The first card of the spot that is farthest to the dealer's right and has a card."""
        self.too_many: e.Deal | None = None
        """The first card that belongs to no hand."""
        self.short: set[str] = set()
        """Spots whose hand was cleared before all of its cards had come."""
        self.two_firsts = False
        """True if a second card was dealt to a spot that had declared nothing."""

    def plays(self, spot: str) -> bool:
        """Return True if the spot gets a hand. A bonus without an ante is played too."""
        return any(line.stake and line.wager in PARTS for line in self.spots.get(spot, ()))

    def burned(self, spot: str) -> bool:
        """Return True if the spot's second and third card are burned, because no wager depends on them."""
        return not self.stake(spot, "bonus") and self.side(spot) is None

    def short_spots(self) -> list[str]:
        """Return the spots whose hand does not have all of its cards."""
        return [spot for spot in self.spots if self.lacks(spot) and self.plays(spot)]

    def lacks(self, spot: str) -> bool:
        """Return True if cards of the hand are missing. Cards that are to be burned are not counted as
        missing.
        """
        hand = self.hands.get(spot)
        return hand is None or not (hand.whole or self.burned(spot))

    @property
    def misdealt(self) -> bool:
        """Return True if a hand is known to have a wrong number of cards. All hands are then void
        (Irregularities 1).
        """
        return self.too_many is not None or bool(self.short)

    def interrupted_misdeal(self) -> bool:
        """Return True if the number of cards at the spots shows a misdeal although no hand is complete.

        This is the case if a spot got two first cards, if a spot was passed over for its first card, or if a
        hand with two cards was passed over for its third.
        """
        if self.two_firsts:
            return True
        highest = int(self.highest.to) if self.highest is not None else 0
        is_asked = bool(self.seconds) or any(choice.spot in self.hands for choice in self.declared)
        for spot in self.spots if highest else ():
            lacks_its_first = spot not in self.hands and self.table.game.has_place(spot) and self.plays(spot)
            if lacks_its_first and (is_asked or int(spot) < highest):
                return True
        return any(hand.passed_by is not None and not hand.whole for hand in self.hands.values())
