"""Validate the times of a fact. Digits below a microsecond are cut off, a leap second becomes the last
microsecond before it, and an offset of more than 14 hours from UTC is rejected.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from audit.facts.clock import MOST_OFFSET, before_leap_second, cut
from audit.facts.queue_kinds import HandSnoozed
from audit.facts.refusal_reasons import Refused
from games.kit.events import Event, TableOpened, kind_of

_SEVENTH_DIGIT = 26
"""Position of the seventh digit of a fraction in `2026-11-27T05:59:59.1234567Z`. The decoder would round it,
possibly to the next day.
"""


_SECONDS = slice(17, 19)
"""The position of the seconds in a time such as `2026-11-27T05:59:59Z`."""


def cut_clocks(fact: dict[str, Any]) -> tuple[str, ...]:
    """Change the times of a fact in place: cut off digits below a microsecond, and replace leap seconds.
    Return a sentence for each leap second.
    """
    kind, at = fact.get("kind"), fact.get("at")
    if not isinstance(kind, str):
        return ()
    if kind not in _WITH_CLOCKS and isinstance(at, str) and not at[_SEVENTH_DIGIT:] and at[_SECONDS] != "60":
        return ()  # Almost every fact ends here, so no list is created for it.
    shifts = fact.get("shifts")
    notes: list[str] = []
    for field in ("at", "until", *_MORE_CLOCKS.get(kind, ())):
        at = fact.get(field)
        if isinstance(at, str) and (at[_SEVENTH_DIGIT:] or at[_SECONDS] == "60"):
            fact[field] = _recorded(field, at, notes)
    if isinstance(shifts, dict):
        fact["shifts"] = {
            name: _recorded(f"shifts.{name}", begins, notes) if isinstance(begins, str) else begins
            for name, begins in shifts.items()
        }
    return tuple(notes)


def _recorded(field: str, written: str, notes: list[str]) -> str:
    """Return the form in which a time is recorded. If it was a leap second, add a sentence to `notes`."""
    before = before_leap_second(written)
    if before is None:
        return cut(written)
    notes.append(leap_second_note(f"{field}: {written}", before))
    return before


def leap_second_note(written: str, recorded: str) -> str:
    """Return the sentence that says as which time a leap second was recorded."""
    return f"{written} is a leap second. It is recorded as {recorded}, the last microsecond before it."


def refuse_offsets(event: Event, fact: dict[str, Any]) -> None:
    """Raise Refused if a time's offset from UTC is larger than that of any time zone in history. The error
    names the field.
    """
    if fact["kind"] not in _WITH_CLOCKS:
        offset = None if fact["at"][-1] in "Zz" else event.at.utcoffset()
        if offset is None or -MOST_OFFSET <= offset <= MOST_OFFSET:
            return
    for field, at in _clocks(event):
        offset = at.utcoffset()
        if offset is not None and abs(offset) > MOST_OFFSET:
            reason = f"{at.isoformat()} is further from UTC than any zone: an offset is at most ±14:00"
            raise Refused("offset", reason, field=field, uid=event.uid)


def _clocks(event: Event) -> Iterator[tuple[str, datetime]]:
    yield "at", event.at
    if isinstance(event, TableOpened):
        for name, begins in (event.shifts or {}).items():
            yield f"shifts.{name}", begins
    elif isinstance(event, HandSnoozed) and event.until is not None:
        yield "until", event.until
    for name in _MORE_CLOCKS.get(kind_of(event), ()):
        if (at := getattr(event, name)) is not None:
            yield name, at


_MORE_CLOCKS = {
    "log-written": ("began",),
    "hold-ordered": ("begins", "ends"),
    "clip-exported": ("begins", "ends"),
}
"""For each kind: its fields, in addition to `at`, that contain a time."""
_WITH_CLOCKS = frozenset({"table-opened", "hand-snoozed", *_MORE_CLOCKS})


def more_clocks(event: Event) -> Iterator[tuple[str, datetime]]:
    """Yield each time of a fact except `at`, with the name of its field."""
    return (clock for clock in _clocks(event) if clock[0] != "at")
