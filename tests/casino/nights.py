"""Gaming days for the tests of pages. At these tables every second hand has a fault. The facts are recorded
and examined.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from msgspec import json

from audit.facts import check
from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.accounts.services import activate_user
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.sample import FAULTS
from casino.sample.tables.day import Day
from casino.sample.tables.table import TABLES

DAY = date(2026, 11, 27)
STREAM = f"aurora/EOU-07/{DAY.isoformat()}"
PASSWORD = "seven shakes of the cup"
DEALERS = ("d-101", "d-102")
"""Ada and Abe of the cast."""
SUPERVISORS = ("s-201", "s-202")
"""Finn and Fay of the cast."""
OFFICERS = {"v-101": "Dana", "v-102": "Dora"}
FOUND = (
    "wrong-settlement:over:overpaid",
    "late-bet:new",
    "not-settled:over",
    "wrong-settlement:under:underpaid",
    "too-few-shakes:four",
    "wrong-settlement:over:paid-a-loser",
    "not-cleared",
    "settled-twice:paid",
    "wrong-settlement:spread:overpaid",
    "no-such-bet:paid",
    "below-minimum:main",
    "above-maximum:main",
)
"""Faults that are planted one after the other. If each is planted twice, 24 hands have findings."""


def troubled_day(
    table: str = "EOU-07", times: int = 2, faults: tuple[str, ...] = FOUND, game: str = "easy_over_under"
) -> list[dict[str, Any]]:
    """Return the facts of a table's day in which hands without a fault and hands with a fault alternate."""
    settings = TABLES[game].exact | {"currency": "USD"}
    day = Day(game, f"pages/{table}", table=table, **settings, dealers=DEALERS, supervisors=SUPERVISORS)
    day.open()
    for name in faults * times:
        day.honest()
        FAULTS[game][name].act(day)
    day.honest()
    return day.facts()


def record(facts: list[dict[str, Any]]) -> None:
    """Record the facts through `audit.ledger.intake` and examine them."""
    intake.post_prepared([check(json.encode(fact)) for fact in facts], Sender("gateway"))
    findings.examine()


def officers(second_from: int = 5_000) -> None:
    """Register two surveillance officers who did not work at the table. Also register the amount from which a
    verdict needs a second reviewer.
    """
    entries = [Entry("people", id, {"role": "surveillance"}) for id in OFFICERS]
    entries.append(Entry("thresholds", "second-reviewer", {"amount": second_from}))
    set_registers("aurora", entries, by="m-101", second="m-102")
    for id, name in OFFICERS.items():
        activate_user(id, name, PASSWORD)
    findings.examine()
