"""The first values of the form for an entry: the time of a step of a replay, or the values of the entry that
the new one corrects or closes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, tzinfo

from msgspec import json

from audit.facts.input_parsing import whole
from audit.review import log_queries
from audit.review.log_rows import Entry
from casino.daily_log import queries
from casino.daily_log.queries import EntryRow
from casino.daily_log.subjects import Subject
from casino.presentation.formatting import cut_property
from casino.reference.calendar import gaming_day
from casino.reference.cameras import cameras_on
from casino.web.request_params import encode_hand


def earlier_entry(property: str, sent: Mapping[str, str]) -> EntryRow | None:
    """Return the entry that the new one corrects or closes, or None."""
    number = whole(sent.get("corrects") or sent.get("closes") or "")
    entry = log_queries.entry(property, number) if number is not None and number < 2**62 else None
    return None if entry is None else queries.rows_of(property, [entry])[0]


def taken_over(property: str, entry: Entry, zone: tzinfo) -> dict[str, str]:
    """Return {name of a field: value} for the correction of an entry, filled in from that entry."""
    values = {"disposition": entry.disposition, "began": _clock(entry.began, zone)}
    return subject_taken_over(property, entry) | _recording(property, entry, zone) | _filled(values)


def subject_taken_over(property: str, entry: Entry) -> dict[str, str]:
    """Return {name of a field: value} for an entry that closes another one: the type, and the hand, fact or
    table that both are about.
    """
    values = {"type": entry.type, "place": entry.place}
    if entry.camera in cameras_on(property, gaming_day(property)):
        values["camera"] = entry.camera
    day = entry.of_day.isoformat() if entry.of_day is not None else ""
    place = log_queries.places_of(property, [entry.of]).get(entry.of) if entry.of else None
    if place is not None:
        values |= {"stream": place[0], "hand": f"#{place[1]}"}
    elif entry.round is not None and day:
        values |= {"stream": f"{entry.of_table}/{day}", "hand": encode_hand(entry.round)}
    elif entry.of_table:
        values |= {"table": cut_property(entry.of_table), "of_day": day}
    return _filled(values)


def _recording(property: str, entry: Entry, zone: tzinfo) -> dict[str, str]:
    """Return the fields for the begin and end of an entry's recording, by the property's clock. The entry has
    them by the recorder's clock, which may be ahead.

    Return no fields if the entry is about a hand, because the form then names the cameras of the table.
    """
    clips: list[dict[str, str]] = json.decode(entry.video)
    if entry.round is not None or entry.of or len(clips) != 1:
        return {}
    begins, ends = (datetime.fromisoformat(clips[0][name]) for name in ("from", "to"))
    camera = cameras_on(property, gaming_day(property, begins)).get(clips[0]["camera"])
    if camera is None:
        return {}
    recorder_ahead = timedelta(seconds=camera.ahead)
    return {
        "video_from": _clock(begins - recorder_ahead, zone),
        "video_to": _clock(ends - recorder_ahead, zone),
    }


def time_of_step(subject: Subject, sent: Mapping[str, str], zone: tzinfo) -> dict[str, str]:
    """Return the time of the step of a replay from which the form was opened, as the value of its field."""
    step = whole(sent.get("step", ""))
    if subject.played is None or step is None or not 1 <= step <= len(subject.played.facts):
        return {}
    return {"began": _clock(subject.played.facts[step - 1].fact.at, zone)}


def _clock(at: datetime | None, zone: tzinfo) -> str:
    return "" if at is None else f"{at.astimezone(zone):%Y-%m-%dT%H:%M:%S}"


def _filled(values: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}
