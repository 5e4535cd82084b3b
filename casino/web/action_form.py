"""Base classes and fields for the forms of pages.

A form only converts its fields to values. The services check these values, because scripts and tests also
call the services. `casino.accounts.signatures` checks the signatures, because they need passwords.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from casino.presentation.amount_input import parse_amount, parse_counts
from casino.presentation.errors import ActionRejected
from casino.reference.forms.entry import Amount
from casino.web.recording import parse_form_uid
from casino.web.request_params import clean_text


class InputForm(forms.Form):
    """A form that raises its errors as ActionRejected, like a service."""

    def accepted(self) -> dict[str, Any]:
        """Return the values of all fields. Raise ActionRejected with the first error and the name of its
        field.
        """
        if self.is_valid():
            return self.cleaned_data
        field, errors = next(iter(self.errors.items()))
        raise ActionRejected(str(errors[0]), "" if field == "uid" else field)


class ActionForm(InputForm):
    """A form that is recorded at most once. Its `uid` becomes the uid of the fact."""

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["uid"] = FormUidField()


class TextField(forms.CharField):
    """A field for text, which may be empty and is not stripped."""

    default_validators = []

    def __init__(self) -> None:
        super().__init__(required=False, strip=False)
        self.validators = []  # the service validates the text and has its own error messages


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


class FormUidField(TextField):
    """The hidden field with the form's uid, so that a form submitted twice is recorded once."""

    def clean(self, value: Any) -> str:
        """Return the uid. Raise ValidationError if it is missing or invalid."""
        try:
            return parse_form_uid(super().clean(value))
        except ActionRejected as rejected:
            raise forms.ValidationError(str(rejected)) from None


class AmountField(Amount):
    """A field for an amount; the cleaned value is in minor units, 0 if empty. Errors name the field."""

    def __init__(self, name: str, currency: str, *, least: int = 0) -> None:
        super().__init__(currency, least=least, required=False)
        self.name = name

    def clean(self, value: Any) -> int:
        """Return the amount in minor units of the currency. Raise ValidationError if the text is not an
        amount.
        """
        try:
            return parse_amount(value or "", self.currency, self.name, least=self.least)
        except ActionRejected as rejected:
            raise forms.ValidationError(str(rejected)) from None


class PiecesField(TextField):
    """A field for the number of pieces of one denomination, 0 if empty."""

    def __init__(self, denomination: int, currency: str) -> None:
        super().__init__()
        self.denomination, self.currency = denomination, currency

    def clean(self, value: Any) -> int:
        """Return the number of pieces. Raise ValidationError if the text is not a whole number."""
        try:
            counted = parse_counts(
                {f"-{self.denomination}": value or ""}, "", [self.denomination], self.currency
            )
        except ActionRejected as rejected:
            raise forms.ValidationError(str(rejected)) from None
        return counted.get(str(self.denomination), 0)


class PiecesForm(ActionForm):
    """A form with a field `PREFIX-DENOMINATION` for the number of pieces of each denomination."""

    prefix_of_pieces = "chips"

    def __init__(self, data: Any, denominations: Iterable[int], currency: str) -> None:
        super().__init__(data)
        self.pieces_fields = {
            str(denomination): f"{self.prefix_of_pieces}-{denomination}" for denomination in denominations
        }
        for denomination, name in self.pieces_fields.items():
            self.fields[name] = PiecesField(int(denomination), currency)

    def accepted(self) -> dict[str, Any]:
        """Return the values of all fields; `pieces` is {denomination: number} without zeros."""
        values = super().accepted()
        counted = {denomination: values.pop(name) for denomination, name in self.pieces_fields.items()}
        return values | {"pieces": {denomination: count for denomination, count in counted.items() if count}}
