"""Forms of queue and hand: verdicts, flags, assignments and snoozes."""

from __future__ import annotations

from typing import Any

from django import forms

from casino.web.action_form import AmountField, IdentifierField, InputForm, ListField, TextField

NOTE = 2000
"""Maximum length of the note of a verdict, in characters."""


class FlagForm(InputForm):
    """The form for the reason of a flag."""

    why = TextField()


class FindingsForm(InputForm):
    """The chosen findings, and all findings that the page showed, each with the state in which the officer
    saw it.
    """

    finding = ListField()
    shown = ListField()

    def seen(self) -> dict[str, str]:
        """Return {ID of a chosen finding: its state when the page was loaded}."""
        return dict(value.partition("|")[::2] for value in self.accepted()["finding"])

    def all_seen(self) -> dict[str, str]:
        """Return {ID of a finding that the page showed: its state when the page was loaded}."""
        return dict(value.partition("|")[::2] for value in self.accepted()["shown"])


class ChosenForm(InputForm):
    """The chosen hands, each with the state that the page showed."""

    hand = ListField()
    seen = ListField()


class AssignForm(InputForm):
    """The chosen hands with the owners that the page showed, and the new owner."""

    hand = ListField()
    owner = ListField()
    to = IdentifierField()


class SnoozeForm(InputForm):
    """The chosen hands, and the length or the end of the snooze."""

    hand = ListField()
    minutes = TextField()
    until = TextField()


class UndoForm(InputForm):
    """The positions of the verdicts to withdraw, and what to show afterwards: the URL of one hand, or the
    hands that were judged together.
    """

    property = IdentifierField()
    position = ListField()
    hand = ListField()
    back = TextField()


class NoteField(TextField):
    """A field for the officer's note. Leading and trailing spaces are removed."""

    def clean(self, value: Any) -> str:
        """Return the note. Raise ValidationError if it is too long or cannot be stored."""
        note: str = super().clean(value).strip()
        if len(note) > NOTE or "\0" in note:
            raise forms.ValidationError(f"A note has at most {NOTE:,} characters.")
        return note


class VerdictForm(InputForm):
    """The form for a verdict, with amounts in the currency of the hand. `second` is the staff ID of a second
    reviewer.
    """

    verdict = TextField()
    disposition = TextField()
    second = IdentifierField()

    def __init__(self, data: Any, currency: str) -> None:
        super().__init__(data)
        for name in ("savings", "losses", "recovered"):
            self.fields[name] = AmountField(name, currency)
        self.fields["note"] = NoteField()


class ViewForm(InputForm):
    """The form for a saved view of the search: its name, and the parameters of the page."""

    name = TextField()
    query = TextField()
    shared = forms.BooleanField(required=False)
