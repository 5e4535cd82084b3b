"""Drafts of facts: they have no uid and can be changed until they are stamped into a stream.

Stamping gives each draft its uid, clock time and number, in order. A fault can therefore be planted before
that, and everything else in the stream stays correct.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from random import Random
from typing import Any

Draft = dict[str, Any]
PACIFIC = timezone(timedelta(hours=-8))

SOURCES = {
    "shuffled": "shoe",
    "cut-card-shown": "shoe",
    "deal": "shoe",
    "burn": "shoe",
    "bet": "stakes",
    "bets": "stakes",
    "unbet": "stakes",
    "take": "stakes",
    "pay": "stakes",
    "settled": "stakes",
    "return": "stakes",
    "fill-sent": "cage",
    "credit-sent": "cage",
    "slip-voided": "cage",
    "marker-issued": "cage",
    "marker-paid": "cage",
    "drop-counted": "count",
    "count-verified": "count",
    "day-closed": "count",
}
SECONDS = {
    "shuffled": (60, 200),
    "round-opened": (3, 10),
    "no-more-bets": (1, 4),
    "day-closed": (3600, 7200),
    "drop-counted": (9000, 14000),
}
ORDINARY = (0.4, 2.4)


def draft(kind: str, round: str | None = None, **fields: Any) -> Draft:
    """Return a draft of a fact. Fields whose names begin with `_` are instructions for `Stamp` and are never
    posted: `_gap` is how many numbers are lost before the fact, `_back` how many seconds it is before the
    previous fact of its source, `_at` its earliest instant, `_source` its source.
    """
    fact: Draft = {"kind": kind}
    if round is not None:
        fact["round"] = round
    fact.update(fields)
    return fact


@dataclass
class Stamp:
    """Turns the drafts of one stream into facts, in order."""

    rng: Random
    table: str
    day: date
    start: time = time(12)
    zone: tzinfo = PACIFIC
    names: dict[str, str] = field(default_factory=dict)
    """For each role (`shoe`, `stakes`, `pit`, `cage`, `count`): the device or desk that reports."""

    def __post_init__(self) -> None:
        # The time is in UTC, because adding to local time would skip the hour that is repeated when clocks
        # are set back.
        self._now = datetime.combine(self.day, self.start, self.zone).astimezone(UTC)
        self._counters: dict[str, int] = {}
        self._last: dict[str, datetime] = {}

    def facts(self, drafts: list[Draft]) -> list[dict[str, Any]]:
        """Return the drafts as facts; each draft gets its `uid`."""
        return [self._one(item) for item in drafts]

    def _one(self, fact_draft: Draft) -> dict[str, Any]:
        kind = fact_draft["kind"]
        source = fact_draft.get("_source") or self.names[SOURCES.get(kind, "pit")]
        low, high = SECONDS.get(kind, ORDINARY)
        self._now += timedelta(milliseconds=round(self.rng.uniform(low, high) * 1000))
        if "_at" in fact_draft:
            self._now = max(self._now, fact_draft["_at"].astimezone(UTC))
        instant = (
            self._last[source] - timedelta(seconds=fact_draft["_back"])
            if "_back" in fact_draft
            else self._now
        )
        if "_back" not in fact_draft:
            self._last[source] = instant
        at = instant.astimezone(self.zone)
        number = self._counters[source] = self._counters.get(source, 0) + 1 + fact_draft.get("_gap", 0)
        fact_draft["uid"] = uuid7(self.rng, at)
        fact = {"uid": fact_draft["uid"], "table": self.table, "day": self.day.isoformat(), "kind": kind}
        fact |= {"at": at.isoformat(timespec="milliseconds"), "source": source, "n": number}
        for name, value in fact_draft.items():
            if name[0] != "_" and name not in fact:
                # A field that refers to another fact holds that fact's draft, whose uid is known only now.
                fact[name] = value["uid"] if isinstance(value, dict) and "kind" in value else value
        return fact


def uuid7(rng: Random, at: datetime) -> str:
    """Return a UUID of version 7, built from the instant and random bits of the seeded generator."""
    bits = (
        int(at.timestamp() * 1000) << 80 | 7 << 76 | rng.getrandbits(12) << 64 | 2 << 62 | rng.getrandbits(62)
    )
    text = f"{bits:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def property_fact(
    rng: Random, number: int, property: str, day: date, kind: str, fields: dict[str, Any]
) -> dict[str, Any]:
    """Return a fact of the property's stream, recorded in the office early on the gaming day."""
    at = datetime.combine(day, time(6, 30), PACIFIC)
    fact: dict[str, Any] = {
        "uid": uuid7(rng, at),
        "table": f"{property}/house",
        "day": day.isoformat(),
        "kind": kind,
    }
    return fact | {"at": at.isoformat(timespec="milliseconds"), "source": "office-1", "n": number} | fields
