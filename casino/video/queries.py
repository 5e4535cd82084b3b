"""Read the recordings that are held, with the time at which the recorder overwrites each of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from audit.review import log_queries
from audit.review.log_rows import ORDERED, RELEASED, SECURED, Entry, Export, Hold
from casino.reference import calendar
from casino.reference.cameras import Camera, cameras_on
from casino.web.request_params import hand_url

STATES = {ORDERED: "To be secured", SECURED: "Secured", RELEASED: "Released"}
LOST = "Overwritten"
DUE = "Until day reached"


class HoldRow(NamedTuple):
    """A hold of a recording.

    Attributes:
        overwritten_at: the time at which the recorder overwrites this recording, or None if the registers do
            not contain it.
    """

    hold: Hold
    overwritten_at: datetime | None
    now: datetime
    today: date
    address: str
    """The URL of the hand or fact, or empty text."""

    @property
    def is_lost(self) -> bool:
        """Return True if the recorder has overwritten a recording that nobody secured."""
        return (
            self.hold.state == ORDERED and self.overwritten_at is not None and self.overwritten_at <= self.now
        )

    @property
    def is_over(self) -> bool:
        """Return True if the time of the hold is over, but nobody has released the recording."""
        return self.hold.state != RELEASED and self.hold.until is not None and self.hold.until <= self.today

    @property
    def title(self) -> str:
        """Return the label of the state."""
        return LOST if self.is_lost else DUE if self.is_over else STATES[self.hold.state]

    @property
    def tone(self) -> str:
        """Return the style of the state's label: `alarm`, `warn`, `good` or `muted`."""
        if self.is_lost:
            return "alarm"
        if self.hold.state == ORDERED:
            days = None if self.overwritten_at is None else (self.overwritten_at - self.now).days
            return "alarm" if days is not None and days < 1 else "warn"
        return "warn" if self.is_over else "good" if self.hold.state == SECURED else "muted"


def rows_of(property: str, holds: Sequence[Hold], instant: datetime) -> list[HoldRow]:
    """Return the holds with the time at which the recorder overwrites each recording, according to the
    register of that gaming day.
    """
    days = {hold.ends.date(): calendar.gaming_day(property, hold.ends) for hold in holds}
    cameras: dict[date, dict[str, Camera]] = {day: cameras_on(property, day) for day in {*days.values()}}
    places = log_queries.places_of(property, [hold.of for hold in holds if hold.of])
    today = calendar.gaming_day(property, instant)
    rows = []
    for hold in holds:
        camera = cameras[days[hold.ends.date()]].get(hold.camera)
        overwritten = camera.overwritten_at(hold.ends) if camera is not None else None
        rows.append(HoldRow(hold, overwritten, instant, today, address_of(hold, places)))
    return rows


def address_of(row: Entry | Hold | Export, places: dict[str, tuple[str, int]]) -> str:
    """Return the URL of the hand or fact that a row is about, or empty text.

    Args:
        places: {uid: (stream, number)} of the facts that rows are about.
    """
    if row.of_table and row.of_day and row.round is not None:
        return hand_url(f"{row.of_table}/{row.of_day.isoformat()}", row.round)
    if row.of in places:
        stream, number = places[row.of]
        return hand_url(stream, f"#{number}")
    return ""


def due_first(row: HoldRow) -> tuple[bool, datetime, int]:
    """Return the sort key of a hold. Recordings that are overwritten soonest come first. Recordings without a
    known time come last.
    """
    at = row.overwritten_at
    return (at is None, at or row.hold.ends, row.hold.position)


def to_secure(property: str, instant: datetime) -> list[HoldRow]:
    """Return the recordings that must still be secured. Recordings that are overwritten soonest
    come first.
    """
    return sorted(rows_of(property, log_queries.holds(property, [ORDERED]), instant), key=due_first)


def listed(property: str, state: str, instant: datetime) -> list[HoldRow]:
    """Return the holds in one state, sorted for a page. Among recordings that must be secured, those that are
    overwritten soonest come first. Among secured recordings, those whose hold ends soonest come first. Among
    released recordings, those released last come first.
    """
    if state == ORDERED:
        return to_secure(property, instant)
    if state == SECURED:
        rows = rows_of(property, log_queries.holds(property, [SECURED]), instant)
        return sorted(rows, key=lambda row: (not row.is_over, row.hold.until or date.max, row.hold.position))
    return rows_of(property, log_queries.released(property), instant)


def of_hand(property: str, stream: str, name: str, instant: datetime) -> tuple[list[HoldRow], list[Export]]:
    """Return the holds of a hand's recordings, and the recordings that were exported."""
    holds = log_queries.holds_of_hand(property, stream, name)
    return rows_of(property, holds, instant), log_queries.exports_of_hand(property, stream, name)


def of_fact(property: str, uid: str, instant: datetime) -> tuple[list[HoldRow], list[Export]]:
    """Return the holds and the exports of the recordings of one fact. The fact does not belong to a hand."""
    return rows_of(property, log_queries.holds_of_fact(property, uid), instant), log_queries.exports_of_fact(
        property, uid
    )
