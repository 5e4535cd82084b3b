"""Facts as the users Ada, Boris and Chi would send them, for the tests of the ledger."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from audit.facts import decode
from games.kit.events import Event

DAY = "2026-11-27"
OPENING: dict[str, Any] = {
    "kind": "table-opened",
    "game": "easy_over_under",
    "edition": "2010-02-05",
    "pay_tables": {"spread": "B"},
    "decks": 6,
    "spots": 6,
    "limits": {"*": [1000, 50000]},
    "currency": "USD",
    "chip": 100,
    "readings": {"rounding": "exact"},
    "sees": ["bet", "deal", "roll", "take"],
}


def uid(place: int) -> str:
    """Return a time-ordered uid (UUIDv7) that is the same in every run."""
    return str(UUID(int=(1795694400000 + place) << 80 | 7 << 76 | 2 << 62 | place))


def fact(
    place: int, kind: str = "take", table: str = "aurora/EOU-01", day: str = DAY, **fields: Any
) -> dict[str, Any]:
    """Return fact number `place` of a test. By default, it is a take of 5.00."""
    envelope = {
        "uid": uid(place),
        "table": table,
        "day": day,
        "kind": kind,
        "at": f"{day}T12:00:00-08:00",
        "source": "pit-1",
    }
    if kind == "take" and not fields:
        fields = {"spot": "1", "wager": "over", "amount": 500}
    return envelope | fields


def opened(place: int, table: str = "aurora/EOU-01", day: str = DAY) -> dict[str, Any]:
    """Return the opening of a table's day."""
    return fact(place, table=table, day=day, **OPENING)


def line(sent: dict[str, Any]) -> bytes:
    """Return a fact as the JSON line in which it is posted."""
    return json.dumps(sent).encode()


def event(place: int, kind: str = "take", **fields: Any) -> Event:
    """Return fact number `place` of a test as the folds read it."""
    return decode(line(fact(place, kind, **fields)))
