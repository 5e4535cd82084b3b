"""Forms of the pages that close gaming days and adjust closed ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from casino.web.action_form import (
    ActionForm,
    AmountField,
    IdentifierField,
    InputForm,
    ListField,
    SignatureField,
    TextField,
)

DIRECTIONS = {"raises": 1, "lowers": -1}
"""For each direction: the sign of the adjustment's amount. Amounts are typed without a sign."""


class CloseDayForm(InputForm):
    """The form for closing a gaming day: the tables, and a reason. The reason is needed only if an earlier
    day of a table is open.
    """

    tables = ListField()
    reason = TextField()
    looked = TextField()

    def of_tables(self, prefix: str) -> dict[str, str]:
        """Return the fields that exist once for each table, `PREFIX-CODE`, as {code: text}."""
        return {
            name.removeprefix(f"{prefix}-"): str(value)
            for name, value in self.data.items()
            if name.startswith(f"{prefix}-")
        }


class AdjustedForm(InputForm):
    """The fields that name what is adjusted: the table and, optionally, the uid of a fact. The URL can
    contain both.
    """

    table = IdentifierField()
    of = IdentifierField()


class DirectionField(TextField):
    """A field that says whether an adjustment raises or lowers the win."""

    def clean(self, value: Any) -> int:
        """Return 1 or -1. Raise ValidationError if nothing is chosen."""
        sign = DIRECTIONS.get(super().clean(value))
        if sign is None:
            raise forms.ValidationError("Choose whether the adjustment raises or lowers the win.")
        return sign


class AdjustmentForm(ActionForm):
    """The form for the content of an adjustment, with the amount in the currency of what is adjusted."""

    direction = DirectionField()
    table = IdentifierField()
    of = IdentifierField()
    what = TextField()
    reason = TextField()
    second = SignatureField("Second signature")

    def __init__(self, data: Any, currency: str, initial: Mapping[str, Any]) -> None:
        super().__init__(data, initial)
        self.fields["amount"] = AmountField("amount", currency, minimum=1)
        self.order_fields(["uid", "direction", "amount"])
