"""Base classes and fields for the forms of pages.

A form only converts its fields to values. The services check these values, because scripts and tests also
call the services. `casino.accounts.signatures` checks the signatures, because they need passwords.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString

from casino.presentation.amount_input import parse_amount, parse_pieces
from casino.presentation.errors import ActionRejected
from casino.reference.forms.entry import Amount
from casino.web.recording import parse_form_uid
from casino.web.request_params import clean_text


@contextmanager
def errors_of_fields() -> Iterator[None]:
    """Convert an ActionRejected that is raised inside the `with` block to the error of a field."""
    try:
        yield
    except ActionRejected as rejected:
        raise forms.ValidationError(str(rejected)) from None


class InputBoundField(forms.BoundField):
    """A field of a form, as a template shows it."""

    def value(self) -> Any:
        """Return the submitted value, or the initial one, or an empty text."""
        value = super().value()
        return "" if value is None else value

    @property
    def attributes(self) -> str:
        """Return the attributes of an input element: its name, its value, and an attribute that says if the
        value is wrong.
        """
        return format_html('name="{}" value="{}"{}', self.name, self.value(), self.mark)

    @property
    def error(self) -> str:
        """Return an element with the error of the field, or an empty text. Screen readers read the error at
        the head of the form.
        """
        message = self._wrong()
        return (
            format_html('<span class="field-error" aria-hidden="true">{}</span>', message) if message else ""
        )

    @property
    def mark(self) -> str:
        """Return the HTML attribute of a wrong field, otherwise an empty text."""
        return SafeString(' aria-invalid="true"') if self._wrong() else ""

    def _wrong(self) -> str:
        """Return the error text of the field, or an empty text."""
        form = self.form
        return form.refused if isinstance(form, InputForm) and form.wrong_field == self.name else ""


class InputForm(forms.Form):
    """A form that raises its errors as ActionRejected, like a service.

    If the form or a service rejects the input, `refused` is the reason and `wrong_field` the name of the
    field to correct. The template shows both, together with the submitted values.
    """

    bound_field_class = InputBoundField
    refused = ""
    wrong_field = ""

    def __init__(self, data: Any = None, initial: Mapping[str, Any] | None = None, files: Any = None) -> None:
        uploads = None if data is None else files  # Django takes empty files for a submitted form
        super().__init__(data, uploads, initial=dict(initial or {}), auto_id=False)

    def accepted(self) -> dict[str, Any]:
        """Return the values of all fields except signatures. Raise ActionRejected with the first error and
        the name of its field.
        """
        if self.is_valid():
            signers = {signer.name for signer in self.signers()}
            return {name: value for name, value in self.cleaned_data.items() if name not in signers}
        field, errors = next(iter(self.errors.items()))
        raise ActionRejected(str(errors[0]), "" if field == "uid" else field)

    def reject(self, refused: ActionRejected) -> None:
        """Store this error, so that the template shows it."""
        self.refused, self.wrong_field = str(refused), refused.field

    def add_signers(self, labels: Mapping[str, str], own: str) -> None:
        """Add a signature field for each {name: label}. The first field initially contains the staff ID
        `own`.
        """
        for name, label in labels.items():
            self.fields[name] = SignatureField(label)
            self.initial[name], own = own, ""

    def signers(self) -> list[forms.BoundField]:
        """Return the fields for the staff IDs of the signers."""
        return [self[name] for name, field in self.fields.items() if isinstance(field, SignatureField)]


class ActionForm(InputForm):
    """A form that is recorded at most once. Its `uid` becomes the uid of the fact."""

    def __init__(self, data: Any = None, initial: Mapping[str, Any] | None = None, files: Any = None) -> None:
        super().__init__(data, initial, files)
        self.fields["uid"] = FormUidField()


class TextField(forms.CharField):
    """A field for text, which may be empty and is not stripped."""

    default_validators = []

    def __init__(self) -> None:
        super().__init__(required=False, strip=False)
        self.validators = []  # the service validates the text and has its own error messages


class ParsedField(TextField):
    """A field whose text is parsed, such as a number or a day. The cleaned value is None if it is empty.

    `parse` returns None for an invalid text.

    Attributes:
        says: the error, with `{}` for the text.
    """

    def __init__(self, parse: Callable[[str], Any], says: str) -> None:
        super().__init__()
        self.parse, self.says = parse, says

    def prepare_value(self, value: Any) -> Any:
        """Return the value as text; a date in ISO format, as native date fields need it."""
        return value.isoformat() if isinstance(value, date) else value

    def clean(self, value: Any) -> Any:
        """Return the value, or None. Raise ValidationError if the text is invalid."""
        text = super().clean(value).strip()
        if text and (parsed := self.parse(text)) is None:
            raise forms.ValidationError(self.says.format(text[:40]))
        return parsed if text else None


class HandForm(InputForm):
    """A form about the hand that the page shows. It has the hand's stream and encoded name. Instead of a
    hand, it may be about a fact that does not belong to a hand.
    """

    stream = TextField()
    hand = TextField()


class ListField(forms.Field):
    """A field that occurs once in the form for each chosen value. The cleaned value is a list of texts."""

    widget = forms.MultipleHiddenInput

    def __init__(self) -> None:
        super().__init__(required=False)

    def clean(self, value: Any) -> list[str]:
        """Return the chosen values."""
        return list(value or ())


class IdentifierField(TextField):
    """A field for an identifier (staff ID, serial, table), which may be empty. The cleaned value is
    normalized as in facts.
    """

    def clean(self, value: Any) -> str:
        """Return the normalized identifier. If it is too long, cut it to the maximum length."""
        return clean_text(super().clean(value))


class IdentifiersField(TextField):
    """A field for several identifiers, separated by commas or spaces. The cleaned value is a list."""

    def clean(self, value: Any) -> list[str]:
        """Return the identifiers, each once, in the order in which they were typed."""
        words = super().clean(value).replace(",", " ").split()
        return list(dict.fromkeys(id for word in words if (id := clean_text(word))))


class WordsField(TextField):
    """A field for free text. Spaces and line breaks at both ends are removed, and each line ends with
    `\\n`.
    """

    def clean(self, value: Any) -> str:
        """Return the text with `\\n` at the ends of lines."""
        words: str = super().clean(value)
        return words.replace("\r\n", "\n").strip()


class SignatureField(TextField):
    """A field for the staff ID of a person who signs. `casino.accounts.signatures` checks it together with
    the password, so it is not among the accepted values.
    """

    def __init__(self, label: str) -> None:
        super().__init__()
        self.label = label


class FormUidField(TextField):
    """The hidden field with the form's uid, so that a form submitted twice is recorded once."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__()
        self.initial = uuid4

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return the submitted uid, or a new one if the form was submitted without it."""
        return data or initial

    def clean(self, value: Any) -> str:
        """Return the uid. Raise ValidationError if it is missing or invalid."""
        with errors_of_fields():
            return parse_form_uid(super().clean(value))


class AmountField(Amount):
    """A field for an amount; the cleaned value is in minor units, 0 if empty. Errors name the field."""

    def __init__(self, name: str, currency: str, *, minimum: int = 0) -> None:
        super().__init__(currency, minimum=minimum, required=False)
        self.name = name

    def clean(self, value: Any) -> int:
        """Return the amount in minor units of the currency. Raise ValidationError if the text is not an
        amount.
        """
        with errors_of_fields():
            return parse_amount(value or "", self.currency, self.name, minimum=self.least)


class PiecesField(TextField):
    """A field for the number of pieces of one denomination, 0 if empty."""

    def __init__(self, denomination: int, currency: str) -> None:
        super().__init__()
        self.denomination, self.currency = denomination, currency
        self.key = str(denomination)

    def clean(self, value: Any) -> int:
        """Return the number of pieces. Raise ValidationError if the text is not a whole number."""
        with errors_of_fields():
            return parse_pieces(value or "", self.denomination, self.currency)


class PiecesForm(ActionForm):
    """A form with a field `PREFIX-DENOMINATION` for the number of pieces of each denomination."""

    prefix_of_pieces = "chips"

    def __init__(
        self,
        data: Any,
        denominations: Iterable[int],
        currency: str,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial)
        self.pieces_fields = {
            str(denomination): f"{self.prefix_of_pieces}-{denomination}" for denomination in denominations
        }
        for denomination, name in self.pieces_fields.items():
            self.fields[name] = PiecesField(int(denomination), currency)

    def pieces(self) -> list[forms.BoundField]:
        """Return the fields of the pieces, the largest denomination first."""
        return [self[name] for _, name in sorted(self.pieces_fields.items(), key=lambda item: -int(item[0]))]

    def accepted(self) -> dict[str, Any]:
        """Return the values of all fields; `pieces` is {denomination: number} without zeros."""
        values = super().accepted()
        counted = {denomination: values.pop(name) for denomination, name in self.pieces_fields.items()}
        return values | {"pieces": {denomination: count for denomination, count in counted.items() if count}}
