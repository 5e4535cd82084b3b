"""The calendar of a property: the gaming day of an instant, and when gaming days and shifts begin and end.

It uses the entries in force on that gaming day, from the registers `day-begins` ({"time", "zone"}) and
`shifts` ({name: {"begins": "14:00"}}). Without an entry in `day-begins`, the gaming day is the date in UTC.
Without shifts, the day is a single shift.

All instants are in UTC, and the end of a range is exclusive. Because of clock changes, a day may have 23 or
25 hours. Every instant belongs to exactly one day.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from django.utils import timezone

from audit.facts import clock
from casino.reference import standing
from casino.reference.standing import StandingValue


class Bounds(NamedTuple):
    """A span of time; `ends` is exclusive."""

    begins: datetime
    ends: datetime


def gaming_day(property: str, instant: datetime | None = None) -> date:
    """Return the gaming day of an instant, by default of now."""
    return _day_of(_rows(property, "day-begins"), instant or timezone.now())


def _day_of(rows: list[StandingValue], instant: datetime) -> date:
    near = instant.astimezone(UTC).date()
    # far in the west, a gaming day that begins late in the evening may be two dates behind UTC
    started = [
        day
        for day in (near + timedelta(days=days) for days in (-2, -1, 0, 1))
        if _begins(rows, day) <= instant
    ]
    return max(started)


def bounds(property: str, day: date) -> Bounds:
    """Return the instants at which this gaming day begins and ends."""
    return _bounds(_rows(property, "day-begins"), day)


def _bounds(rows: list[StandingValue], day: date) -> Bounds:
    return Bounds(_begins(rows, day), _begins(rows, day + timedelta(days=1)))


def shifts(property: str, day: date) -> dict[str, datetime]:
    """Return {shift: instant at which it begins} for this gaming day, in order of time. A shift ends when the
    next one begins.
    """
    days = _rows(property, "day-begins")
    within = _bounds(days, day)
    day_at, local = _clock(days, day)
    starts = {
        row.key: clock.shift_begins(row.value, day, day_at, local)
        for row in _on(_rows(property, "shifts"), day)
    }
    # a shift that begins in an hour that the clock skips may not fit before the end of the day
    within_day = [
        (at, name) for name, at in starts.items() if at is not None and within.begins <= at < within.ends
    ]
    return {name: at for at, name in sorted(within_day)}


def zone(property: str, day: date | None = None) -> tzinfo:
    """Return the property's time zone on this gaming day, by default today."""
    rows = _rows(property, "day-begins")
    return _clock(rows, _day_of(rows, timezone.now()) if day is None else day)[1]


def first_hour(property: str, day: date) -> int:
    """Return the hour of the property's clock at which this gaming day begins."""
    rows = _rows(property, "day-begins")
    return _begins(rows, day).astimezone(_clock(rows, day)[1]).hour


def instants_at(property: str, day: date, at: time) -> tuple[datetime, ...]:
    """Return the instants of a gaming day at which the property's clock shows this time.

    The tuple has two instants if a clock change repeats the time, and is empty if a clock change skips it.
    """
    rows = _rows(property, "day-begins")
    local, within = _clock(rows, day)[1], _bounds(rows, day)
    moments = (
        moment
        for days in (0, 1)
        for moment in clock.instants(datetime.combine(day + timedelta(days=days), at), local)
    )
    return tuple(moment for moment in moments if within.begins <= moment < within.ends)


def _rows(property: str, register: str) -> list[StandingValue]:
    known = _known.get()
    if known is not None and (property, register) in known:
        return known[property, register]
    rows = standing.of_register([property], register)
    if known is not None:
        known[property, register] = rows
    return rows


_known: ContextVar[dict[tuple[str, str], list[StandingValue]] | None] = ContextVar("calendar", default=None)


@contextmanager
def read_once() -> Iterator[None]:
    """Read the calendar of each property at most once inside the `with` block. Nothing in the block may
    change a calendar.
    """
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def _on(rows: list[StandingValue], day: date) -> list[StandingValue]:
    return [row for row in rows if row.begins <= day < row.ends]


def _begins(rows: list[StandingValue], day: date) -> datetime:
    starts = (clock.day_begins(row.value, day) for row in _on(rows, day))
    return next((at for at in starts if at is not None), None) or datetime.combine(day, time(), UTC)


def _clock(rows: list[StandingValue], day: date) -> tuple[time, tzinfo]:
    clocks = (clock.day_clock(row.value) for row in _on(rows, day))
    return next((read for read in clocks if read is not None), None) or (time(), UTC)
