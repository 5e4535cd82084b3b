"""The kinds of fact that say what happens to money after the table: markers that are written off, and money
that goes from the count room to the cage and to the bank.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from audit.facts.queue_kinds import OfDay
from games.kit import fields as t
from games.kit.events import Event, kind_of
from games.kit.fields import identifier

OwnCurrency = Annotated[
    t.Currency, Meta(description="The currency of the amount, as ISO 4217 codes it.", examples=["USD"])
]

Deposit = Annotated[str, identifier("The number on the sealed bag of a deposit.", "004711")]


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


class DropReceived(Event, frozen=True, kw_only=True, gc=False, tag="drop-received"):
    """The cage receives the cash that the count room counted for one gaming day.

    A cashier and a member of the count team sign it. If a box is counted later, its cash is received with
    another fact for the same day.
    """

    of_day: OfDay
    currency: OwnCurrency
    amount: t.Amount
    by: t.Staff
    second: t.Second


class DepositSent(Event, frozen=True, kw_only=True, gc=False, tag="deposit-sent"):
    """The cage hands a sealed bag with cash of one currency to a carrier, who brings it to the bank.

    Two people sign it.
    """

    deposit: Deposit
    currency: OwnCurrency
    amount: t.Amount
    carrier: Annotated[
        str, identifier("Who carries the bag: a company or a staff ID.", "armored-transport", "g-401")
    ]
    by: t.Staff
    second: t.Second


class DepositConfirmed(Event, frozen=True, kw_only=True, gc=False, tag="deposit-confirmed"):
    """The bank confirms a deposit, with the amount that it counted."""

    deposit: Deposit
    currency: OwnCurrency
    amount: Annotated[t.Counted, Meta(description="What the bank counted.")]
    by: t.Staff
    reference: Annotated[str, identifier("The bank's own number.", "BK-20261128-17")] | None = None


OF_MONEY: tuple[type[Event], ...] = (
    MarkerWrittenOff,
    MarkerRecovered,
    DropReceived,
    DepositSent,
    DepositConfirmed,
)
"""Kinds of fact about money after the table. They are recorded in the property's own stream."""
MONEY_KINDS = tuple(kind_of(shape) for shape in OF_MONEY)
