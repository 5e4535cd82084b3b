"""Cameras: the video of a hand, the addresses of the video at the recorder, and the day on which the recorder
overwrites it.

In the register `cameras`, the key is the camera's id. The value has the tables that the camera shows. It may
also have the addresses of the recorder, the number of seconds by which the recorder's clock is ahead of the
property's clock, and the number of days after which the recorder overwrites a video.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, NamedTuple

from audit.replay import video_address
from audit.replay.video_address import Piece, clock_ahead, recorder_time
from audit.review.hands import Played
from casino.reference import calendar, standing
from casino.reference.registers import values_on


class Camera(NamedTuple):
    """A camera with its entry in the register on one gaming day."""

    id: str
    value: Mapping[str, Any]

    @property
    def ahead(self) -> int:
        """Return the number of seconds by which the recorder's clock is ahead of the property's clock."""
        return clock_ahead(self.value)

    @property
    def overwrite_days(self) -> int | None:
        """Return after how many days the recorder overwrites a video, or None if the register does not say
        it.
        """
        days = self.value.get("overwrite_days")
        return days if isinstance(days, int) and not isinstance(days, bool) and days > 0 else None

    def address(self, name: str, piece: Piece, zone: tzinfo) -> str:
        """Return the address of a piece of video, made from the camera's template `link` or `stream`. Return
        an empty text if the register has no valid template.
        """
        template = self.template(name)
        return video_address.fill(template, piece, self.ahead, zone) if template else ""

    def template(self, name: str) -> str:
        """Return the camera's template `link` or `stream` for addresses of videos; empty text if the register
        has no valid template.
        """
        template = self.value.get(name)
        if not isinstance(template, str):
            return ""
        try:
            video_address.check(template)
        except ValueError:
            return ""
        return template

    def overwritten_at(self, ends: datetime) -> datetime | None:
        """Return when the recorder overwrites a video that ends at `ends`, or None if that is not known."""
        days = self.overwrite_days
        return None if days is None else ends + timedelta(days=days)


def cameras_on(property: str, day: date) -> dict[str, Camera]:
    """Return the cameras in the register on a gaming day, by id."""
    return {
        key: Camera(key, value)
        for key, value in values_on(property, "cameras", day).items()
        if isinstance(value, dict)
    }


def cameras_of(property: str, table: str, day: date) -> list[Camera]:
    """Return the cameras that show a table on a gaming day."""
    return [
        camera for camera in cameras_on(property, day).values() if table in camera.value.get("tables", ())
    ]


def stream_origins(properties: list[str]) -> list[str]:
    """Return the web origins from which recordings of these properties are played. They are the origins of
    all `stream` addresses in the registers, on any day.
    """
    rows = standing.of_register(properties, "cameras")
    cameras = (Camera(row.key, row.value) for row in rows if isinstance(row.value, dict))
    templates = {template for camera in cameras if (template := camera.template("stream"))}
    return sorted({video_address.origin(template) for template in templates})


MARGIN = timedelta(seconds=30)
"""How much of the recording is shown before and after a fact that does not belong to a hand."""


def times_of(hand: Played) -> tuple[datetime, datetime]:
    """Return the times of a hand's first and last fact. A fact that does not belong to a hand has only one
    time: return the times MARGIN before and MARGIN after it.
    """
    times = [recorded.fact.at for recorded in hand.facts]
    return (min(times), max(times)) if hand.name else (times[0] - MARGIN, times[0] + MARGIN)


def pieces_of(hand: Played) -> list[tuple[Camera, Piece]]:
    """Return the cameras of a hand, each with the piece of its video that shows the hand from its first to
    its last fact.
    """
    _, table, day = hand.stream.split("/")
    begins, ends = times_of(hand)
    return [
        (camera, Piece(camera.id, begins, ends))
        for camera in cameras_of(hand.property, table, date.fromisoformat(day))
    ]


def video_of(hand: Played) -> list[dict[str, str]]:
    """Return the camera, begin and end of each camera's video of a hand, as verdicts record them. The times
    are those of the recorder's clock. The list is empty if no camera is registered for the table.
    """
    return [clip(camera, piece) for camera, piece in pieces_of(hand)]


def clip(camera: Camera, piece: Piece) -> dict[str, str]:
    """Return the camera, begin and end of a piece of video, as facts record them. The times are those of the
    recorder's clock.
    """
    begins, ends = (_shown(at, camera.ahead) for at in (piece.begins, piece.ends))
    return {"camera": camera.id, "from": begins, "to": ends}


def _shown(at: datetime, lead: int) -> str:
    return (recorder_time(at, lead) if lead else at).isoformat(timespec="seconds")


def zone_of(property: str, at: datetime) -> tzinfo:
    """Return the property's time zone at an instant."""
    return calendar.zone(property, calendar.gaming_day(property, at))
