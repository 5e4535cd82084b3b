"""Chips that players bought on markers. When a marker is voided, its chips return to the tray and its paper
is in no box.

The marker and its chips are two facts (`marker-issued`, and `chips-bought` with the tender `marker`), and
only the first names a serial. So the amount that returns is that of voided markers, at most as much as was
bought on markers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct, field


class Sent(Protocol):
    """The fields of a slip that are needed here."""

    kind: str
    currency: str
    voided: int


class OnMarkers(Struct):
    """By currency: the chips that were bought on markers, and how many of these have returned."""

    bought: dict[str, int] = field(default_factory=dict)
    back: dict[str, int] = field(default_factory=dict)

    def buy(self, currency: str, amount: int) -> None:
        """Record the chips of a `chips-bought` by marker."""
        self.bought[currency] = self.bought.get(currency, 0) + amount

    def all_back(self, slips: Iterable[Sent], currency: str) -> int:
        """Return how much has returned in this currency, out of all that was bought on markers."""
        voided = sum(
            slip.voided for slip in slips if slip.kind == "marker-issued" and slip.currency == currency
        )
        return min(voided, self.bought.get(currency, 0))

    def newly_back(self, slips: Iterable[Sent], currency: str) -> int:
        """Return how much has returned in this currency since the last call."""
        whole = self.all_back(slips, currency)
        before, self.back[currency] = self.back.get(currency, 0), whole
        return whole - before
