"""Forms of the pages of cases."""

from __future__ import annotations

import re
from typing import Any

from django import forms

from casino.cases.services import Description, SubjectValues
from casino.web.action_form import (
    ActionForm,
    IdentifierField,
    IdentifiersField,
    InputForm,
    ListField,
    ParsedField,
    SignatureField,
    TextField,
    WordsField,
)
from casino.web.request_params import day_of

NO_DAY = "“{}” is not a date (use 2026-11-27)."


class DescriptionForm(ActionForm):
    """What a case is, who works on it, and who may see it."""

    concerns = TextField()
    title = WordsField()
    about = WordsField()
    owner = IdentifierField()
    due = ParsedField(day_of, NO_DAY)
    seen_by = IdentifiersField()
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


class UploadField(forms.FileField):
    """A field for an uploaded file, which may be missing. The service checks its content."""

    def __init__(self) -> None:
        super().__init__(required=False, allow_empty_file=True)


class FileForm(ActionForm):
    """An uploaded file."""

    file = UploadField()


class SubjectForm(ActionForm):
    """A person whom a case is about. `number` is empty for a new one."""

    number = TextField()
    role = TextField()
    id = IdentifierField()
    description = WordsField()
    reason = WordsField()
    measure = TextField()
    begins = ParsedField(day_of, NO_DAY)
    ends = ParsedField(day_of, NO_DAY)
    photo = UploadField()

    def subject(self) -> tuple[str, SubjectValues, Any]:
        """Return the form's uid, the subject, and the photo or None."""
        values = self.accepted()
        number = int(values["number"]) if re.fullmatch("[0-9]{1,6}", values["number"]) else 0
        fields = {name: values[name] for name in SubjectValues._fields if name != "number"}
        return values["uid"], SubjectValues(number=number, **fields), values["photo"]


class ErasureForm(ActionForm):
    """The hashes of what is erased, and on what ground."""

    erased = ListField()
    why = TextField()
    second = SignatureField("Second person")


class ClosureForm(ActionForm):
    """How a case ended."""

    outcome = TextField()
    note = WordsField()
