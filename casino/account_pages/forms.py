"""Forms of the pages for one-time passwords and API tokens."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import forms

from audit.facts.input_parsing import whole
from casino.accounts import networks
from casino.accounts.scopes import SCOPES
from casino.accounts.tokens import LONGEST, LONGEST_WARNING, TOKEN_DAYS, WARN_DAYS
from casino.models import Token
from casino.web.action_form import ActionForm, IdentifierField, InputForm, ListField, TextField

PURPOSE = 60
"""Maximum length of a token's purpose, in characters. A longer text is cut off."""


class OtpForm(InputForm):
    """The form for one-time passwords. `act` names the action; `code` is a code from the user's
    authenticator.
    """

    act = TextField()
    code = TextField()


class RevokeForm(InputForm):
    """The form that revokes a token. The next page lists the tokens of the property `back`. If `back` is
    empty, it lists the user's own tokens.
    """

    back = TextField()


class TokenLimits(InputForm):
    """The fields of a token that can be changed later: the networks from which it may be used, and the number
    of days before its end at which its holder is warned.
    """

    networks = TextField()
    warn_days = TextField()

    def clean_networks(self) -> list[str]:
        """Return the networks. Raise ValidationError for a text that is not a network."""
        try:
            return networks.parse(self.cleaned_data["networks"])
        except ValueError as error:
            raise forms.ValidationError(f"Networks: {error}") from None

    def clean_warn_days(self) -> int:
        """Return the number of days, by default WARN_DAYS. Raise ValidationError if the text is not a number
        from 0 to LONGEST_WARNING.
        """
        days = whole(self.cleaned_data["warn_days"] or str(WARN_DAYS))
        if days is None or not 0 <= days <= LONGEST_WARNING:
            raise forms.ValidationError(
                f"Warning: type a whole number of days from 0 to {LONGEST_WARNING}; 0 means no warning."
            )
        return days


class ChangeTokenForm(TokenLimits):
    """The form that changes a token. The next page lists the tokens of the property `back`. If `back` is
    empty, it lists the user's own tokens.
    """

    back = TextField()

    def __init__(self, data: Any, token: Token, back: str) -> None:
        initial = {"networks": "\n".join(token.networks), "warn_days": token.warn_days, "back": back}
        super().__init__(data, initial)

    def clean_networks(self) -> list[str]:
        """Return the networks. Raise ValidationError if the request does not contain the field, because a
        token without networks may be used from everywhere.
        """
        if "networks" not in self.data:
            raise forms.ValidationError("Networks: the field is missing. Reload the page.")
        return super().clean_networks()


class TokenForm(TokenLimits, ActionForm):
    """The form for a new token of a user."""

    label = IdentifierField()
    scope = ListField()
    days = TextField()

    def __init__(self, data: Any, scopes: Collection[str]) -> None:
        super().__init__(data, {"days": TOKEN_DAYS, "warn_days": WARN_DAYS})
        self.scopes = scopes
        self.order_fields(["uid", "device", "label", "scope", "days"])

    def clean_label(self) -> str:
        """Return the purpose. Raise ValidationError if it is empty."""
        label: str = self.cleaned_data["label"][:PURPOSE]
        if not label:
            raise forms.ValidationError("Purpose: type a few words, so that you recognize the token later.")
        return label

    def clean_scope(self) -> list[str]:
        """Return the chosen scopes. Raise ValidationError if no scope is chosen, or if a chosen scope is not
        offered.
        """
        chosen = set(self.cleaned_data["scope"])
        if not chosen or not chosen <= set(self.scopes):
            raise forms.ValidationError("Scopes: choose at least one, and no more than the program needs.")
        return [scope for scope in SCOPES if scope in chosen]

    def clean_days(self) -> int:
        """Return how many days the token is valid. Raise ValidationError if the text is not a number from 1
        to LONGEST.
        """
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
