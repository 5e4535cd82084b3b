"""The form for the chart of accounts: a posting and its account in the general ledger."""

from __future__ import annotations

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
