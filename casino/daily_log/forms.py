"""Forms of the daily log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any

from django import forms

from audit.facts import clock
from audit.facts.input_parsing import whole
from casino.web.action_form import ActionForm, IdentifierField, InputForm, ParsedField, TextField

NO_ENTRY = "“{}” is not the number of an entry."


class ClockField(TextField):
    """A field for a time by the property's clock. The browser's field for date and time sends it as
    `2026-11-14T22:05`. The cleaned value is an instant in UTC, or None if the field is empty.
    """

    def __init__(self, zone: tzinfo) -> None:
        super().__init__()
        self.zone = zone

    def clean(self, value: Any) -> datetime | None:
        """Return the instant. Raise ValidationError if the text is not a time, or if the clock never shows
        this time. If the clock shows the time twice, return the first instant.
        """
        text = super().clean(value).strip()
        if not text:
            return None
        try:
            read = datetime.fromisoformat(text)
        except ValueError:
            read = None
        if read is None or read.tzinfo is not None or not 1900 < read.year < 9000:
            raise forms.ValidationError(f"“{text[:30]}” is not a time such as 2026-11-14 22:05.")
        instants = clock.instants(read, self.zone)
        if not instants:
            raise forms.ValidationError(
                f"The clock is set forward over {text[:30]}, so this time does not exist."
            )
        return instants[0]


class EntryForm(ActionForm):
    """The form for an entry. The times are by the property's clock."""

    type = TextField()
    words = TextField()
    place = TextField()
    disposition = TextField()
    pending = forms.BooleanField(required=False)
    with_video = forms.BooleanField(required=False)
    corrects = ParsedField(whole, NO_ENTRY)
    closes = ParsedField(whole, NO_ENTRY)
    table = TextField()
    of_day = TextField()
    camera = TextField()

    def __init__(self, data: Any, zone: tzinfo, initial: Mapping[str, Any]) -> None:
        super().__init__(data, initial)
        self.fields["began"] = ClockField(zone)
        self.fields["video_from"] = ClockField(zone)
        self.fields["video_to"] = ClockField(zone)


class WordsForm(ActionForm):
    """The form with which a shift is handed over."""

    words = TextField()


class AcceptForm(ActionForm):
    """The form with which a hand-over is accepted."""

    number = ParsedField(whole, NO_ENTRY)


class CameraForm(ActionForm):
    """The form with which a camera is reported as down, or as up again."""

    camera = IdentifierField()
    state = TextField()
    reason = TextField()


class SubjectForm(InputForm):
    """The fields of a form that name what an entry is about."""

    property = TextField()
    stream = TextField()
    hand = TextField()
    table = TextField()
    of_day = TextField()
    camera = TextField()
