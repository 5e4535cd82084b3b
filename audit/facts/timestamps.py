"""Validate the times of a fact: digits below a microsecond are cut off, and an offset is at most 14 hours
from UTC.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from audit.facts.clock import MOST_OFFSET, cut
from audit.facts.refusal_reasons import Refused
from games.kit.events import Event, TableOpened

_SEVENTH_DIGIT = 26
"""Position of the seventh digit of a fraction in `2026-11-27T05:59:59.1234567Z`. The decoder would round it,
possibly to the next day.
"""


def cut_clocks(fact: dict[str, Any]) -> None:
    """Cut the digits below a microsecond off the times of a fact as it was sent, in place."""
    at = fact.get("at")
    if isinstance(at, str) and at[_SEVENTH_DIGIT:]:
        fact["at"] = cut(at)
    shifts = fact.get("shifts")
    if isinstance(shifts, dict):
        fact["shifts"] = {
            name: cut(begins) if isinstance(begins, str) else begins for name, begins in shifts.items()
        }


def refuse_offsets(event: Event, fact: dict[str, Any]) -> None:
    """Raise Refused, naming the field, if a time's offset is further from UTC than any time zone's has ever
    been.
    """
    if fact["at"][-1] in "Zz" and not isinstance(event, TableOpened):
        return
    for field, at in _clocks(event):
        offset = at.utcoffset()
        if offset is not None and abs(offset) > MOST_OFFSET:
            why = f"{at.isoformat()} is further from UTC than any zone: an offset is at most ±14:00"
            raise Refused("offset", why, field=field, uid=event.uid)


def _clocks(event: Event) -> Iterator[tuple[str, datetime]]:
    yield "at", event.at
    if isinstance(event, TableOpened):
        for name, begins in (event.shifts or {}).items():
            yield f"shifts.{name}", begins
