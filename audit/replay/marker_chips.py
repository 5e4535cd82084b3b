"""Chips that players bought on markers. A marker that is voided brings them back: its paper is in no box, its
chips are in the tray.

The marker and its chips are two facts (`marker-issued`, and `chips-bought` with the tender `marker`), and
only the first names a serial. So what comes back is what is void of markers, as far as chips were bought on
them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct, field


class Sent(Protocol):
    """A slip as far as it is asked for here."""

    kind: str
    currency: str
    voided: int


class OnMarkers(Struct):
    """By currency: the chips that were bought on markers, and of these what has come back."""

    bought: dict[str, int] = field(default_factory=dict)
    back: dict[str, int] = field(default_factory=dict)

    def buy(self, currency: str, amount: int) -> None:
        """Record the chips of a `chips-bought` by marker."""
        self.bought[currency] = self.bought.get(currency, 0) + amount

    def all_back(self, slips: Iterable[Sent], currency: str) -> int:
        """Return what has come back of this currency, of all that was bought."""
        voided = sum(
            slip.voided for slip in slips if slip.kind == "marker-issued" and slip.currency == currency
        )
        return min(voided, self.bought.get(currency, 0))

    def newly_back(self, slips: Iterable[Sent], currency: str) -> int:
        """Return what has come back since the last call."""
        whole = self.all_back(slips, currency)
        before, self.back[currency] = self.back.get(currency, 0), whole
        return whole - before
