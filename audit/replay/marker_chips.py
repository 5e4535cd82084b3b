"""Chips that players bought on markers. When a marker is voided, its chips return to the tray, and its paper
is not in a drop box.

The marker and its chips are two facts: `marker-issued`, and `chips-bought` with the tender `marker`. Only the
first names a serial. The amount that returns is therefore the amount of the voided markers, but at most the
amount that was bought on markers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct, field


class Sent(Protocol):
    """The fields of a slip that show how much of a marker was voided."""

    kind: str
    currency: str
    voided: int


class OnMarkers(Struct):
    """For each currency: the amount of chips bought on markers, and the part of this amount that has returned
    to the tray.
    """

    bought: dict[str, int] = field(default_factory=dict)
    back: dict[str, int] = field(default_factory=dict)

    def buy(self, currency: str, amount: int) -> None:
        """Record the amount of chips that a player bought on a marker."""
        self.bought[currency] = self.bought.get(currency, 0) + amount

    def all_back(self, slips: Iterable[Sent], currency: str) -> int:
        """Return the amount of the chips that were bought on markers in this currency and have returned to
        the tray.
        """
        voided = sum(
            slip.voided for slip in slips if slip.kind == "marker-issued" and slip.currency == currency
        )
        return min(voided, self.bought.get(currency, 0))

    def newly_back(self, slips: Iterable[Sent], currency: str) -> int:
        """Return the amount of chips in this currency that have returned to the tray since the last call."""
        total = self.all_back(slips, currency)
        before, self.back[currency] = self.back.get(currency, 0), total
        return total - before
