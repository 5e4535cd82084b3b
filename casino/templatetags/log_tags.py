"""Template tags of the daily log and of recordings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from uuid import uuid4

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

from audit.replay.video_address import stamp
from audit.review.hands import Recorded
from audit.review.log_rows import Entry
from casino.presentation.formatting import MINUS, exact_clock
from casino.video.hand import Recordings

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


@register.simple_tag
def fact_time(recordings: Recordings | None, recorded: Recorded, zone: tzinfo) -> SafeString:
    """Return the clock time of a fact as HTML, with a link to its recording if the user may see one. This is
    not a template, because a long hand has hundreds of facts and a template would take too long.
    """
    at, clock = recorded.fact.at, exact_clock(recorded.fact.at, zone)
    if recordings is not None and (shown := recordings.linked) is not None:
        address, opens = reverse("open_video"), SafeString(' target="_blank" rel="noopener"')
    elif recordings is not None and (shown := recordings.playable) is not None:
        address, opens = reverse("play_video"), SafeString("")
    else:
        return conditional_escape(clock)
    return format_html(
        '<a href="{}?{}&amp;at={}"{} data-fact-at="{}">{}<span class="unseen"> on video</span></a>',
        *(address, shown.query, recorded.number, opens, utc_exact(at), clock),
    )


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
    """Return the difference of a recorder's clock as text: `+3 s`, `−2 s`, or `no difference`."""
    if not seconds:
        return "no difference"
    return f"{'+' if seconds > 0 else MINUS}{abs(seconds)} s"
