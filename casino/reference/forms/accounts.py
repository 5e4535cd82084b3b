"""The form for the chart of accounts: a posting and its account in the general ledger."""

from __future__ import annotations

from typing import Any

from django import forms

from casino.reference.calendar import gaming_day
from casino.reference.chart import NAME_LETTERS, POSTED, REGISTER, TYPES, is_account
from casino.reference.forms.entry import RegisterForm
from casino.reference.registers import values_on


class AccountForm(RegisterForm):
    register, title = REGISTER, "Chart of accounts"
    about = (
        "The account of each posting of a journal. A document keeps the account under which it was first"
        " booked."
    )
    key_label = "Posting"
    key_help = (
        f"one of {', '.join(POSTED)}; behind it /GAME or /TABLE for one game or table, such as win/high_side"
        " or win/HS-01"
    )

    number = forms.CharField(max_length=10, help_text="as accounting's own books have it, such as 1010")
    name = forms.CharField(
        max_length=NAME_LETTERS, help_text="with a colon before each part, such as Cash:Count room"
    )
    type = forms.ChoiceField(choices=[(each, each) for each in TYPES])

    def clean(self) -> dict[str, Any]:
        said = super().clean()
        if not self.errors and not said["strike"]:
            for key, value in values_on(
                self.property, REGISTER, said["begins"] or gaming_day(self.property)
            ).items():
                if key != said["key"] and is_account(key, value):
                    self._beside(said, key, value)
        return said

    def _beside(self, said: dict[str, Any], key: str, value: dict[str, str]) -> None:
        """Add an error if another key has the same account with other details, or the same name for another
        account.
        """
        if value["number"] == said["number"] and (value["name"], value["type"]) != (
            said["name"],
            said["type"],
        ):
            self.add_error(
                "number",
                f"{key} has {value['number']} as “{value['name']}”, {value['type']}: say the same of it"
                " here.",
            )
        if value["name"] == said["name"] and value["number"] != said["number"]:
            self.add_error(
                "name", f"{key} has this name for the account {value['number']}: two accounts have two names."
            )
