"""What the form for an entry contains when it is opened: the time of a step of a replay, and what an entry
that corrects another one takes over from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo

from audit.facts.input_parsing import whole
from audit.review import log_queries
from audit.review.log_rows import Entry
from casino.daily_log import queries
from casino.daily_log.queries import EntryRow
from casino.daily_log.subjects import Subject
from casino.presentation.formatting import cut_property
from casino.web.request_params import encode_hand


def earlier_entry(property: str, sent: Mapping[str, str]) -> EntryRow | None:
    """Return the entry that the new one corrects or closes, or None."""
    number = whole(sent.get("corrects") or sent.get("closes") or "")
    entry = log_queries.entry(property, number) if number is not None and number < 2**62 else None
    return None if entry is None else queries.rows_of(property, [entry])[0]


def taken_over(property: str, entry: Entry, zone: tzinfo) -> dict[str, str]:
    """Return {name of a field: value} that a correction takes over from the entry that it corrects."""
    values = {
        "type": entry.type,
        "place": entry.place,
        "disposition": entry.disposition,
        "camera": entry.camera,
        "began": _clock(entry.began, zone),
    }
    place = log_queries.places_of(property, [entry.of]).get(entry.of) if entry.of else None
    if place is not None:
        values |= {"stream": place[0], "hand": f"#{place[1]}"}
    elif entry.round is not None and entry.of_day is not None:
        values |= {
            "stream": f"{entry.of_table}/{entry.of_day.isoformat()}",
            "hand": encode_hand(entry.round),
        }
    else:
        values["table"] = cut_property(entry.of_table)
    return {name: value for name, value in values.items() if value}


def time_of_step(subject: Subject, sent: Mapping[str, str], zone: tzinfo) -> dict[str, str]:
    """Return the time of the step of a replay from which the form was opened, as the value of its field."""
    step = whole(sent.get("step", ""))
    if subject.played is None or step is None or not 1 <= step <= len(subject.played.facts):
        return {}
    return {"began": _clock(subject.played.facts[step - 1].fact.at, zone)}


def _clock(at: datetime | None, zone: tzinfo) -> str:
    return "" if at is None else f"{at.astimezone(zone):%Y-%m-%dT%H:%M:%S}"
