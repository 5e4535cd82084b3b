"""The clocks of a fact: what lies below a microsecond is cut off, and no offset is beyond 14 hours from
UTC.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from audit.facts.clock import MOST_OFFSET, cut
from audit.facts.refusal_reasons import Refused
from games.kit.events import Event, TableOpened

_SEVENTH_DIGIT = 26
"""Where the seventh digit of a fraction is in `2026-11-27T05:59:59.1234567Z`: the decoder would round it, up
to the next day.
"""


def cut_clocks(fact: dict[str, Any]) -> None:
    """Cut what lies below a microsecond off the clocks of a fact as it was sent, in place."""
    at = fact.get("at")
    if isinstance(at, str) and at[_SEVENTH_DIGIT:]:
        fact["at"] = cut(at)
    shifts = fact.get("shifts")
    if isinstance(shifts, dict):
        fact["shifts"] = {
            name: cut(begins) if isinstance(begins, str) else begins for name, begins in shifts.items()
        }


def refuse_offsets(event: Event, fact: dict[str, Any]) -> None:
    """Raise Refused, naming the field, where a clock is further from UTC than any zone has ever been."""
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
