"""Forms of the pages of one-time passwords and of tokens."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import forms

from audit.facts.input_parsing import whole
from casino.accounts.scopes import SCOPES
from casino.accounts.tokens import LONGEST
from casino.web.action_form import ActionForm, IdentifierField, InputForm, ListField, TextField

PURPOSE = 60
"""The longest purpose of a token, in characters; a longer one is cut."""


class OtpForm(InputForm):
    """The form for one-time passwords: what to do, and a code of the authenticator that is set up."""

    act = TextField()
    code = TextField()


class RevokeForm(InputForm):
    """The form that revokes a token: the property whose list is shown next, if any."""

    back = TextField()


class TokenForm(ActionForm):
    """The form for a new token of a user."""

    label = IdentifierField()
    scope = ListField()
    days = TextField()

    def __init__(self, data: Any, scopes: Collection[str]) -> None:
        super().__init__(data)
        self.scopes = scopes
        self.order_fields(["uid", "device"])

    def clean_label(self) -> str:
        """Return the purpose. Raise ValidationError if it is empty."""
        label: str = self.cleaned_data["label"][:PURPOSE]
        if not label:
            raise forms.ValidationError("Purpose: type a few words, so that you recognize the token later.")
        return label

    def clean_scope(self) -> list[str]:
        """Return the chosen scopes. Raise ValidationError if nothing is chosen, or a scope that is
        not offered.
        """
        chosen = set(self.cleaned_data["scope"])
        if not chosen or not chosen <= set(self.scopes):
            raise forms.ValidationError("Scopes: choose at least one, and no more than the program needs.")
        return [scope for scope in SCOPES if scope in chosen]

    def clean_days(self) -> int:
        """Return how many days the token is valid. Raise ValidationError if the text is not such a number."""
        days = whole(self.cleaned_data["days"])
        if days is None or not 1 <= days <= LONGEST:
            raise forms.ValidationError(f"Days valid: type a whole number from 1 to {LONGEST}.")
        return days


class DeviceTokenForm(TokenForm):
    """The form for a new token of a device."""

    device = IdentifierField()

    def __init__(self, data: Any, scopes: Collection[str], devices: Collection[str]) -> None:
        super().__init__(data, scopes)
        self.devices = devices

    def clean_device(self) -> str:
        """Return the device. Raise ValidationError if it is not registered."""
        device: str = self.cleaned_data["device"]
        if device not in self.devices:
            raise forms.ValidationError("Device: choose a registered device.")
        return device
