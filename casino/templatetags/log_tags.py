"""Template tags of the daily log and of recordings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from uuid import uuid4

from django import template

from audit.replay.video_address import stamp
from audit.review.log_rows import Entry
from casino.presentation.formatting import MINUS

register = template.Library()


@register.simple_tag
def new_uid() -> str:
    """Return a new uid for a form that is recorded at most once."""
    return str(uuid4())


@register.filter
def utc_stamp(at: datetime) -> str:
    """Return an instant in UTC for a script: `2026-11-28T04:04:10Z`."""
    return stamp(at)


@register.filter
def utc_exact(at: datetime) -> str:
    """Return an instant in UTC to the millisecond, for a script."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


@register.filter
def offset_seconds(at: datetime, zone: tzinfo) -> int:
    """Return how far the property's clock is ahead of UTC at an instant, in seconds."""
    return int((at.astimezone(zone).utcoffset() or timedelta()).total_seconds())


@register.filter
def happened_at(entry: Entry) -> datetime:
    """Return the time at which the event of an entry happened. If the entry does not give it, return the time
    at which the entry was written.
    """
    return entry.began or entry.at


@register.filter
def ahead_label(seconds: int) -> str:
    """Return the difference of a recorder's clock as text: `+3 s`, `−2 s`, or `in step`."""
    if not seconds:
        return "in step"
    return f"{'+' if seconds > 0 else MINUS}{abs(seconds)} s"
