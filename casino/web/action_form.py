"""Django forms of floor, cage, count room and day close: what a page sends, as values that services take.

A form parses and nothing more: what a value may be is decided by the service, which also scripts and tests
call. Signatures are read by `casino.accounts.signatures`, because they ask for passwords.
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
    """What a page sends; an error is raised as a service raises its own."""

    def accepted(self) -> dict[str, Any]:
        """Return the values of all fields. Raise ActionRejected with the first error, naming its field."""
        if self.is_valid():
            return self.cleaned_data
        field, errors = next(iter(self.errors.items()))
        raise ActionRejected(str(errors[0]), "" if field == "uid" else field)


class ActionForm(InputForm):
    """A form that records something once: `uid` becomes that of its fact."""

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["uid"] = FormUidField()


class TextField(forms.CharField):
    """Text as it was typed, possibly empty."""

    default_validators = []

    def __init__(self) -> None:
        super().__init__(required=False, strip=False)
        self.validators = []  # a service rejects a text with a sentence of its own


class IdentifierField(TextField):
    """An identifier (staff ID, serial, table) in the spelling in which facts record it, possibly empty."""

    def clean(self, value: Any) -> str:
        """Return the accepted spelling, cut to the length that an identifier may have."""
        return clean_text(super().clean(value))


class FormUidField(TextField):
    """The uid that a form carries, so that a form submitted twice is recorded once."""

    def clean(self, value: Any) -> str:
        """Return the uid. Raise ValidationError if the form has lost it."""
        try:
            return parse_form_uid(super().clean(value))
        except ActionRejected as rejected:
            raise forms.ValidationError(str(rejected)) from None


class AmountField(Amount):
    """An amount in minor units; an empty one is 0. The error names the field."""

    def __init__(self, name: str, currency: str, *, least: int = 0) -> None:
        super().__init__(currency, least=least, required=False)
        self.name = name

    def clean(self, value: Any) -> int:
        """Return minor units of the currency. Raise ValidationError if no amount was typed."""
        try:
            return parse_amount(value or "", self.currency, self.name, least=self.least)
        except ActionRejected as rejected:
            raise forms.ValidationError(str(rejected)) from None


class PiecesField(TextField):
    """A number of pieces of one denomination; an empty one is 0."""

    def __init__(self, denomination: int, currency: str) -> None:
        super().__init__()
        self.denomination, self.currency = denomination, currency

    def clean(self, value: Any) -> int:
        """Return the number of pieces. Raise ValidationError if no whole number was typed."""
        try:
            counted = parse_counts(
                {f"-{self.denomination}": value or ""}, "", [self.denomination], self.currency
            )
        except ActionRejected as rejected:
            raise forms.ValidationError(str(rejected)) from None
        return counted.get(str(self.denomination), 0)


class PiecesForm(ActionForm):
    """A form with a count of pieces: one field `PREFIX-DENOMINATION` for each denomination."""

    prefix_of_pieces = "chips"

    def __init__(self, data: Any, denominations: Iterable[int], currency: str) -> None:
        super().__init__(data)
        self.pieces_fields = {
            str(denomination): f"{self.prefix_of_pieces}-{denomination}" for denomination in denominations
        }
        for denomination, name in self.pieces_fields.items():
            self.fields[name] = PiecesField(int(denomination), currency)

    def accepted(self) -> dict[str, Any]:
        """Return the values of all fields; `pieces` has those denominations of which there are any."""
        values = super().accepted()
        counted = {denomination: values.pop(name) for denomination, name in self.pieces_fields.items()}
        return values | {"pieces": {denomination: count for denomination, count in counted.items() if count}}
