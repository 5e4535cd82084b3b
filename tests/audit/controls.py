"""Facts of a table's day as cage, count room and dealers record them, for the tests of the controls."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from audit.replay.fold import replay
from audit.replay.ledger_fold import replay_ledger
from audit.replay.results import Finding
from tests.audit.floor import DAY, OPENING, event

SEES = [
    "bet",
    "deal",
    "take",
    "pay",
    "round-opened",
    "round-closed",
    "dealer-seated",
    "table-closed",
    "paused",
    "resumed",
]
TWO = {"by": "d-1", "second": "s-1"}
FIVE = {
    "requested_by": "s-1",
    "sent_by": "c-1",
    "carried_by": "g-1",
    "received_by": "d-1",
    "verified_by": "s-2",
}
Fact = dict[str, Any]


def opened(**settings: Any) -> Fact:
    return OPENING | {"sees": SEES} | settings


def tray(kind: str, amount: int, **fields: Any) -> Fact:
    """Return the fact of an opener or closer, counted in chips of 5.00."""
    return {"kind": f"{kind}-counted", "chips": {"500": amount // 500}, "amount": amount} | TWO | fields


def slip(serial: str, amount: int = 5_000, **fields: Any) -> Fact:
    """Return the fact of a fill or credit. The serial begins with F for a fill and with C for a credit."""
    kind = {"F": "fill-sent", "C": "credit-sent"}[serial[0]]
    return {"kind": kind, "slip": serial, "chips": {"500": amount // 500}, "amount": amount} | FIVE | fields


def void(serial: str, **fields: Any) -> Fact:
    return {"kind": "slip-voided", "slip": serial, "reason": "torn", "by": "c-1", "second": "s-9"} | fields


def bought(amount: int = 1_000, **fields: Any) -> Fact:
    return {"kind": "chips-bought", "spot": "1", "amount": amount, "tender": "cash"} | fields


def marker(serial: str = "M-1", amount: int = 1_000, **fields: Any) -> Fact:
    return {"kind": "marker-issued", "slip": serial, "player": "p-1", "amount": amount, "by": "s-1"} | fields


def box(name: str = "b-1", shift: str = "", **fields: Any) -> Fact:
    return {"kind": "box-pulled", "box": name, "shift": shift, "by": "g-1", "second": "s-1"} | fields


def drop(name: str = "b-1", amount: int = 1_000, shift: str = "", **fields: Any) -> Fact:
    notes = {"100": amount // 100}
    return {
        "kind": "drop-counted",
        "box": name,
        "shift": shift,
        "notes": notes,
        "amount": amount,
        "team": ["n-1", "n-2"],
    } | fields


def recount(name: str = "b-1", amount: int = 1_000, **fields: Any) -> Fact:
    return {"kind": "count-verified", "box": name, "amount": amount, "by": "n-9"} | fields


def seated(dealer: str = "d-1", supervisor: str = "s-1") -> Fact:
    return {"kind": "dealer-seated", "dealer": dealer, "supervisor": supervisor}


def hand(name: str, taken: int = 0, **fields: Any) -> list[Fact]:
    """Return the facts of a round without cards in which the dealer took this amount."""
    take = [{"kind": "take", "round": name, "spot": "1", "wager": "over", "amount": taken}] if taken else []
    return [
        fact | fields
        for fact in ({"kind": "round-opened", "round": name}, *take, {"kind": "round-closed", "round": name})
    ]


CLOSED = {"kind": "table-closed"}
CLOSE = {"kind": "day-closed", "by": "a-1"}
COUNTED = [drop(), recount()]


def events(facts: Iterable[Fact]) -> list[Any]:
    """Return the facts as the folds read them. A fact that has no time is a minute later than the fact before
    it.
    """
    places = count(1)
    start = datetime.fromisoformat(f"{DAY}T12:00:00-08:00")
    result = []
    for sent in facts:
        place = next(places)
        result.append(event(place, **{"at": (start + timedelta(minutes=place)).isoformat()} | sent))
    return result


def findings_of(*facts: Fact) -> list[Finding]:
    """Replay the facts as one stream of a table, and return the findings."""
    return replay(events(facts)).findings


def codes(*facts: Fact) -> list[tuple[int, str]]:
    """Return the number of the fact and the code of each finding of the table fold, in the order of the
    stream.
    """
    return [(finding.number, finding.code) for finding in findings_of(*facts)]


def of_ledger(*facts: Fact) -> list[Finding]:
    """Replay the facts as a property's own stream, and return the findings of the ledger fold."""
    table = {"table": "aurora/house"}
    sent = events(fact | table for fact in facts)
    return replay_ledger((place, f"aurora/house/{DAY}", place, fact) for place, fact in enumerate(sent, 1))
