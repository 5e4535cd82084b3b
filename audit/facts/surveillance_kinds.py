"""The kinds of fact of surveillance's daily log, of its cameras, and of recordings that are held."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from audit.facts.queue_kinds import OfDay, OfTable
from games.kit import fields as t
from games.kit.events import Event
from games.kit.fields import counts, identifier

Hash = Annotated[
    str, Meta(description="The SHA-256 of the words, in hexadecimal. The words themselves can be erased.")
]
FileHash = Annotated[
    str,
    Meta(description="The SHA-256 of the file, in hexadecimal, as the person who exported it computed it."),
]
About = Annotated[
    t.FactUid,
    Meta(description="The `uid` of the fact that this one is about, for example a slip or a count."),
]
Entry = Annotated[t.FactUid, Meta(description="The `uid` of an earlier entry of the log.")]
Hold = Annotated[t.FactUid, Meta(description="The `uid` of the `hold-ordered`.")]
Begins = Annotated[datetime, Meta(tz=True, description="When the piece begins, by the property's own clock.")]
Ends = Annotated[datetime, Meta(tz=True, description="When the piece ends, by the property's own clock.")]


class Clip(Struct, frozen=True, kw_only=True, gc=False, rename={"from_": "from"}):
    """A piece of video: the camera, and its beginning and end as written by the video recorder."""

    camera: t.Camera
    from_: Annotated[str, Meta(description="The time at which the clip begins, by the recorder.")]
    to: Annotated[str, Meta(description="The time at which the clip ends, by the recorder.")]


class StillOpen(Struct, frozen=True, kw_only=True, gc=False):
    """What was still open when a shift was handed over."""

    hands: Annotated[
        dict[str, Annotated[int, Meta(ge=0), counts("hands", "How many hands.", 3)]],
        Meta(
            description="How many hands of the queue wait, by the grade of their gravest finding, or by their"
            " state.",
            examples=[{"integrity": 1, "money": 12}],
        ),
    ] = {}
    cameras: Annotated[list[t.Camera], Meta(description="The cameras that are down.")] = []
    holds: Annotated[
        list[Hold], Meta(description="The `uid` of each recording that is to be secured before it is lost.")
    ] = []
    entries: Annotated[list[Entry], Meta(description="The `uid` of each entry that is still open.")] = []


class LogWritten(Event, frozen=True, kw_only=True, gc=False, tag="log-written"):
    """An entry is written in surveillance's log.

    Entries are numbered in the order in which they are recorded, without gaps. Nobody can change one: a
    correction is a new entry that names the old one.
    """

    about: Annotated[t.Words, Meta(description="What the entry is about.")]
    words_sha256: Hash
    by: t.Staff
    type: (
        Annotated[
            str,
            identifier(
                "The type of the entry, as the register `log-types` and its defaults name it.", "drop"
            ),
        ]
        | None
    ) = None
    began: Annotated[t.Instant, Meta(description="When it happened, if not when it was written.")] | None = (
        None
    )
    place: Annotated[t.Words, Meta(description="Where it happened, if not at a table.")] | None = None
    of_table: OfTable | None = None
    of_day: OfDay | None = None
    of: About | None = None
    camera: Annotated[t.Camera, Meta(description="The camera that the entry is about.")] | None = None
    video: Annotated[list[Clip], Meta(description="Where the recording is.")] = []
    disposition: Annotated[t.Words, Meta(description="What was done about it.")] | None = None
    pending: Annotated[
        bool, Meta(description="True if something is still to be done: a later entry closes this one.")
    ] = False
    corrects: Annotated[Entry, Meta(description="The `uid` of the entry that this one corrects.")] | None = (
        None
    )
    closes: Annotated[Entry, Meta(description="The `uid` of the entry that this one closes.")] | None = None
    still_open: Annotated[
        StillOpen | None, Meta(description="What is handed over, if the entry is a hand-over.")
    ] = None


class HandOverAccepted(Event, frozen=True, kw_only=True, gc=False, tag="hand-over-accepted"):
    """The next officer has read a hand-over and takes over."""

    entry: Annotated[Entry, Meta(description="The `uid` of the hand-over in the log.")]
    by: t.Staff


class CameraDown(Event, frozen=True, kw_only=True, gc=False, tag="camera-down"):
    """A camera gives no picture, or none that can be used."""

    camera: t.Camera
    reason: t.Reason
    by: t.Staff


class CameraUp(Event, frozen=True, kw_only=True, gc=False, tag="camera-up"):
    """A camera that was down gives a picture again."""

    camera: t.Camera
    reason: Annotated[t.Reason, Meta(description="What was repaired, in free words.")]
    by: t.Staff


class HoldOrdered(Event, frozen=True, kw_only=True, gc=False, tag="hold-ordered"):
    """A recording is to be held: the recorder must not overwrite this piece."""

    camera: t.Camera
    begins: Begins
    ends: Ends
    reason: t.Reason
    by: t.Staff
    of_table: OfTable | None = None
    of_day: OfDay | None = None
    of: About | None = None
    until: (
        Annotated[t.Day, Meta(description="The day until which it is held; null = until it is released.")]
        | None
    ) = None


class HoldSecured(Event, frozen=True, kw_only=True, gc=False, tag="hold-secured"):
    """A recording that is to be held is secured: it is locked on the recorder, or copied."""

    hold: Hold
    where: Annotated[t.Words, Meta(description="Where it is: a lock of the recorder, or a copy.")]
    by: t.Staff
    sha256: FileHash | None = None


class HoldReleased(Event, frozen=True, kw_only=True, gc=False, tag="hold-released"):
    """A recording need not be held any longer."""

    hold: Hold
    reason: t.Reason
    by: t.Staff


class ClipExported(Event, frozen=True, kw_only=True, gc=False, tag="clip-exported"):
    """A piece of a recording was exported from the recorder, and was given to somebody or stored."""

    camera: t.Camera
    begins: Begins
    ends: Ends
    where: Annotated[t.Words, Meta(description="To whom it was given, or where it is stored.")]
    by: t.Staff
    of_table: OfTable | None = None
    of_day: OfDay | None = None
    of: About | None = None
    sha256: FileHash | None = None


OF_THE_LOG: tuple[type[Event], ...] = (
    HandOverAccepted,
    CameraDown,
    CameraUp,
    HoldOrdered,
    HoldSecured,
    HoldReleased,
    ClipExported,
)
"""The kinds of the daily log and of recordings, without `log-written`."""
