"""Facts about a table's money after its gaming day: a marker is written off and partly recovered, the cage
receives the counted cash, a deposit is sent to the bank, and the bank confirms it.

These facts are in the stream of the property. The field `_after` of a draft is the number of gaming days
between the table's day and the day of the fact.
"""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.staff import ACCOUNTANTS

CARRIER = "armored-transport"


def money_drafts(
    rng: Random, drafts: list[Draft], markers: list[tuple[str, str, int]], day: date, currency: str
) -> list[Draft]:
    """Return the property's facts about the money of a table's day, without faults.

    Args:
        drafts: the facts of the table, with the counts of its boxes.
        markers: slip, player and amount of the markers that are not paid.
    """
    facts = written_off(rng, *markers[0], currency) if markers else []
    cash = sum(
        fact["amount"] - sum(fact.get("papers", {}).values())
        for fact in drafts
        if fact["kind"] == "drop-counted"
    )
    if cash:
        cashier, guard, counter = (f"{role}-{rng.randint(1, 9)}" for role in "cgn")
        money = {"currency": currency, "amount": cash}
        bag = money | {"deposit": f"{rng.randint(1_000, 9_999):06}"}
        facts += [
            draft("drop-received", _after=1, of_day=day.isoformat(), **money, by=cashier, second=counter),
            draft("deposit-sent", _after=1, **bag, carrier=CARRIER, by=cashier, second=guard),
            draft("deposit-confirmed", _after=rng.randint(2, 6), **bag, by=rng.choice(ACCOUNTANTS)),
        ]
    return facts


def written_off(rng: Random, slip: str, player: str, amount: int, currency: str) -> list[Draft]:
    """Return the write-off of a whole marker, and a later payment of a part of it."""
    marker: dict[str, Any] = {"slip": slip, "player": player, "currency": currency}
    by, second = ACCOUNTANTS
    part = max(1, amount // rng.randint(2, 4))
    return [
        draft(
            "marker-written-off", _after=1, **marker, amount=amount, reason="bankrupt", by=by, second=second
        ),
        draft("marker-recovered", _after=1, **marker, amount=part, by=f"c-{rng.randint(1, 9)}"),
    ]
