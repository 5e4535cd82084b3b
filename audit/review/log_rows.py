"""Compute the rows of the daily log, of cameras that are down, and of recordings that are held, from their
facts.

The same code computes the rows for the database tables and for the comparison with replay. For the tables,
earlier rows are read from the database. For the comparison, all facts are read from the first one. A fact
changes nothing if it does not fit the rows: it closes an entry a second time, releases an unknown hold, or
reports a camera as up that was not down.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, NamedTuple, Protocol

from msgspec import json

from audit import facts as f
from audit.facts.vocabulary import HAND_OVER
from games.kit.events import Event

OTHER = "other"
"""The type of a log entry whose fact does not name a type."""
ORDERED, SECURED, RELEASED = "ordered", "secured", "released"


class Entry(NamedTuple):
    """An entry of the daily log. `number` counts the property's entries without gaps."""

    number: int
    position: int
    uid: str
    day: date
    at: datetime
    began: datetime | None
    type: str
    about: str
    place: str
    of_table: str
    of_day: date | None
    round: str | None
    of: str
    camera: str
    video: str
    """The pieces of video, as JSON."""
    disposition: str
    pending: bool
    waits: bool
    corrects: int | None
    corrected_by: int | None
    closes: int | None
    closed_by: int | None
    still_open: str | None
    """The open matters that a hand-over lists, as JSON."""
    accepted_by: str
    accepted_at: datetime | None
    words_sha256: str
    by: str

    @property
    def key(self) -> int:
        """Return the key of the row within its property."""
        return self.number


class Outage(NamedTuple):
    """The time for which a camera is down. The camera is still down if `ended_position` is None."""

    position: int
    camera: str
    at: datetime
    reason: str
    by: str
    ended_position: int | None
    ended_at: datetime | None
    repair: str
    ended_by: str

    @property
    def key(self) -> int:
        """Return the key of the row within its property."""
        return self.position


class Hold(NamedTuple):
    """A recording that is to be held, is secured, or is released."""

    position: int
    uid: str
    camera: str
    begins: datetime
    ends: datetime
    of_table: str
    of_day: date | None
    round: str | None
    of: str
    reason: str
    until: date | None
    by: str
    at: datetime
    state: str = ORDERED
    secured_at: datetime | None = None
    secured_by: str = ""
    where: str = ""
    sha256: str = ""
    released_at: datetime | None = None
    released_by: str = ""
    release_reason: str = ""

    @property
    def key(self) -> int:
        """Return the key of the row within its property."""
        return self.position


class Export(NamedTuple):
    """A piece of a recording that was exported."""

    position: int
    camera: str
    begins: datetime
    ends: datetime
    of_table: str
    of_day: date | None
    round: str | None
    of: str
    where: str
    sha256: str
    by: str
    at: datetime

    @property
    def key(self) -> int:
        """Return the key of the row within its property."""
        return self.position


Row = Entry | Outage | Hold | Export
TABLES: dict[type[Any], str] = {
    Entry: "log_entry",
    Outage: "camera_outage",
    Hold: "video_hold",
    Export: "clip_export",
}
"""The database table of each class of row."""


class Stored(Protocol):
    """The methods that find rows which were computed from earlier facts."""

    def entry(self, uid: str) -> Entry | None:
        """Return the entry whose fact has this uid."""

    def outage(self, camera: str) -> Outage | None:
        """Return the outage of a camera that is not over."""

    def hold(self, uid: str) -> Hold | None:
        """Return the hold that was ordered by the fact with this uid."""


class Nothing:
    """Finds no earlier rows. Used if facts are read from the first one."""

    def entry(self, uid: str) -> Entry | None:
        """Return None: no entry is found."""
        return None

    def outage(self, camera: str) -> Outage | None:
        """Return None: no outage is found."""
        return None

    def hold(self, uid: str) -> Hold | None:
        """Return None: no hold is found."""
        return None


