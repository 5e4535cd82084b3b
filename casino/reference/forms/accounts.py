"""The form for the chart of accounts: a posting and its account in the general ledger."""

from __future__ import annotations

from django import forms

from casino.reference.chart import NAME_LETTERS, POSTED, REGISTER, TYPES
from casino.reference.forms.entry import RegisterForm


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
