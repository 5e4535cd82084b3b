"""Forms of the floor's pages.

Pages about seats and limits carry what was in force as they were loaded (`was`), so that nobody overwrites
unseen what somebody else has changed meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, unquote

from django import forms

from casino.floor.services import Limits, Seat
from casino.web.action_form import ActionForm, AmountField, IdentifierField, PiecesForm, TextField

_find_limits = re.compile(r"([^\s:]+):([0-9]{1,15})-([0-9]{1,15})").findall


class SeatAsLoadedField(TextField):
    """Who sat at a table as the page was loaded: two quoted staff IDs, or empty."""

    def clean(self, value: Any) -> Seat | None:
        """Return the seat, or None if the form does not carry it."""
        dealer, space, supervisor = super().clean(value).partition(" ")
        return Seat(unquote(dealer), unquote(supervisor)) if space else None


def seat_text(seat: Seat) -> str:
    """Return a seat as `SeatAsLoadedField` reads it."""
    return " ".join(map(quote, seat))


class LimitsAsLoadedField(TextField):
    """The limits in force as the page was loaded, or empty."""

    def clean(self, value: Any) -> Limits | None:
        """Return the limits, or None if the form does not carry them."""
        found = _find_limits(super().clean(value))
        return {wager: (int(low), int(high)) for wager, low, high in found} or None


def limits_text(limits: Limits) -> str:
    """Return limits as `LimitsAsLoadedField` reads them."""
    return " ".join(f"{wager}:{low}-{high}" for wager, (low, high) in limits.items())


class CloseTableForm(ActionForm):
    """Nothing but the uid of the close."""


class OpenTableForm(ActionForm):
    """Who is seated first, and whether the previous shoe is continued."""

    dealer = IdentifierField()
    supervisor = IdentifierField()
    continues = forms.BooleanField(required=False)


class SeatForm(ActionForm):
    """Who is seated at one table."""

    dealer = IdentifierField()
    supervisor = IdentifierField()
    was = SeatAsLoadedField()


class ShiftChangeForm(ActionForm):
    """Who is seated at each of several tables; a table that the page did not show yet is left out."""

    def __init__(self, data: Any, tables: Iterable[str]) -> None:
        super().__init__(data)
        self.tables = [table for table in tables if f"dealer-{table}" in data]
        for table in self.tables:
            self.fields[f"dealer-{table}"] = IdentifierField()
            self.fields[f"supervisor-{table}"] = IdentifierField()
            self.fields[f"was-{table}"] = SeatAsLoadedField()
        self.full_clean()

    def seats(self) -> dict[str, Seat]:
        """Return table to the people that were entered."""
        values = self.cleaned_data
        return {
            table: Seat(values[f"dealer-{table}"], values[f"supervisor-{table}"]) for table in self.tables
        }

    def seats_as_loaded(self) -> dict[str, Seat]:
        """Return table to the people who sat there as the page was loaded."""
        seats = {table: self.cleaned_data[f"was-{table}"] for table in self.tables}
        return {table: seat for table, seat in seats.items() if seat is not None}


class LimitsForm(ActionForm):
    """Minimum and maximum of each wager."""

    was = LimitsAsLoadedField()

    def __init__(self, data: Any, wagers: Iterable[str], currency: str) -> None:
        super().__init__(data)
        self.wagers = list(wagers)
        for wager in self.wagers:
            for name in (f"least-{wager}", f"most-{wager}"):
                self.fields[name] = AmountField(name, currency, least=1)

    def limits(self) -> Limits:
        """Return wager to minimum and maximum, in minor units. Raise ActionRejected."""
        values = self.accepted()
        return {wager: (values[f"least-{wager}"], values[f"most-{wager}"]) for wager in self.wagers}


class TrayForm(PiecesForm):
    """The pieces in a tray, and whether its difference from the last closer is confirmed."""

    dealer = TextField()
    supervisor = TextField()
    stands = forms.BooleanField(required=False)
