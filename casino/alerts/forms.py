"""Forms of the pages for alerts and webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit.facts.input_parsing import whole
from casino.presentation.amount_input import parse_amount
from casino.web.action_form import (
    ActionForm,
    IdentifierField,
    IdentifiersField,
    InputForm,
    ListField,
    ParsedField,
    TextField,
    errors_of_fields,
)

NO_NUMBER = "Type a whole number, for example 10."


class RuleForm(ActionForm):
    """The form of a rule. Amounts are in the property's currency."""

    rule = IdentifierField()
    on = TextField()
    codes = IdentifiersField()
    grades = ListField()
    tables = IdentifiersField()
    over = TextField()
    minutes = ParsedField(whole, NO_NUMBER)
    page = TextField()
    people = IdentifiersField()
    roles = ListField()
    webhooks = ListField()
    quiet_from = TextField()
    quiet_to = TextField()
    breaks = TextField()

    def __init__(self, data: Any, currency: str, initial: Mapping[str, Any]) -> None:
        super().__init__(data, initial)
        self.currency = currency

    def clean_over(self) -> int | None:
        """Return the amount in minor units, or None. Raise ValidationError if it is not an amount."""
        text = self.cleaned_data["over"].strip()
        if not text:
            return None
        with errors_of_fields():
            return parse_amount(text, self.currency, "Amount", minimum=0)

    def fields_of_fact(self) -> dict[str, Any]:
        """Return the uid, the name of the rule, and the fields of its fact. Raise ActionRejected with the
        first error of the form.
        """
        values = self.accepted()
        for name in ("page", "breaks"):
            values[name] = values[name] == "on"
        for name in ("quiet_from", "quiet_to"):
            values[name] = values[name].strip() or None
        return values | {"active": True}


class NamedForm(ActionForm):
    """The form for an action on one rule or webhook."""

    name = IdentifierField()
    act = TextField()


class SeenForm(InputForm):
    """The form that marks all alerts up to a number as seen."""

    number = TextField()


class ReplayForm(InputForm):
    """The form to deliver the events of a webhook again, from a given event on."""

    number = ParsedField(whole, NO_NUMBER)


class WebhookForm(ActionForm):
    """The form of a webhook."""

    webhook = IdentifierField()
    url = TextField()
    events = ListField()


class ContactForm(InputForm):
    """The form in which users set how they want to be alerted."""

    act = TextField()
    mail = TextField()
    sound = TextField()
    quiet_from = TextField()
    quiet_to = TextField()
