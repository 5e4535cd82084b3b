"""Forms of the floor's pages.

A form for seats or limits also contains, in the field `was`, the values that were in force when the page was
loaded. So a user cannot overwrite a change by another user without knowing it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, unquote

from django import forms

from casino.floor.services import Limits, Seat
from casino.presentation.formatting import money
from casino.web.action_form import (
    ActionForm,
    AmountField,
    IdentifierField,
    PiecesForm,
    SignatureField,
    TextField,
)

UNCONFIRMED = "Count the tray, correct the pieces that differ from the closer, and confirm the count below."
_find_limits = re.compile(r"([^\s:]+):([0-9]{1,15})-([0-9]{1,15})").findall


class SeatAsLoadedField(TextField):
    """A field with the people who were seated at a table when the page was loaded: two quoted staff IDs, or
    empty.
    """

    def clean(self, value: Any) -> Seat | None:
        """Return the seat in the field. Return None if the field is empty."""
        dealer, space, supervisor = super().clean(value).partition(" ")
        return Seat(unquote(dealer), unquote(supervisor)) if space else None


def seat_text(seat: Seat) -> str:
    """Return a seat as text, in the form that `SeatAsLoadedField` reads."""
    return " ".join(map(quote, seat))


class LimitsAsLoadedField(TextField):
    """A field with the limits that were in force when the page was loaded, or empty."""

    def clean(self, value: Any) -> Limits | None:
        """Return the limits, or None if the form does not contain them."""
        limits = _find_limits(super().clean(value))
        return {wager: (int(low), int(high)) for wager, low, high in limits} or None


def limits_text(limits: Limits) -> str:
    """Return limits as text, in the form that `LimitsAsLoadedField` reads."""
    return " ".join(f"{wager}:{low}-{high}" for wager, (low, high) in limits.items())


class CloseTableForm(ActionForm):
    """The form for closing a table, which contains only its uid."""


class OpenTableForm(ActionForm):
    """The form for opening a table: who is seated first, and whether the previous shoe is continued."""

    dealer = IdentifierField()
    supervisor = IdentifierField()
    continues = forms.BooleanField(required=False)


class SeatForm(ActionForm):
    """The form for seating people at one table."""

    dealer = IdentifierField()
    supervisor = IdentifierField()
    was = SeatAsLoadedField()


class ShiftChangeForm(ActionForm):
    """The form for seating people at several tables. It has no fields for a table that was opened after the
    page was loaded.
    """

    def __init__(self, data: Any, tables: Iterable[str]) -> None:
        super().__init__(data)
        self.tables = [table for table in tables if f"dealer-{table}" in self.data]
        for table in self.tables:
            self.fields[f"dealer-{table}"] = IdentifierField()
            self.fields[f"supervisor-{table}"] = IdentifierField()
            self.fields[f"was-{table}"] = SeatAsLoadedField()
        self.full_clean()

    def seats(self) -> dict[str, Seat]:
        """Return {table: people entered in the form}."""
        return {
            table: Seat(self.cleaned_data[f"dealer-{table}"], self.cleaned_data[f"supervisor-{table}"])
            for table in self.tables
        }

    def seats_as_loaded(self) -> dict[str, Seat]:
        """Return {table: people who sat there when the page was loaded}."""
        seats = {table: self.cleaned_data[f"was-{table}"] for table in self.tables}
        return {table: seat for table, seat in seats.items() if seat is not None}


class LimitsForm(ActionForm):
    """The form for the minimum and maximum of each wager."""

    was = LimitsAsLoadedField()

    def __init__(self, data: Any, limits: Limits, currency: str) -> None:
        super().__init__(data)
        self.wagers = list(limits)
        for wager, (low, high) in limits.items():
            for name, amount in ((f"least-{wager}", low), (f"most-{wager}", high)):
                self.fields[name] = AmountField(name, currency, minimum=1)
                self.initial[name] = money(amount, currency)

    def ranges(self) -> list[tuple[str, forms.BoundField, forms.BoundField]]:
        """Return a tuple for each wager: its name, the field of its minimum, and the field of its maximum."""
        return [(wager, self[f"least-{wager}"], self[f"most-{wager}"]) for wager in self.wagers]

    def limits(self) -> Limits:
        """Return {wager: (minimum, maximum)} in minor units. Raise ActionRejected if a field is not an
        amount.
        """
        values = self.accepted()
        return {wager: (values[f"least-{wager}"], values[f"most-{wager}"]) for wager in self.wagers}


class TrayForm(PiecesForm):
    """The form for the pieces in a tray. If an opener differs from the last closer, the user must confirm the
    count.

    The pieces of an opener may be copied from the closer (`copied`). Then the user must confirm that the tray
    was counted.
    """

    dealer = SignatureField("Dealer, who counts")
    supervisor = SignatureField("Supervisor, who watches")
    stands = forms.BooleanField(required=False)
    copied = TextField()
    confirmed = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        """Return the values. Raise ValidationError if copied pieces are not confirmed."""
        values = super().clean() or {}
        if values.get("copied") and not values.get("confirmed"):
            self.add_error("confirmed", UNCONFIRMED)
        return values
