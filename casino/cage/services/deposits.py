"""Record the way of cash from the count room to the bank: cash that the cage receives, deposits that it
sends, and the bank's confirmations.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any, NamedTuple

from audit.queries import deposits as queries
from audit.queries.deposits import Deposit, is_on_the_way
from casino.accounts.permissions import require
from casino.cage.services.checks import require_positive
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from casino.web.property_turn import in_turn
from casino.web.recording import property_fact, record, reject_resubmission

LETTERS = 60
"""The maximum length of the number of a bag and of the name of a carrier, in characters."""


def receive_drop(
    by: Person, second: Person, property: str, of_day: date | None, currency: str, amount: int, *, uid: str
) -> None:
    """Record that the cage received the counted cash of a gaming day.

    Args:
        by: the cashier.
        second: a member of the count team, who hands the cash over.
        property: the casino.
        of_day: the gaming day whose boxes were counted, or None if no day was entered.
        currency: the currency of the cash.
        amount: in minor units, as the cashier counted it.
        uid: the uid for the fact.

    Raises:
        ActionRejected: a field is wrong.
        PermissionDenied: a signer may not sign here.
    """
    require(by, "receive-drop", property)
    require(second, "hand-over-drop", property)
    if of_day is None or of_day > gaming_day(property):
        raise ActionRejected("Gaming day must be today or earlier, for example 2026-11-27.", "of_day")
    require_positive(amount)
    fields = {"of_day": of_day.isoformat(), "currency": currency, "amount": amount, "second": second.id}
    _record(by, second, property, "drop-received", fields, uid)


def send_deposit(
    by: Person,
    second: Person,
    property: str,
    deposit: str,
    currency: str,
    amount: int,
    carrier: str,
    *,
    uid: str,
) -> None:
    """Record that a sealed bag with cash was handed to a carrier, who brings it to the bank.

    Args:
        by: the cashier.
        second: another person of cage or security.
        property: the casino.
        deposit: the number of the bag.
        currency: the currency of the cash.
        amount: in minor units.
        carrier: who carries the bag.
        uid: the uid for the fact.

    Raises:
        ActionRejected: a field is wrong, or the number was used before.
        PermissionDenied: a signer may not sign here.
    """
    require(by, "send-deposit", property)
    require(second, "sign-deposit", property)
    for name, text in (("deposit", deposit), ("carrier", carrier)):
        _require_text(name, text)
    require_positive(amount)
    with in_turn(property):
        reject_resubmission(property, uid)
        if any(known.deposit == deposit and known.amount is not None for known in queries.deposits(property)):
            raise ActionRejected(f"{deposit} was sent before. Enter the number of this bag.", "deposit")
        fields = {
            "deposit": deposit,
            "currency": currency,
            "amount": amount,
            "carrier": carrier,
            "second": second.id,
        }
        _record(by, second, property, "deposit-sent", fields, uid)


def confirm_deposit(
    by: Person, property: str, deposit: str, amount: int, reference: str, *, uid: str
) -> Deposit:
    """Record the amount that the bank counted for a deposit. Return the deposit as it was sent.

    Args:
        by: who enters it; not a person of the cage.
        property: the casino.
        deposit: the number of the bag.
        amount: what the bank counted, in minor units.
        reference: the bank's own number, or empty.
        uid: the uid for the fact.

    Raises:
        ActionRejected: a field is wrong, or no such deposit waits for a confirmation.
        PermissionDenied: the user may not confirm deposits.
    """
    require(by, "confirm-deposit", property)
    with in_turn(property):
        reject_resubmission(property, uid)
        sent = on_the_way(property, deposit)
        if sent is None:
            raise ActionRejected(f"No deposit {deposit} is on the way to the bank.", "deposit")
        fields = {"deposit": deposit, "currency": sent.currency, "amount": amount}
        _record(by, None, property, "deposit-confirmed", fields | _given(reference), uid)
        return sent


class DropCash(NamedTuple):
    """The cash of drop boxes that the cage received, and the cash that it sent to the bank, in one currency
    and in minor units.
    """

    currency: str
    received: int
    sent: int

    @property
    def left(self) -> int:
        """Return what was received and not sent. It is negative if more was sent than received."""
        return self.received - self.sent


def drop_cash(property: str) -> list[DropCash]:
    """Return what the cage ever received from the count room and ever sent to the bank, by currency."""
    received, sent = Counter[str](), Counter[str]()
    for part in queries.received(property, date.min):
        received[part.currency] += part.amount
    for deposit in queries.deposits(property):
        sent[deposit.currency] += deposit.amount or 0
    return [DropCash(unit, received[unit], sent[unit]) for unit in sorted({*received, *sent})]


def on_the_way(property: str, deposit: str) -> Deposit | None:
    """Return the deposit with this number if it waits for its confirmation, otherwise None."""
    return next(
        (known for known in queries.deposits(property) if known.deposit == deposit and is_on_the_way(known)),
        None,
    )


def _given(reference: str) -> dict[str, str]:
    return {"reference": reference} if reference else {}


def _require_text(name: str, text: str) -> None:
    if not text or len(text) > LETTERS:
        label = {"deposit": "Bag number", "carrier": "Carrier"}[name]
        raise ActionRejected(f"{label}: at least one and at most {LETTERS} characters.", name)


def _record(
    by: Person, second: Person | None, property: str, kind: str, fields: dict[str, Any], uid: str
) -> None:
    if second is not None and second.id == by.id:
        raise ActionRejected("Someone else must give the second signature.", "second")
    record(by, property, [property_fact(kind, by, property, **fields) | {"uid": uid}])
