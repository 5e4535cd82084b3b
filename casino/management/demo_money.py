"""Record in the sample what happens to money after it has left the table: an old marker is written off, and
cash goes to the cage and to the bank. The facts are recorded once, after the month, on the current gaming
day.
"""

from __future__ import annotations

import json
from datetime import date
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django.utils import timezone

from audit.facts import check
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries.money import money_facts
from casino.cage.services.markers import balance_of, unpaid_markers
from casino.cage.services.waiting_cash import waiting_cash
from casino.reference import profiles
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reference.registers import values_on

ACCOUNTS = ("bad-debt", "recoveries", "cage-cash", "in-transit", "bank")
"""What is posted for money after the table. The registers of the month do not contain these accounts."""
BAG = 4711
"""The number of the first bag."""


def record_money(property: str, day: date) -> bool:
    """Record the sample's facts about money on a gaming day, and the accounts to which they are posted.
    Return False if the property has such facts already, or nothing that could be written off or received.
    """
    waiting = [cash for cash in waiting_cash(property, day) if cash.left > 0 and not cash.boxes]
    owed = sorted(unpaid_markers(property, day), key=lambda pair: (str(pair[0].issued_on), pair[0].slip))
    if next(money_facts(property), None) is not None or not (waiting or owed):
        return False
    _set_accounts(property, day)
    facts: list[dict[str, Any]] = []
    if owed and (balance := balance_of(property, owed[0][0].slip)) is not None:
        event: Any = balance.issued.event
        facts.append(
            {
                "kind": "marker-written-off",
                "slip": event.slip,
                "player": event.player,
                "currency": balance.currency,
                "amount": balance.owed,
                "reason": "the player did not answer three letters",
                "by": "a-101",
                "second": "a-102",
            }
        )
    for place, cash in enumerate(waiting[:-1]):
        money = {"currency": cash.currency, "amount": cash.left, "by": "c-101"}
        bag = {"deposit": f"{BAG + place:06}"}
        facts += [
            {"kind": "drop-received", "of_day": str(cash.day), **money, "second": "n-101"},
            {"kind": "deposit-sent", **bag, **money, "carrier": "armored-transport", "second": "g-101"},
        ]
        if place < len(waiting) - 2:
            facts.append({"kind": "deposit-confirmed", **bag, **money, "by": "a-101"})
    _post(property, day, facts)
    return True


def _set_accounts(property: str, day: date) -> None:
    chart = profiles.get_profile("chart-of-accounts")
    known = values_on(property, "accounts", day)
    values = {value.key: value.more for value in chart.values} if chart is not None else {}
    entries = [
        Entry("accounts", key, values[key], begins=f"{day.year}-01-01")
        for key in ACCOUNTS
        if key in values and key not in known
    ]
    if entries:
        set_registers(property, entries, by="m-101", second="m-102")


def _post(property: str, day: date, facts: list[dict[str, Any]]) -> None:
    at = timezone.now().isoformat(timespec="milliseconds")
    own = {"table": f"{property}/house", "day": day.isoformat(), "at": at, "source": "pages"}
    lines = [
        own | {"uid": str(uuid5(NAMESPACE_URL, f"{property} money {place}"))} | fact
        for place, fact in enumerate(facts)
    ]
    intake.post_prepared([check(json.dumps(line).encode()) for line in lines], Sender("demo"))
