"""The kinds of fact that say what happens to money after the table: markers that are written off, and money
that goes from the count room to the cage and to the bank.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from games.kit import fields as t
from games.kit.events import Event, kind_of

OwnCurrency = Annotated[
    t.Currency, Meta(description="The currency of the amount, as ISO 4217 codes it.", examples=["USD"])
]


class MarkerWrittenOff(Event, frozen=True, kw_only=True, gc=False, tag="marker-written-off"):
    """A marker, or the part of it that is not paid, is written off: the casino no longer expects the money.

    Two people who did not issue the marker sign it.
    """

    slip: t.Slip
    player: t.Player
    currency: OwnCurrency
    amount: t.Amount
    reason: t.Reason
    by: t.Staff
    second: t.Second


class MarkerRecovered(Event, frozen=True, kw_only=True, gc=False, tag="marker-recovered"):
    """A player pays, at the cage, a marker or a part of it that was written off."""

    slip: t.Slip
    player: t.Player
    currency: OwnCurrency
    amount: t.Amount
    by: t.Staff


OF_MONEY: tuple[type[Event], ...] = (MarkerWrittenOff, MarkerRecovered)
"""Kinds of fact about money after the table. They are recorded in the property's own stream."""
MONEY_KINDS = tuple(kind_of(shape) for shape in OF_MONEY)
