"""Build the addresses of pieces of video from templates of the register `cameras`. A template has
placeholders for the times of the piece. Pure. The times are times of the recorder's clock, which may be ahead
of the property's clock.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

PLACES = {
    "camera": "the camera's id",
    "start": "the beginning in UTC, `2026-11-28T04:04:10Z`",
    "end": "the end in UTC",
    "start_local": "the beginning in the property's local time, `2026-11-27T20:04:10`",
    "end_local": "the end in the property's local time",
    "start_unix": "the beginning in seconds since 1970",
    "end_unix": "the end in seconds since 1970",
    "start_ms": "the beginning in milliseconds since 1970",
    "end_ms": "the end in milliseconds since 1970",
    "seconds": "how long the piece is, in seconds",
}
"""The placeholders that a template may have, with the meaning of each."""
SCHEMES = ("https", "http")
_PLACE = re.compile(r"\{([^{}]*)\}")
_UNSAFE = re.compile(r"[\s\"'<>;,\\^`|\x00-\x20\x7f-\uffff]")
"""Characters that an address must not contain, or that would end a source in a content security policy."""
_MILLISECOND = timedelta(milliseconds=1)


class Piece(NamedTuple):
    """A piece of video of a camera, by the property's own clock."""

    camera: str
    begins: datetime
    ends: datetime


def check(template: str) -> None:
    """Raise ValueError if the template cannot give a valid address."""
    for place in _PLACE.findall(template):
        if place not in PLACES:
            raise ValueError(
                f"unknown placeholder {{{place[:40]}}}; the placeholders are {', '.join(PLACES)}"
            )
    bare = _PLACE.sub("x", template)
    if "{" in bare or "}" in bare or _UNSAFE.search(bare):
        raise ValueError(
            "an address must not contain spaces, quotes, commas, semicolons, or a { or } without its partner"
        )
    try:
        host = urlsplit(template).netloc
        urlsplit(bare).port  # noqa: B018 - reading it raises ValueError for a port that is no number
    except ValueError as error:
        raise ValueError(f"it is not an address: {error}") from None
    if urlsplit(bare).scheme not in SCHEMES or not host or "{" in host or "@" in host or "*" in host:
        raise ValueError(
            "it must begin with https:// or http:// and the name of the recorder, without a placeholder"
        )


def origin(template: str) -> str:
    """Return the scheme and host of a valid address template, as a source of a content security policy."""
    parts = urlsplit(template)
    return f"{parts.scheme}://{parts.netloc}"


def fill(template: str, piece: Piece, lead: int, zone: tzinfo) -> str:
    """Return the address of a piece of video.

    Args:
        template: a valid template.
        piece: the piece, by the property's own clock.
        lead: the seconds by which the recorder's clock is ahead.
        zone: the time zone of the property.
    """
    begins, ends = (recorder_time(at, lead) for at in whole_seconds(piece)[1:])
    values = {
        "camera": piece.camera,
        "start": stamp(begins),
        "end": stamp(ends),
        "start_local": _local(begins, zone),
        "end_local": _local(ends, zone),
        "start_unix": str(_milliseconds(begins) // 1000),
        "end_unix": str(_milliseconds(ends) // 1000),
        "start_ms": str(_milliseconds(begins)),
        "end_ms": str(_milliseconds(ends)),
        "seconds": str(max(0, (_milliseconds(ends) - _milliseconds(begins)) // 1000)),
    }
    return _PLACE.sub(lambda place: quote(values.get(place[1], ""), safe=":"), template)


def whole_seconds(piece: Piece) -> Piece:
    """Return a piece of video in whole seconds: its beginning is rounded down, and its end is rounded up."""
    rounding = timedelta(seconds=1 if piece.ends.microsecond else 0)
    begins, ends = (at.astimezone(UTC).replace(microsecond=0) for at in (piece.begins, piece.ends))
    return piece._replace(begins=begins, ends=ends + rounding)


def recorder_time(at: datetime, lead: int) -> datetime:
    """Return the time that the recorder's clock shows at an instant."""
    return at.astimezone(UTC) + timedelta(seconds=lead)


def clock_ahead(value: Mapping[str, Any]) -> int:
    """Return the seconds by which the clock of a camera's recorder is ahead, or 0 if the camera's entry has
    no `clock_ahead`.
    """
    lead = value.get("clock_ahead")
    return lead if isinstance(lead, int) and not isinstance(lead, bool) else 0


def stamp(at: datetime) -> str:
    """Return an instant in UTC to the second: `2026-11-28T04:04:10Z`."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _local(at: datetime, zone: tzinfo) -> str:
    return f"{at.astimezone(zone):%Y-%m-%dT%H:%M:%S}"


def _milliseconds(at: datetime) -> int:
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // _MILLISECOND
