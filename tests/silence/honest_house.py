"""Changes to the facts of cage, count room and registers. This module tries them and returns the result of
each. It also reads the list of changes that are not faults (honest_house.toml).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from audit.facts import Refused
from tests.silence import house
from tests.silence.changes import Change, Fact
from tests.silence.trying import FOUND, NO_AMOUNT, REFUSED, SILENT, grave
from tests.simulation.replaying import findings

LISTED: dict[str, list[dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "honest_house.toml").read_text()
)
AMOUNTS = frozenset({"amount", "chips", "notes", "papers"})


def tried(facts: list[Fact], chosen: Iterable[Change]) -> Iterator[tuple[Change, str]]:
    """Yield each of these changes to the property's facts with its result. Leave out changes that change
    nothing.
    """
    for change in chosen:
        if change.facts != facts:
            yield change, result(change)


def result(change: Change) -> str:
    """Return the result of a change. If the ledger refuses the changed facts, no finding is needed."""
    changed = house.stamped(change.facts)
    if is_refused(changed):
        return REFUSED
    try:
        found_findings = grave(findings(changed))
    except Refused:
        return REFUSED
    if not found_findings:
        return SILENT
    money = change.kind in house.MONEY and change.how == "field" and change.field in AMOUNTS
    return (
        NO_AMOUNT
        if money and not any(finding.moved is not None or "USD" in finding.says for finding in found_findings)
        else FOUND
    )


def is_refused(facts: Iterable[Fact]) -> bool:
    """Return True if the ledger refuses one of these facts: its stream is closed or was never opened."""
    opened, closed = set[str](), set[str]()
    for fact in facts:
        stream = f"{fact['table']}/{fact['day']}"
        if fact["table"] == house.HOUSE:
            continue
        if stream in closed or (stream not in opened and fact["kind"] != "table-opened"):
            return True
        opened.add(stream)
        if fact["kind"] == "day-closed":
            closed.add(stream)
    return False


def on_the_list(change: Change) -> int | None:
    """Return the index of the entry of honest_house.toml that allows a change, or None if no entry
    allows it.
    """
    if change.how == "swap":
        kinds = {change.kind, str(change.became["kind"])}
        return next(
            (place for place, entry in enumerate(LISTED["either_order"]) if kinds <= set(entry["facts"])),
            None,
        )
    for place, entry in enumerate(LISTED["change"]):
        named = {change.kind, "any"} & set(entry["facts"])
        if (
            named
            and change.how in entry["how"]
            and change.field in entry.get("field", [""])
            and holds(entry.get("when", ""), change)
        ):
            return place
    return None


def holds(name: str, change: Change) -> bool:
    """Return True if the condition of an entry is met. An entry without a condition always applies."""
    became = change.became if isinstance(change.became, dict) else change.fact
    return not name or CONDITIONS[name](change.fact, became, change.field)


def colleague(fact: Fact, became: Fact, field: str) -> bool:
    """Return True if the new signer has the same role as the previous one and does not sign the fact in
    another field.
    """
    person = became[field]
    signers = [became[name] for name in house.SIGNERS if name in became and name != field]
    return house.ROLE.get(person, "x") == house.ROLE.get(fact[field], "y") and person not in signers


def asked_for_it(fact: Fact, became: Fact, field: str) -> bool:
    """Return True if the person who verified the slip is the one who requested it."""
    return bool(became["verified_by"] == became["requested_by"])


def longer_or_later(fact: Fact, became: Fact, field: str) -> bool:
    """Return True if the new serial of a slip belongs to the same series as the old one. A gap in a series is
    found only at the next slip.
    """
    return bool(became["slip"].rpartition("-")[0] == fact["slip"].rpartition("-")[0])


def cash_or_voucher(fact: Fact, became: Fact, field: str) -> bool:
    """Return True if neither the previous nor the new tender is a marker."""
    return {fact["tender"], became["tender"]} <= {"cash", "voucher"}


def not_more(fact: Fact, became: Fact, field: str) -> bool:
    """Return True if the amount paid did not increase."""
    return bool(became["amount"] <= fact["amount"])


def of_the_last_day(fact: Fact, became: Fact, field: str) -> bool:
    """Return True if the fact belongs to the last gaming day."""
    return bool(fact["day"] == house.DAYS[-1])


def about_nobody_who_signs(fact: Fact, became: Fact, field: str) -> bool:
    """Return True if the entry is of the register of chip sets. Also return True if its key is not a person
    who signs a fact before the entry is in force.
    """
    until = (became["from"] if field == "from" else None) or "9999-01-01"
    facts = [other for other in house.honest() if other["day"] < until]
    signers = {other[name] for other in facts for name in house.SIGNERS if name in other} | {"n-101", "n-102"}
    return fact["register"] == "chip-sets" or fact["key"] not in signers


def founding_or_entitled(fact: Fact, became: Fact, field: str) -> bool:
    """Return True in two cases: the entry is about one of the first administrators, or the change makes a
    person of accounting the second signer.
    """
    founding = fact["key"] in house.PEOPLE["administrator"]
    return founding or (field == "second" and house.ROLE.get(became[field]) == "accounting")


CONDITIONS: dict[str, Callable[[Fact, Fact, str], bool]] = {
    condition.__name__: condition
    for condition in (
        colleague,
        asked_for_it,
        longer_or_later,
        cash_or_voucher,
        not_more,
        of_the_last_day,
        about_nobody_who_signs,
        founding_or_entitled,
    )
}
