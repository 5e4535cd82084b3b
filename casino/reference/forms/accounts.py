"""The form for the chart of accounts: a posting and its account in the general ledger."""

from __future__ import annotations

from typing import Any

from casino.reference.chart import POSTED, REGISTER, TYPES
from casino.reference.forms.entry import RegisterForm
from casino.reference.forms.member import member


class AccountForm(RegisterForm):
    register, title = REGISTER, "Chart of accounts"
    about = (
        "The account of each posting of a journal. A document keeps the account under which it was first"
        " booked."
    )
    key_label = "Posting"
    key_help = (
        f"one of {', '.join(POSTED)}; for a single game or table followed by /GAME or /TABLE, such as"
        " win/high_side or win/HS-01"
    )

    number = member(
        REGISTER, "number", max_length=10, help_text="the number in your general ledger, such as 1010"
    )
    name = member(
        REGISTER,
        "name",
        help_text="a colon separates a sub-account from its account, such as Cash:Count room",
    )
    type = member(REGISTER, "type", choices=[(account_type, account_type) for account_type in TYPES])

    def own_fields(self) -> None:
        """Add a field for each category of an account. The category `class` cannot be a field of the class
        body, because `class` is a Python keyword.
        """
        for name, label, help_text in CATEGORIES:
            self.fields[name] = member(REGISTER, name, required=False, label=label, help_text=help_text)

    def value_of(self, values: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in super().value_of(values).items() if value not in ("", [])}


CATEGORIES = (
    (
        "class",
        "Class",
        "of QuickBooks, NetSuite and Sage Intacct, such as Table games:{game} or Tables:{table}",
    ),
    ("department", "Department", "of NetSuite and Sage Intacct, or the department's number in Sage 50"),
    ("location", "Location", "of QuickBooks Online, NetSuite and Sage Intacct"),
    ("tracking", "Tracking", "one or two categories of Xero with their options, such as Table: {table}"),
)
"""The optional fields of an account: name, label and help."""
