"""Forms about recordings."""

from __future__ import annotations

from typing import Any

from django import forms

from audit.facts.input_parsing import day_of, whole
from casino.web.action_form import ActionForm, IdentifierField, InputForm, ListField, ParsedField, TextField

MINUTES = (0, 1, 2, 5, 10, 30)
"""The choices for the number of minutes that are held before and after a hand."""
DEFAULT_MINUTES = 2


class MinutesField(TextField):
    """A field for the number of minutes that are held before and after a hand."""

    choices = MINUTES

    def __init__(self) -> None:
        super().__init__()
        self.initial = DEFAULT_MINUTES

    def prepare_value(self, value: Any) -> int | None:
        """Return the chosen number of minutes, or None if the value is not a number."""
        return value if isinstance(value, int) else whole(value or "")

    def clean(self, value: Any) -> int:
        """Return the number of minutes. Raise ValidationError if it is not one of the choices."""
        minutes = whole(super().clean(value) or "0")
        if minutes not in MINUTES:
            raise forms.ValidationError(f"Choose one of {', '.join(map(str, MINUTES))} minutes.")
        return minutes


class HoldForm(ActionForm):
    """The form with which the recordings of a hand are held."""

    camera = ListField()
    reason = TextField()
    until = ParsedField(day_of, "“{}” is not a day such as 2026-11-27.")
    minutes = MinutesField()


class StateForm(InputForm):
    """The state of the recordings in the list. The URL can also contain this state."""

    state = TextField()


class ChangeForm(ActionForm):
    """The form with which a recording is secured or released."""

    property = IdentifierField()
    hold = TextField()
    where = TextField()
    sha256 = TextField()
    reason = TextField()


class ExportForm(ActionForm):
    """The form with which an export is recorded."""

    camera = IdentifierField()
    where = TextField()
    sha256 = TextField()
