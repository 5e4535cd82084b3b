"""Write the daily log of surveillance: entries, corrections, the hand-over of a shift, and cameras that are
down. Each of these is recorded as a fact. A fact never changes, so a correction is a fact of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import NAMESPACE_OID, uuid5

from audit.facts.vocabulary import HAND_OVER
from audit.review import log_projection, log_queries
from audit.review.log_rows import ORDERED, Entry
from casino.accounts.permissions import require
from casino.daily_log import types
from casino.daily_log.subjects import Subject
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from casino.reference.cameras import cameras_on
from casino.web.free_words import keep_words
from casino.web.property_turn import in_turn
from casino.web.recording import property_fact, record, reject_resubmission

WORDS = 4_000
"""Maximum length of the text of an entry, in characters."""
SHORT = 200
"""Maximum length of a place, a disposition and a reason, in characters."""
MALFUNCTION = "malfunction"


class Words(NamedTuple):
    """The text and fields of an entry as an officer typed them.

    Attributes:
        began: the time at which it happened, or None for now.
        pending: True if something must still be done.
    """

    type: str
    words: str
    place: str = ""
    disposition: str = ""
    began: datetime | None = None
    pending: bool = False
    corrects: int | None = None
    closes: int | None = None
    video: Sequence[dict[str, str]] = ()


def write_entry(by: Person, subject: Subject, written: Words, uid: str) -> int:
    """Write an entry of the log, and return its number. Raise ActionRejected or PermissionDenied."""
    property = subject.of_property
    require(by, "write-log", property)
    reject_resubmission(property, uid)
    _check(property, written)
    if written.type == HAND_OVER:
        raise ActionRejected(
            "A shift is handed over on its own page, which lists what is still open.", "type"
        )
    with in_turn(property):
        log_projection.follow(property)
        fields = {
            "uid": uid,
            "about": subject.label or written.place.strip() or types.title_of(property, written.type),
            "words_sha256": keep_words(property, by, written.words.strip()),
            "type": written.type,
            "place": written.place.strip() or None,
            "disposition": written.disposition.strip() or None,
            "began": written.began.isoformat(timespec="seconds") if written.began else None,
            "video": [*written.video] or None,
            "pending": written.pending or None,
            **subject.fields,
            **_earlier(property, written),
        }
        return _record(by, property, fields)


def hand_over(by: Person, property: str, words: str, uid: str) -> int:
    """Write the entry with which the shift is handed over. It lists the open tasks of surveillance. Return
    the number of the entry. Raise ActionRejected or PermissionDenied.
    """
    require(by, "write-log", property)
    reject_resubmission(property, uid)
    _check(property, Words(HAND_OVER, words))
    with in_turn(property):
        log_projection.follow(property)
        fields = {
            "uid": uid,
            "about": types.title_of(property, HAND_OVER),
            "words_sha256": keep_words(property, by, words.strip()),
            "type": HAND_OVER,
            "still_open": still_open(property),
        }
        return _record(by, property, fields)


def still_open(property: str) -> dict[str, Any]:
    """Return the fields of a hand-over that list the open tasks: hands that need a verdict, cameras that are
    down, recordings that must still be secured, and entries that must still be closed.
    """
    return {
        "hands": log_queries.hands_waiting(property),
        "cameras": [outage.camera for outage in log_queries.outages(property)],
        "holds": [hold.uid for hold in log_queries.holds(property, [ORDERED])],
        "entries": [entry.uid for entry in log_queries.waiting(property) if entry.type != HAND_OVER],
    }


def accept(by: Person, property: str, number: int, uid: str) -> None:
    """Take over the shift that a hand-over describes. Raise ActionRejected or PermissionDenied."""
    require(by, "write-log", property)
    reject_resubmission(property, uid)
    with in_turn(property):
        log_projection.follow(property)
        entry = _known(property, number, "entry")
        if entry.type != HAND_OVER:
            raise ActionRejected(
                f"Entry {number} is not a hand-over and cannot be accepted. Choose a hand-over."
            )
        if entry.accepted_by:
            raise ActionRejected(f"{entry.accepted_by} has already accepted this hand-over.")
        if entry.by == by.id:
            raise ActionRejected("You handed over this shift yourself. The next officer must accept it.")
        record(by, property, [property_fact("hand-over-accepted", by, property, uid=uid, entry=entry.uid)])
        log_projection.follow(property)


def report_camera(by: Person, property: str, camera: str, *, is_up: bool, reason: str, uid: str) -> int:
    """Record that a camera is down, or up again, with an entry in the log. Return the number of the entry.
    Raise ActionRejected or PermissionDenied.
    """
    require(by, "write-log", property)
    reject_resubmission(property, uid)
    if not reason.strip() or len(reason) > SHORT or "\0" in reason:
        raise ActionRejected(
            f"Say in at most {SHORT} characters what is wrong with the camera, or what was repaired.",
            "reason",
        )
    with in_turn(property):
        log_projection.follow(property)
        is_down = camera in {outage.camera for outage in log_queries.outages(property)}
        if not is_down and camera not in cameras_on(property, gaming_day(property)):
            raise ActionRejected("Choose a camera from the register.", "camera")
        if is_down != is_up:
            problem = "is already recorded as down" if is_down else "is not recorded as down"
            raise ActionRejected(f"{camera} {problem}. Check the list of cameras.", "camera")
        kind = "camera-up" if is_up else "camera-down"
        fact = property_fact(kind, by, property, uid=uid, camera=camera, reason=reason.strip())
        fields = {
            "uid": str(uuid5(NAMESPACE_OID, f"log of {uid}")),
            "about": f"Camera {camera} {'up again' if is_up else 'down'}",
            "words_sha256": keep_words(property, by, reason.strip()),
            "type": MALFUNCTION,
            "camera": camera,
        }
        return _record(by, property, fields, first=[fact])


def _record(by: Person, property: str, fields: dict[str, Any], first: Sequence[dict[str, Any]] = ()) -> int:
    """Record the facts in `first` and then an entry. Return the number of the entry."""
    named = {name: value for name, value in fields.items() if value is not None}
    record(by, property, [*first, property_fact("log-written", by, property) | named])
    log_projection.follow(property)
    entry = log_queries.entry_of(property, str(fields["uid"]))
    assert entry is not None
    return entry.number


def _check(property: str, written: Words) -> None:
    if written.type not in types.titles(property):
        raise ActionRejected("Choose a type from the list.", "type")
    if not written.words.strip() or len(written.words) > WORDS or "\0" in written.words:
        raise ActionRejected(f"Say in at most {WORDS:,} characters what happened.", "words")
    for name in ("place", "disposition"):
        text = getattr(written, name)
        if len(text) > SHORT or "\0" in text:
            raise ActionRejected(f"The {name} may have at most {SHORT} characters. Shorten it.", name)


def _earlier(property: str, written: Words) -> dict[str, str]:
    """Return the fields that name the entries that this entry corrects or closes."""
    fields = {}
    if written.corrects is not None:
        entry = _known(property, written.corrects, "corrects")
        if entry.corrected_by is not None:
            raise ActionRejected(
                f"Entry {entry.number} is corrected by entry {entry.corrected_by}. Correct that entry"
                " instead.",
                "corrects",
            )
        fields["corrects"] = entry.uid
    if written.closes is not None:
        entry = _known(property, written.closes, "closes")
        if not entry.waits or entry.type == HAND_OVER:
            raise ActionRejected(
                f"Entry {entry.number} is not open. Remove its number from this field.",
                "closes",
            )
        fields["closes"] = entry.uid
    return fields


def _known(property: str, number: int, field: str) -> Entry:
    entry = log_queries.entry(property, number)
    if entry is None:
        raise ActionRejected(f"The log has no entry {number}.", field)
    return entry
