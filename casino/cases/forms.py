"""Forms of the pages of cases."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from django import forms

from casino.cases.services import Description, SubjectValues
from casino.web.action_form import ActionForm, IdentifierField, InputForm, ListField, TextField
from casino.web.request_params import clean_text, day_of


class WordsField(TextField):
    """A field for free words. White space at its ends is removed, and line ends are `\\n`."""

    def clean(self, value: Any) -> str:
        """Return the words."""
        words: str = super().clean(value)
        return words.replace("\r\n", "\n").strip()


class DayField(TextField):
    """A field for a gaming day, which may be empty."""

    def clean(self, value: Any) -> date | None:
        """Return the day, or None. Raise ValidationError if the text is not a date."""
        typed = super().clean(value).strip()
        if typed and day_of(typed) is None:
            raise forms.ValidationError(f"“{typed[:40]}” is not a date (use 2026-11-27).")
        return day_of(typed)


class PeopleField(TextField):
    """A field for staff IDs, separated by commas or spaces."""

    def clean(self, value: Any) -> tuple[str, ...]:
        """Return the staff IDs without repetitions."""
        typed = re.split(r"[,\s]+", super().clean(value))
        return tuple(dict.fromkeys(id for word in typed if (id := clean_text(word))))


class DescriptionForm(ActionForm):
    """What a case is, who works on it, and who may see it."""

    concerns = TextField()
    title = WordsField()
    about = WordsField()
    owner = IdentifierField()
    due = DayField()
    seen_by = PeopleField()
    status = TextField()

    def described(self) -> tuple[str, str, Description]:
        """Return the form's uid, the status, and the description."""
        values = self.accepted()
        names = Description._fields
        return values["uid"], values["status"], Description(**{name: values[name] for name in names})


class ChosenHandsForm(InputForm):
    """Hands that were chosen in a list, each as `STREAM|HAND`, and the property of the new case."""

    hand = ListField()
    property = IdentifierField()


class AddForm(ActionForm):
    """Hands that were chosen in a list, each as `STREAM|HAND`, and the case to which they are added."""

    property = IdentifierField()
    into = IdentifierField()
    hand = ListField()


class JoinForm(ActionForm):
    """One or several things that a case joins: one a line."""

    what = TextField()
    of = WordsField()


class PartForm(ActionForm):
    """Things that a case no longer joins, each as `WHAT|STREAM|OF`."""

    part = ListField()


class NoteForm(ActionForm):
    """A note."""

    note = WordsField()


class FileForm(ActionForm):
    """An uploaded file; the file itself is in `request.FILES`."""


class SubjectForm(ActionForm):
    """A person whom a case is about. `number` is empty for a new one."""

    number = TextField()
    role = TextField()
    id = IdentifierField()
    description = WordsField()
    reason = WordsField()
    measure = TextField()
    begins = DayField()
    ends = DayField()

    def subject(self) -> tuple[str, SubjectValues]:
        """Return the form's uid and the subject."""
        values = self.accepted()
        number = int(values["number"]) if re.fullmatch("[0-9]{1,6}", values["number"]) else 0
        fields = {name: values[name] for name in SubjectValues._fields if name != "number"}
        return values["uid"], SubjectValues(number=number, **fields)


class ErasureForm(ActionForm):
    """The hashes of what is erased, and on what ground."""

    erased = ListField()
    why = TextField()


class ClosureForm(ActionForm):
    """How a case ended."""

    outcome = TextField()
    note = WordsField()
