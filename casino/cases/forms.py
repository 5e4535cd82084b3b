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
    """The form for the description of a case: its title, its kind, who works on it, and who may see it."""

    concerns = TextField()
    title = WordsField()
    about = WordsField()
    owner = IdentifierField()
    due = ParsedField(day_of, NO_DAY)
    seen_by = IdentifiersField()
    status = TextField()

    def described(self) -> tuple[str, str, Description]:
        """Return the form's uid, the status of the case, and its description."""
        values = self.accepted()
        names = Description._fields
        return values["uid"], values["status"], Description(**{name: values[name] for name in names})


class ChosenHandsForm(InputForm):
    """The form with hands that were chosen in a list, each as `STREAM|HAND`, and the property of the new
    case.
    """

    hand = ListField()
    property = IdentifierField()


class AddForm(ActionForm):
    """The form that adds hands to a case. They were chosen in a list, and each is sent as `STREAM|HAND`."""

    property = IdentifierField()
    into = IdentifierField()
    hand = ListField()


class JoinForm(ActionForm):
    """The form that adds items to a case: `what` is their kind, and `of` has one item on each line."""

    what = TextField()
    of = WordsField()


class PartForm(ActionForm):
    """The form that removes items from a case. Each item is sent as `WHAT|STREAM|OF`: its kind, its stream
    (or nothing), and its name.
    """

    part = ListField()


class NoteForm(ActionForm):
    """The form for a note in a case."""

    note = WordsField()


class UploadField(forms.FileField):
    """A field for an uploaded file, which may be missing. The service checks its content."""

    def __init__(self) -> None:
        super().__init__(required=False, allow_empty_file=True)


class FileForm(ActionForm):
    """The form that adds a file to a case."""

    file = UploadField()


class SubjectForm(ActionForm):
    """The form for a subject of a case: a person whom the case is about. `number` is empty for a new
    subject.
    """

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
    """The form that erases texts and files of a case: their hashes, the reason, and the second person."""

    erased = ListField()
    why = TextField()
    second = SignatureField("Second person")


class ClosureForm(ActionForm):
    """The form that closes a case: the outcome, and a note."""

    outcome = TextField()
    note = WordsField()