class LogRows:
    """Computes the rows of the daily log from facts, in memory. `changed`: every row that these facts created
    or changed.
    """

    def __init__(self, stored: Stored, entries: int = 0) -> None:
        """Prepare to read facts.

        Args:
            entries: the number of entries that the log already has.
        """
        self.stored, self.entries = stored, entries
        self.changed: dict[tuple[type[Any], int], Row] = {}
        self._entries: dict[str, Entry] = {}
        self._outages: dict[str, Outage | None] = {}
        self._holds: dict[str, Hold] = {}

    def take(self, position: int, event: Event) -> None:
        """Read one fact of the property, in the order of commit."""
        match event:
            case f.LogWritten():
                self._write(position, event)
            case f.HandOverAccepted():
                self._accept(event)
            case f.CameraDown():
                if self._outage(event.camera) is None:
                    outage = (event.camera, utc(event.at), event.reason, event.by)
                    self._put_outage(Outage(position, *outage, None, None, "", ""))
            case f.CameraUp():
                if (down := self._outage(event.camera)) is not None:
                    ended = down._replace(
                        ended_position=position,
                        ended_at=utc(event.at),
                        repair=event.reason,
                        ended_by=event.by,
                    )
                    self._put_outage(ended)
            case f.HoldOrdered():
                self._put_hold(_hold(position, event))
            case f.HoldSecured() | f.HoldReleased():
                self._change_hold(event)
            case f.ClipExported():
                self._put(_export(position, event))

    def _write(self, position: int, event: f.LogWritten) -> None:
        self.entries += 1
        corrected = self._entry(event.corrects or "")
        closed = self._entry(event.closes or "")
        if corrected is not None and corrected.corrected_by is None:
            self._put_entry(corrected._replace(corrected_by=self.entries, waits=False))
        if closed is not None and closed.closed_by is None:
            current = self._entry(closed.uid) or closed
            self._put_entry(current._replace(closed_by=self.entries, waits=False))
        self._put_entry(
            _entry(
                self.entries,
                position,
                event,
                corrected.number if corrected is not None else None,
                closed.number if closed is not None else None,
            )
        )

    def _accept(self, event: f.HandOverAccepted) -> None:
        entry = self._entry(event.entry)
        if entry is not None and entry.type == HAND_OVER and not entry.accepted_by:
            at = utc(event.at)
            self._put_entry(entry._replace(waits=False, accepted_by=event.by, accepted_at=at))

    def _change_hold(self, event: f.HoldSecured | f.HoldReleased) -> None:
        hold = self._hold(event.hold)
        if hold is None or hold.state == RELEASED:
            return
        if isinstance(event, f.HoldReleased):
            released = hold._replace(
                state=RELEASED,
                released_at=utc(event.at),
                released_by=event.by,
                release_reason=event.reason,
            )
            self._put_hold(released)
        elif hold.state == ORDERED:
            secured = hold._replace(
                state=SECURED,
                secured_at=utc(event.at),
                secured_by=event.by,
                where=event.where,
                sha256=event.sha256 or "",
            )
            self._put_hold(secured)

    def _entry(self, uid: str) -> Entry | None:
        uid = one_form(uid)
        return self._entries.get(uid) or (self.stored.entry(uid) if uid else None)

    def _hold(self, uid: str) -> Hold | None:
        uid = one_form(uid)
        return self._holds.get(uid) or (self.stored.hold(uid) if uid else None)

    def _outage(self, camera: str) -> Outage | None:
        return self._outages[camera] if camera in self._outages else self.stored.outage(camera)

    def _put(self, row: Row) -> None:
        self.changed[type(row), row.key] = row

    def _put_entry(self, row: Entry) -> None:
        self._entries[row.uid] = row
        self._put(row)

    def _put_hold(self, row: Hold) -> None:
        self._holds[row.uid] = row
        self._put(row)

    def _put_outage(self, row: Outage) -> None:
        self._outages[row.camera] = row if row.ended_position is None else None
        self._put(row)


def _entry(
    number: int, position: int, event: f.LogWritten, corrects: int | None, closes: int | None
) -> Entry:
    kind = event.type or OTHER
    return Entry(
        number=number,
        position=position,
        uid=one_form(event.uid),
        day=event.day,
        at=utc(event.at),
        began=utc(event.began) if event.began is not None else None,
        type=kind,
        about=event.about,
        place=event.place or "",
        of_table=event.of_table or "",
        of_day=event.of_day,
        round=event.round,
        of=one_form(event.of or ""),
        camera=event.camera or "",
        video=json.encode(event.video).decode(),
        disposition=event.disposition or "",
        pending=event.pending,
        waits=event.pending or kind == HAND_OVER,
        corrects=corrects,
        corrected_by=None,
        closes=closes,
        closed_by=None,
        still_open=None if event.still_open is None else json.encode(event.still_open).decode(),
        accepted_by="",
        accepted_at=None,
        words_sha256=event.words_sha256,
        by=event.by,
    )


def _hold(position: int, event: f.HoldOrdered) -> Hold:
    return Hold(
        position=position,
        uid=one_form(event.uid),
        camera=event.camera,
        begins=utc(event.begins),
        ends=utc(event.ends),
        of_table=event.of_table or "",
        of_day=event.of_day,
        round=event.round,
        of=one_form(event.of or ""),
        reason=event.reason,
        until=event.until,
        by=event.by,
        at=utc(event.at),
    )


def _export(position: int, event: f.ClipExported) -> Export:
    return Export(
        position=position,
        camera=event.camera,
        begins=utc(event.begins),
        ends=utc(event.ends),
        of_table=event.of_table or "",
        of_day=event.of_day,
        round=event.round,
        of=one_form(event.of or ""),
        where=event.where,
        sha256=event.sha256 or "",
        by=event.by,
        at=utc(event.at),
    )


def utc(at: datetime) -> datetime:
    """Return an instant in UTC, because the database does not accept every UTC offset of a sender."""
    return at.astimezone(UTC)


def one_form(uid: str) -> str:
    """Return a uid in lower case, because senders may use upper or lower case for its hexadecimal digits."""
    return uid.lower()
