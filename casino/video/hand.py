"""The recordings of a hand: its cameras with their addresses, its holds and its exports."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.http import urlencode

from audit.replay.video_address import Piece, stamp
from audit.review.hands import Played
from audit.review.log_rows import ORDERED, RELEASED, Export
from casino.accounts.permissions import can
from casino.reference.cameras import Camera, clip, pieces_of, zone_of
from casino.video import queries
from casino.video.forms import ExportForm, HoldForm
from casino.video.queries import HoldRow
from casino.web import request_params
from casino.web.request_params import encode_hand, hand_url


class Recording(NamedTuple):
    """The video of one camera between two times, by the property's clock."""

    camera: Camera
    piece: Piece
    query: str = ""
    """The query string of the URLs that open or play the recording."""

    @property
    def has_link(self) -> bool:
        """Return True if the register has an address at which the recorder can show this recording."""
        return bool(self.camera.template("link"))

    @property
    def has_stream(self) -> bool:
        """Return True if the register has an address from which the page can play this recording."""
        return bool(self.camera.template("stream"))

    @property
    def clip(self) -> dict[str, str]:
        """Return the camera, the beginning and the end of the recording, by the recorder's clock."""
        return clip(self.camera, self.piece)

    @property
    def overwritten_at(self) -> datetime | None:
        """Return the time at which the recorder overwrites this recording, or None if it is not known."""
        return self.camera.overwritten_at(self.piece.ends)


class Recordings(NamedTuple):
    """The recordings of a hand, and what a user may do with them."""

    each: list[Recording]
    holds: list[HoldRow]
    exports: list[Export]
    may_hold: bool
    now: datetime

    @property
    def linked(self) -> Recording | None:
        """Return the first recording that the recorder can show, or None."""
        return next((recording for recording in self.each if recording.has_link), None)

    @property
    def playable(self) -> Recording | None:
        """Return the first recording that can be played on the page, or None."""
        return next((recording for recording in self.each if recording.has_stream), None)

    @property
    def held(self) -> bool:
        """Return True if a recording of the hand is held and not released."""
        return any(row.hold.state != RELEASED for row in self.holds)

    @property
    def waits(self) -> bool:
        """Return True if a recording of the hand must be held and is not secured yet."""
        return any(row.hold.state == ORDERED for row in self.holds)


def recordings(
    person: Any, played: Played, name: str, pieces: Iterable[tuple[Camera, Piece]] | None = None
) -> Recordings | None:
    """Return the recordings of a hand, or None if the person may not see recordings.

    Args:
        name: the name of the hand. For a fact that does not belong to a hand, it is `#` and the fact's
            number.
        pieces: each camera and the times of its recording, if they have been read already.
    """
    if not can(person, "see-video", played.property):
        return None
    instant = timezone.now()
    is_hand = name[:1] != "#"
    holds, exports = (
        queries.of_hand(played.property, played.stream, name, instant)
        if is_hand
        else queries.of_fact(played.property, played.facts[0].fact.uid, instant)
    )
    parameters = {"stream": played.stream, "hand": encode_hand(name)}
    items = [
        Recording(camera, piece, urlencode(parameters | {"camera": camera.id}))
        for camera, piece in (pieces_of(played) if pieces is None else pieces)
    ]
    return Recordings(items, holds, exports, can(person, "hold-video", played.property), instant)


def part_of(person: Any, played: Played, name: str) -> dict[str, Any]:
    """Return the template context for the section "recordings" of a hand's page."""
    return {
        "played": played,
        "name": name,
        "in_forms": encode_hand(name),
        "recordings": recordings(person, played, name),
        "zone": request_params.zone(played.property),
        "hold_form": HoldForm(),
        "export_form": ExportForm(),
        "back": hand_url(played.stream, name),
    }


def recording_of(played: Played, camera: str, at: int | None = None) -> Recording | None:
    """Return the recording of one camera, or None if the camera does not show the table.

    Args:
        at: the number of the fact at which the recording begins, or None for the whole hand.
    """
    camera_piece = next((pair for pair in pieces_of(played) if pair[0].id == camera), None)
    if camera_piece is None:
        return None
    piece = camera_piece[1]
    begins = next((recorded.fact.at for recorded in played.facts if recorded.number == at), piece.begins)
    return Recording(camera_piece[0], piece._replace(begins=begins, ends=max(begins, piece.ends)))


def address(property: str, recording: Recording, name: str) -> str:
    """Return the address of a recording by the template `link` or `stream`, or empty text."""
    zone = zone_of(property, recording.piece.begins)
    return recording.camera.address(name, recording.piece, zone)


def label(recording: Recording, subject: str) -> str:
    """Return the text with which the viewing log names a viewed recording."""
    piece = recording.piece
    return f"Video of {piece.camera}, {stamp(piece.begins)} to {stamp(piece.ends)}, {subject}"
