"""Deposits to the bank, and the cash that the cage received from the count room."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from audit import facts as f
from audit.queries.money import money_facts

SENT, CONFIRMED, RECEIVED = "deposit-sent", "deposit-confirmed", "drop-received"


class Deposit(NamedTuple):
    """One deposit with the bank's confirmation. Amounts are in minor units.

    Attributes:
        amount: what was sent, or None if the bank confirmed a deposit that was never sent.
        confirmed: what the bank counted, or None without a confirmation.
        confirmations: how often the bank confirmed it. Only the first confirmation is shown.
    """

    property: str
    deposit: str
    currency: str
    sent_on: date | None = None
    amount: int | None = None
    carrier: str = ""
    by: str = ""
    second: str = ""
    confirmed_on: date | None = None
    confirmed: int | None = None
    reference: str = ""
    confirmed_by: str = ""
    confirmations: int = 0


def is_on_the_way(deposit: Deposit) -> bool:
    """Return True if the deposit was sent and the bank has not confirmed it."""
    return deposit.amount is not None and deposit.confirmed is None


def difference(deposit: Deposit) -> int:
    """Return what the bank counted minus what was sent; 0 until both are known."""
    return 0 if deposit.amount is None or deposit.confirmed is None else deposit.confirmed - deposit.amount


class Received(NamedTuple):
    """Cash of a gaming day that the cage received, in minor units."""

    of_day: date
    currency: str
    amount: int


def deposits(property: str, ends: date | None = None, until: int | None = None) -> list[Deposit]:
    """Return every deposit that was sent or confirmed before the gaming day `ends`, in the order of commit.

    Args:
        ends: the end of the gaming days, exclusive, or None for all days.
        until: the last ledger position that is read, or None for all facts.
    """
    by_number: dict[tuple[str, str], Deposit] = {}
    for fact in money_facts(property, ends=ends, until=until, kinds=(SENT, CONFIRMED)):
        event = fact.event
        assert isinstance(event, f.DepositSent | f.DepositConfirmed)
        key = (event.deposit, event.currency)
        known = by_number.get(key, Deposit(property, *key))
        if isinstance(event, f.DepositConfirmed):
            by_number[key] = _confirmed(known, event)
        elif known.amount is None:
            by_number[key] = known._replace(
                sent_on=event.day,
                amount=event.amount,
                carrier=event.carrier,
                by=event.by,
                second=event.second,
            )
    return list(by_number.values())


def _confirmed(known: Deposit, event: f.DepositConfirmed) -> Deposit:
    known = known._replace(confirmations=known.confirmations + 1)
    if known.confirmed is not None:
        return known
    return known._replace(
        confirmed_on=event.day,
        confirmed=event.amount,
        reference=event.reference or "",
        confirmed_by=event.by,
    )


def received(property: str, begins: date) -> list[Received]:
    """Return what the cage received of the drop of this gaming day and later days, in the order of commit."""
    rows = []
    for fact in money_facts(property, begins, kinds=(RECEIVED,)):
        event = fact.event
        assert isinstance(event, f.DropReceived)
        if event.of_day >= begins:
            rows.append(Received(event.of_day, event.currency, event.amount))
    return rows
