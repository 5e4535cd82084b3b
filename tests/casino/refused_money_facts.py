"""Facts about money that has left the table, such as markers and deposits. A page would refuse these facts.
Tests record them as a file or a device would send them.
"""

from __future__ import annotations

from typing import Any

from tests.audit.controls import void
from tests.audit.floor import DAY

Fact = dict[str, Any]
LOST: Fact = {
    "kind": "marker-written-off",
    "slip": "M-EOU01-1",
    "player": "p-1",
    "currency": "USD",
    "amount": 500,
    "reason": "bankrupt",
    "by": "a-1",
    "second": "a-2",
}
BACK: Fact = {field: LOST[field] for field in ("slip", "player", "currency", "amount")} | {
    "kind": "marker-recovered",
    "by": "c-1",
}

BAG: Fact = {"deposit": "1", "currency": "USD", "amount": 100}
RECEIVED: Fact = {
    "kind": "drop-received",
    "of_day": DAY,
    "currency": "USD",
    "amount": 100,
    "by": "c-1",
    "second": "n-1",
}
DEPOSIT = BAG | {"kind": "deposit-sent", "carrier": "transport", "by": "c-1", "second": "g-1"}
CONFIRMED = BAG | {"kind": "deposit-confirmed", "by": "a-1"}


def of_money(staff: list[Fact], issued: list[Fact]) -> dict[str, list[Fact]]:
    """Return test cases by name. The name says what is wrong with the facts.

    Args:
        staff: the entries of the register of people.
        issued: the facts that open a table and issue a marker of 1,000 minor units there.
    """
    paid = {"kind": "marker-paid", "slip": "M-EOU01-1", "player": "p-1", "amount": 600, "by": "c-1"}
    return {
        "a drop of a day without a count": [RECEIVED],
        "a drop that a dealer receives": [*staff, RECEIVED | {"by": "d-1"}],
        "a drop that a dealer hands over": [*staff, RECEIVED | {"second": "d-1"}],
        "a deposit by one person": [DEPOSIT | {"second": "c-1"}],
        "a deposit by a dealer": [*staff, DEPOSIT | {"by": "d-1"}],
        "a deposit that a dealer signs": [*staff, DEPOSIT | {"second": "d-1"}],
        "two deposits with one number": [DEPOSIT, DEPOSIT],
        "a confirmation of a deposit that was never sent": [CONFIRMED],
        "a confirmation by a cashier": [*staff, DEPOSIT, CONFIRMED | {"by": "c-1"}],
        "a recovery of more than was written off": [*issued, LOST, BACK | {"amount": 501}],
        "a recovery taken by a dealer": [*staff, *issued, LOST, BACK | {"by": "d-1"}],
        "a write-off of more than the rest": [*issued, paid, LOST],
        "a write-off by one person": [*issued, LOST | {"second": "a-1"}],
        "a write-off by a cashier": [*staff, *issued, LOST | {"by": "c-1"}],
        "a write-off that a cashier signs": [*staff, *issued, LOST | {"second": "c-1"}],
        "a write-off by who issued the marker": [*issued, LOST | {"by": "s-1"}],
        "a voiding of a marker that was written off": [*issued, LOST, void("M-EOU01-1")],
    }
