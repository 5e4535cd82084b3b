"""Record that a recording must be held, is secured, is released, or was exported. Each of these is a fact and
never changes. Pages show the state that the latest fact gives.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from audit.replay.video_address import Piece, stamp, whole_seconds
from audit.review import log_projection, log_queries
from audit.review.log_rows import ORDERED, RELEASED, Hold
from casino.accounts.permissions import require
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from casino.reference.cameras import cameras_on
from casino.web.property_turn import in_turn
from casino.web.recording import property_fact, record, reject_resubmission

SHORT = 300
"""Maximum length of a reason, or of the text that says where a copy is, in characters."""
LONGEST = timedelta(hours=24)
"""Maximum length of a recording in one order or export."""
SHA256 = re.compile("[0-9a-f]{64}")


def order_hold(
    by: Person,
    property: str,
    pieces: Sequence[Piece],
    reason: str,
    uid: str,
    *,
    of: dict[str, Any] | None = None,
    until: date | None = None,
) -> None:
    """Order that these recordings are held. Raise ActionRejected or PermissionDenied.

    Args:
        by: the officer.
        property: the property.
        pieces: one recording of each camera, with times of the property's clock.
        reason: why they are held.
        uid: the uid of the form.
        of: the fields that name the recorded hand or fact, for the facts of the holds.
        until: the day until which they are held, or None to hold them until somebody releases them.
    """
    require(by, "hold-video", property)
    reject_resubmission(property, uid)
    _check_words(reason, "reason", "why the recording is held")
    if not pieces:
        raise ActionRejected("Choose at least one camera.", "camera")
    if until is not None and until <= gaming_day(property):
        raise ActionRejected("Hold until: choose a day after today, or leave the field empty.", "until")
    for piece in pieces:
        _check_piece(property, piece)
    facts = []
    for place, piece in enumerate(pieces):
        named = {
            "uid": uid if place == 0 else str(uuid5(NAMESPACE_OID, f"{uid} {piece.camera}")),
            "camera": piece.camera,
            **_times(piece),
            "reason": reason.strip(),
            **(of or {}),
        }
        named |= {"until": until.isoformat()} if until is not None else {}
        facts.append(property_fact("hold-ordered", by, property) | named)
    record(by, property, facts)
    log_projection.follow(property)


def secure_hold(by: Person, property: str, hold: str, place: str, sha256: str, uid: str) -> None:
    """Record that a recording is locked on the recorder, or copied. Raise ActionRejected or
    PermissionDenied.
    """
    require(by, "hold-video", property)
    reject_resubmission(property, uid)
    _check_words(place, "where", "where the recording is")
    digest = _digest(sha256)
    with in_turn(property):
        stored = _hold(property, hold)
        if stored.state != ORDERED:
            raise ActionRejected("This recording is already secured or released. Reload the page.")
        fields = {"uid": uid, "hold": stored.uid, "where": place.strip()} | (
            {"sha256": digest} if digest else {}
        )
        record(by, property, [property_fact("hold-secured", by, property) | fields])
        log_projection.follow(property)


def release_hold(by: Person, property: str, hold: str, reason: str, uid: str) -> None:
    """Record that a recording need not be held any longer. Raise ActionRejected or PermissionDenied."""
    require(by, "hold-video", property)
    reject_resubmission(property, uid)
    _check_words(reason, "reason", "why the recording is released")
    with in_turn(property):
        stored = _hold(property, hold)
        if stored.state == RELEASED:
            raise ActionRejected("This recording is already released. Reload the page.")
        fields = {"uid": uid, "hold": stored.uid, "reason": reason.strip()}
        record(by, property, [property_fact("hold-released", by, property) | fields])
        log_projection.follow(property)


def record_export(
    by: Person,
    property: str,
    piece: Piece,
    place: str,
    sha256: str,
    uid: str,
    of: dict[str, Any] | None = None,
) -> None:
    """Record that a recording was exported from the recorder. Raise ActionRejected or PermissionDenied."""
    require(by, "hold-video", property)
    reject_resubmission(property, uid)
    _check_words(place, "where", "to whom the copy was given, or where it is stored")
    digest = _digest(sha256)
    _check_piece(property, piece)
    fields = {"uid": uid, "camera": piece.camera, **_times(piece), "where": place.strip(), **(of or {})}
    fields |= {"sha256": digest} if digest else {}
    record(by, property, [property_fact("clip-exported", by, property) | fields])
    log_projection.follow(property)


def _times(piece: Piece) -> dict[str, str]:
    """Return the beginning and the end of a recording in whole seconds, as fields of a fact."""
    _, begins, ends = whole_seconds(piece)
    return {"begins": stamp(begins), "ends": stamp(ends)}


def _check_piece(property: str, piece: Piece) -> None:
    if piece.camera not in cameras_on(property, gaming_day(property, piece.begins)):
        raise ActionRejected("Choose a camera from the register.", "camera")
    if not timedelta() <= piece.ends - piece.begins <= LONGEST:
        raise ActionRejected("A recording must end after it begins, and last at most 24 hours.", "ends")


def _check_words(text: str, field: str, need: str) -> None:
    if not text.strip() or len(text) > SHORT or "\0" in text:
        raise ActionRejected(f"Say in at most {SHORT} characters {need}.", field)


def _digest(typed: str) -> str:
    digest = typed.strip().lower()
    if digest and SHA256.fullmatch(digest) is None:
        raise ActionRejected(
            "A SHA-256 has 64 digits from 0 to 9 and a to f. Leave the field empty if it is unknown.",
            "sha256",
        )
    return digest


def _hold(property: str, uid: str) -> Hold:
    log_projection.follow(property)
    stored = log_queries.hold_of(property, uid) if log_queries.UID.fullmatch(uid.lower()) else None
    if stored is None:
        raise ActionRejected("No such recording is held here. Reload the page.")
    return stored
