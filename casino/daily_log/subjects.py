"""What an entry of the log is about: a hand, a fact outside a hand such as a slip or a count, a table, or a
camera.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from django.http import Http404

from audit.facts import is_a_table
from audit.facts.input_parsing import day_of, whole
from audit.review import hands
from audit.review.hands import Played
from casino.presentation.errors import ActionRejected
from casino.presentation.fact_descriptions import sentence
from casino.presentation.formatting import day_label
from casino.reference.calendar import gaming_day
from casino.reference.cameras import cameras_on, video_of
from casino.web.request_params import clean_text, decode_hand, encode_hand, hand_url

OF_SLIPS = ("slip", "box")
"""Fields of a fact that name its slip or its box."""


class Subject(NamedTuple):
    """What an entry is about. All fields are empty if it has no subject in the ledger."""

    of_property: str
    table: str = ""
    day: date | None = None
    round: str | None = None
    number: int | None = None
    uid: str = ""
    camera: str = ""
    label: str = ""
    played: Played | None = None

    @property
    def stream(self) -> str:
        """Return the stream of the hand or fact, or empty text."""
        return f"{self.table}/{self.day.isoformat()}" if self.table and self.day else ""

    @property
    def hand(self) -> str:
        """Return the encoded name of the hand for forms, or an empty text."""
        if self.round is not None:
            return encode_hand(self.round)
        return f"#{self.number}" if self.number is not None else ""

    @property
    def address(self) -> str:
        """Return the URL of the hand or fact, or empty text."""
        if self.round is not None:
            return hand_url(self.stream, self.round)
        return hand_url(self.stream, f"#{self.number}") if self.number is not None else ""

    @property
    def fields(self) -> dict[str, Any]:
        """Return the fields of a fact that name the subject."""
        fields: dict[str, Any] = {
            "of_table": self.table or None,
            "of_day": self.day.isoformat() if self.day else None,
            "round": self.round,
            "of": self.uid or None,
            "camera": self.camera or None,
        }
        return {name: value for name, value in fields.items() if value is not None}

    @property
    def video(self) -> list[dict[str, str]]:
        """Return the pieces of video of the hand or fact, with the times of the recorder's clock."""
        return video_of(self.played) if self.played is not None else []


def subject_of(property: str, sent: Mapping[str, Any]) -> Subject:
    """Return the subject that a form or an address names.

    Raises:
        Http404: no such hand or fact is recorded at the property.
        ActionRejected: the table, the day or the camera is not valid.
    """
    stream, hand = str(sent.get("stream", "")), str(sent.get("hand", ""))
    if stream and hand:
        return _hand_or_fact(property, stream, hand)
    camera = clean_text(str(sent.get("camera", "")))
    table = clean_text(str(sent.get("table", ""))).removeprefix(f"{property}/")
    if table and not is_a_table(table):
        raise ActionRejected("Name a table by its code, for example EOU-01.", "table")
    day = _day_of_table(property, table, str(sent.get("of_day", "")).strip())
    if camera and camera not in cameras_on(property, day or gaming_day(property)):
        raise ActionRejected(
            f"No camera {camera[:60]} is in the register. Choose one from the list.", "camera"
        )
    label = ", ".join(
        part
        for part in (
            table,
            f"gaming day {day_label(day)}" if day else "",
            f"camera {camera}" if camera else "",
        )
        if part
    )
    named = f"{property}/{table}" if table else ""
    return Subject(property, named, day, camera=camera, label=label)


def _day_of_table(property: str, table: str, typed: str) -> date | None:
    """Return the gaming day of a table that a form names, or None if the form names no day."""
    if not typed:
        return None
    day = day_of(typed)
    if day is None or day > gaming_day(property):
        raise ActionRejected("Gaming day must be today or earlier, for example 2026-11-27.", "of_day")
    if not table:
        raise ActionRejected("Name the table of this gaming day, or remove the day.", "table")
    return day


def _hand_or_fact(property: str, stream: str, hand: str) -> Subject:
    name = decode_hand(hand)
    table, _, text = stream.rpartition("/")
    day = day_of(text)
    if table.partition("/")[0] != property or day is None:
        raise Http404(stream)
    number = whole(name[1:]) if name[:1] == "#" else None
    played = hands.named(property, stream, name)
    if played is None or (name[:1] == "#" and number is None):
        raise Http404(f"{stream} has no {name}")
    code, fact = table.partition("/")[2], played.facts[0].fact
    if number is None:
        label = f"{code}, hand {name}, gaming day {day_label(day)}"
        return Subject(property, table, day, round=name, label=label, played=played)
    paper = next((str(getattr(fact, field)) for field in OF_SLIPS if getattr(fact, field, None)), "")
    subject = f"{code}, {sentence(fact, played.currency()).partition(':')[0]}"
    label = (
        f"{subject}, gaming day {day_label(day)}"
        if paper in subject
        else f"{subject} {paper}, gaming day {day_label(day)}"
    )
    return Subject(property, table, day, number=number, uid=fact.uid, label=label, played=played)
