"""Convert a vendor's local times to instants. A time that is not certain is refused, never guessed."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from audit.facts.clock import LAST_MICROSECOND, MOST_OFFSET, instants, is_before_midnight
from audit.facts.timestamps import leap_second_note

_WRITTEN = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:[:.,](\d{1,30}))?\s*(Z|[+-]\d\d:?\d\d)?",
    re.ASCII,
)

FIRST_YEAR, LAST_YEAR = 1900, 9998
"""The years that a vendor's timestamp may have. The last year of the calendar cannot be converted to another
time zone.
"""


def parse_timestamp(written: object, zone: ZoneInfo | None, notes: list[str] | None = None) -> datetime:
    """Parse a timestamp such as `2030-01-05 22:00:04:500`, in `zone` or with its own offset. A fraction may
    follow `:` or `.`.

    A leap second becomes the last microsecond before it, and a sentence about it is added to `notes`.

    Raise ValueError with a sentence if the text cannot be read, has no time zone, or is skipped or repeated
    when the clocks change.
    """
    match = _WRITTEN.fullmatch(written.strip()) if isinstance(written, str) else None
    if match is None:
        raise ValueError(f"{str(written)[:60]!r} is not a time such as 2030-01-05 22:00:04:500")
    fraction = int((match[7] or "0")[:6].ljust(6, "0"))  # Digits below a microsecond are cut off.
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    leap = second == 60
    if leap:
        second, fraction = 59, LAST_MICROSECOND
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError(f"{written!r} is not a time: the year is {FIRST_YEAR} to {LAST_YEAR}")
    try:
        local = datetime(year, month, day, hour, minute, second, fraction)  # noqa: DTZ001 - its zone follows
    except ValueError as error:
        raise ValueError(f"{written!r} is not a time: {error}") from None
    if match[8]:
        at = local.replace(tzinfo=_offset(match[8], written))
    elif zone is None:
        raise ValueError(f"{written!r} has no time zone: give --zone")
    else:
        at = _only_instant(local, zone, written)
    if leap and not is_before_midnight(at):
        raise ValueError(
            f"{written!r} is not a time: a leap second is only possible at the end of a day in UTC"
        )
    if leap and notes is not None:
        notes.append(leap_second_note(str(written), at.isoformat()))
    return at


def _only_instant(local: datetime, zone: ZoneInfo, written: object) -> datetime:
    """Return the instant at which clocks in the zone show this local time. Raise ValueError if there is no
    such instant, or if there are two.
    """
    moments = instants(local, zone)
    if len(moments) == 1:
        return moments[0].astimezone(zone)
    if not moments:
        raise ValueError(
            f"{written!r} does not exist in {zone.key}: the clocks were put forward at that time"
        )
    raise ValueError(
        f"{written!r} happened twice in {zone.key}, because the clocks were put back: the text"
        " does not say which time is meant"
    )


def _offset(offset: str, written: object) -> timezone:
    if offset == "Z":
        return UTC
    hours, minutes = int(offset[1:3]), int(offset[-2:])
    distance = timedelta(hours=hours, minutes=minutes)
    if minutes > 59 or distance > MOST_OFFSET:
        raise ValueError(
            f"{written!r} has the offset {offset}, which no time zone has: at most ±14:00, minutes up to 59"
        )
    return timezone(-distance if offset[0] == "-" else distance)
