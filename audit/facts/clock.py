"""Local times at clock changes: an hour that occurs twice, or an hour that is skipped. Pure.

Every instant returned is in UTC, so the difference of two instants is the time that passed between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from importlib.resources import files
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

FIRST, SECOND = "first", "second"
"""The words by which a register says which of two equal times is meant, for an hour that occurs twice."""
_SECOND = timedelta(seconds=1)
MOST_OFFSET = timedelta(hours=14)
"""The largest offset from UTC that any time zone has ever had."""
NO_PLACE = frozenset({"Factory", "localtime", "posixrules"})
"""Names in time zone files that are not the time zone of a place: the zone of the machine itself, or no
zone.
"""
LAST_MICROSECOND = 999_999
_LEAP_SECOND = re.compile(r"(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:)60(?:[.,]\d+)?([Zz]|[+-]\d\d:?\d\d)", re.ASCII)
_BELOW_MICROSECONDS = re.compile(r"([.,][0-9]{6})[0-9]+")


@cache
def zone_names() -> frozenset[str]:
    """Return all time zone names of the IANA database."""
    try:
        names = files("tzdata").joinpath("zones").read_text(encoding="ascii").split()
    except ModuleNotFoundError:
        names = [name for name in available_timezones() if not name.startswith(("posix/", "right/"))]
    return frozenset(names) - NO_PLACE


def zone_named(name: object) -> ZoneInfo:
    """Return the time zone of an IANA name, such as `Europe/Vienna`.

    Raises:
        ValueError: the IANA database has no such zone; the message says so.
    """
    if isinstance(name, str) and name in zone_names():
        return ZoneInfo(name)
    raise ValueError(f"{name!r} is not a time zone of the IANA list, such as Europe/Vienna or UTC")


def cut(written: str) -> str:
    """Return the text of a time without the digits below a microsecond. These digits are cut off, because
    rounding could move the time to the next day.
    """
    return _BELOW_MICROSECONDS.sub(r"\1", written, count=1)


def is_before_midnight(at: datetime) -> bool:
    """Return True if an instant is in the last minute of a day in UTC. Leap seconds are added only there."""
    utc = at.astimezone(UTC)
    return (utc.hour, utc.minute) == (23, 59)


def before_leap_second(written: str) -> str | None:
    """Return the last microsecond before a leap second such as `2016-12-31T23:59:60Z`, in the same offset.
    Return None if the text is not a leap second at the end of a day in UTC.
    """
    match = _LEAP_SECOND.fullmatch(written)
    if match is None:
        return None
    last = f"{match[1]}59.{LAST_MICROSECOND}{match[2]}"
    try:
        return last if is_before_midnight(datetime.fromisoformat(last.upper())) else None
    except (
        ValueError,
        OverflowError,
    ):  # There is no such day, or it is the calendar's first or last: rejected like other invalid times.
        return None


def instants(local: datetime, zone: tzinfo) -> tuple[datetime, ...]:
    """Return the instants at which the zone's clock shows this time. There are two if the clock was set back
    over this time, zero if it was set forward over it, and otherwise one.
    """
    candidates = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    shown = [at for at in candidates if at.astimezone(zone).replace(tzinfo=None, fold=0) == local]
    return tuple(dict.fromkeys(shown))


def comes_twice(local: datetime) -> bool:
    """Return True if a local time, given with its zone, occurs twice because the clock was set back."""
    is_unclear = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
    return is_unclear and len(instants(local.replace(tzinfo=None, fold=0), local.tzinfo or UTC)) == 2


def offset_of(local: datetime) -> str:
    """Return the offset of a local time from UTC, such as `-07:00`."""
    written = local.strftime("%z")
    return f"{written[:3]}:{written[3:5]}"


def instant(local: datetime, zone: tzinfo, choice: str = "") -> datetime:
    """Return the instant at which a clock shows this local time.

    If the time occurs twice, return the first instant, or the second one if `choice` is "second". If it is
    skipped, return the moment of the clock change.
    """
    matches = instants(local, zone)
    if matches:
        return matches[-1] if choice == SECOND else matches[0]
    # The offset changes at the clock change, which is between the two readings.
    early, late = sorted(local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    before = early.astimezone(zone).utcoffset()
    while late - early > _SECOND:
        middle = early + (late - early) // 2 // _SECOND * _SECOND
        early, late = (middle, late) if middle.astimezone(zone).utcoffset() == before else (early, middle)
    return late


def changes_over(clock: time, zone: tzinfo, first: date, last: date) -> Iterator[tuple[date, int]]:
    """Yield (day, times) for each day from `first` to `last` on which the zone's clock does not show this
    time exactly once. `times` is how often the clock shows it on that day: 0 or 2.
    """
    for days in range((last - first).days + 1):
        day = first + timedelta(days=days)
        if (times := len(instants(datetime.combine(day, clock), zone))) != 1:
            yield day, times


def day_begins(value: Any, day: date) -> datetime | None:
    """Return the instant at which this gaming day begins, or None if the value is not valid.

    Args:
        value: the value of an entry in the register `day-begins`.
    """
    read = day_clock(value)
    return None if read is None else instant(datetime.combine(day, read[0]), read[1], _which(value))


def day_clock(value: Any) -> tuple[time, ZoneInfo] | None:
    """Return the time at which gaming days begin and the property's time zone, or None if the value is not
    valid.

    Args:
        value: the value of an entry in the register `day-begins`.
    """
    try:
        clock = time.fromisoformat(value["time"])
        return None if clock.tzinfo is not None else (clock, zone_named(value["zone"]))
    except (KeyError, TypeError, ValueError):
        return None


def shift_begins(value: Any, day: date, day_at: time, zone: tzinfo) -> datetime | None:
    """Return the instant at which a shift of this gaming day begins, or None if the value is not valid.

    A time earlier than the start of the gaming day belongs to the next calendar day.

    Args:
        value: the value of an entry in the register `shifts`.
    """
    try:
        clock = time.fromisoformat(value["begins"])
    except (KeyError, TypeError, ValueError):
        return None
    if clock.tzinfo is not None:
        return None
    return instant(datetime.combine(day + timedelta(days=clock < day_at), clock), zone, _which(value))


def _which(value: Any) -> str:
    return SECOND if value.get("clock_change") == SECOND else FIRST
