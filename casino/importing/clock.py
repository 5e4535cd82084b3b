"""A vendor's clock: local times become instants, or are refused. Nothing is guessed."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from audit.clock import instants

_WRITTEN = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:[:.,](\d{1,6}))?\s*(Z|[+-]\d\d:?\d\d)?",
    re.ASCII,
)


def zone_named(name: str) -> ZoneInfo:
    """The zone of an IANA name (`Europe/Vienna`). Raises ValueError with a sentence."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(f"{name!r} is no zone of the IANA list, such as Europe/Vienna or UTC") from None


def instant(written: object, zone: ZoneInfo | None) -> datetime:
    """The instant of `2030-01-05 22:00:04:500`, in `zone` or by its own offset; milliseconds may follow `:` or `.`.

    Raises ValueError with a sentence where it cannot be read, has no zone, or is none or two instants of a clock change.
    """
    found = _WRITTEN.fullmatch(written.strip()) if isinstance(written, str) else None
    if found is None:
        raise ValueError(f"{written!r} is no time such as 2030-01-05 22:00:04:500")
    fraction = int((found[7] or "0").ljust(6, "0"))
    try:
        year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
        local = datetime(year, month, day, hour, minute, second, fraction)  # noqa: DTZ001 - its zone follows
    except ValueError as error:
        raise ValueError(f"{written!r} is no time: {error}") from None
    if found[8]:
        return local.replace(tzinfo=_offset(found[8]))
    if zone is None:
        raise ValueError(f"{written!r} has no zone: give --zone")
    return _once(local, zone, written)


def _once(local: datetime, zone: ZoneInfo, written: object) -> datetime:
    """The one instant at which the zone's clock shows this."""
    found = instants(local, zone)
    if len(found) == 1:
        return found[0].astimezone(zone)
    if not found:
        raise ValueError(f"{written!r} does not exist in {zone.key}: the clock was put forward over it")
    raise ValueError(f"{written!r} came twice in {zone.key}, when the clock was put back: which one is not said")


def _offset(written: str) -> timezone:
    if written == "Z":
        return UTC
    sign = -1 if written[0] == "-" else 1
    return timezone(sign * timedelta(hours=int(written[1:3]), minutes=int(written[-2:])))
