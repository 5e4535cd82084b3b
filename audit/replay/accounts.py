"""Entries of the register `accounts`. Each says to which account a kind of amount is posted. Pure.

A key names an amount (`win`), or the amount of one game (`win/high_side`) or one table (`win/HS-01`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from audit.facts.account_value import ACCOUNT_LETTERS as NAME_LETTERS
from audit.facts.registers import read

__all__ = ["NAME_LETTERS", "POSTED", "TYPES", "Account", "account_of_value", "check", "check_key"]

POSTED = {
    "drop": "the drop as it was counted, debited to the count room",
    "win": "what a table won, credited; by game or by table if they have accounts of their own",
    "chips": "the chips in the trays of the tables",
    "fills": "chips that the cage sent to a table",
    "credits": "chips that a table sent to the cage",
    "markers": "markers that are owed by players",
    "markers-issued": "the paper of a marker, which is in the drop",
    "markers-paid": "what the cage took for a marker",
    "vouchers": "vouchers in the drop, which are paper and not cash",
    "bad-debt": "markers that were written off",
    "recoveries": "what players paid for markers that had been written off",
    "cage-cash": "cash in the cage: what it receives from the count room and sends to the bank",
    "in-transit": "cash on the way to the bank",
    "bank": "what the bank confirmed",
    "over-short": "what is over or short: between two counts, and between a closer and the next opener",
    "adjustments": "the counter entry of an adjusted settlement, which was not counted",
    "wagers": "the accounts of players at live-dealer tables, from which wagers are settled",
}
"""Every amount that is posted, with its meaning."""
TYPES = ("asset", "liability", "equity", "income", "expense")


class Account(NamedTuple):
    """An account of the accounting system: its number, its name (a colon separates a parent account from its
    sub-account), and its type. The other fields are the categories under which a line of the journal is
    booked on the account.
    """

    number: str
    name: str
    type: str
    class_: str = ""
    department: str = ""
    location: str = ""
    tracking: tuple[str, ...] = ()

    def at(self, game: str, table: str) -> Account:
        """Return the account for one table: placeholders in its categories are replaced by the name of the
        game and the table's code.
        """
        if "{" not in f"{self.class_}{self.department}{self.location}{self.tracking}":
            return self
        names = {"game": game.replace("_", " ").title(), "table": table}

        def filled(text: str) -> str:
            return _PLACEHOLDER.sub(lambda match: names[match[1]], text)

        return self._replace(
            class_=filled(self.class_),
            department=filled(self.department),
            location=filled(self.location),
            tracking=tuple(map(filled, self.tracking)),
        )


_PLACEHOLDER = re.compile(r"\{(game|table)\}")


def account_of_value(value: Mapping[str, Any]) -> Account:
    """Return the account of a valid register value."""
    return Account(
        value["number"],
        value["name"],
        value["type"],
        value.get("class", ""),
        value.get("department", ""),
        value.get("location", ""),
        tuple(value.get("tracking", ())),
    )


def check_key(key: str) -> None:
    """Raise ValueError with the message `field: reason` if the key names no amount that journals post."""
    if key and key.partition("/")[0] not in POSTED:
        raise ValueError(
            f"key: {key[:40]!r} is not a posted amount; those are {', '.join(POSTED)}, each also with /GAME"
            " or /TABLE after it"
        )


def check(key: str, value: Any) -> None:
    """Raise ValueError with the message `field: reason` if the account is invalid, or if the key names no
    amount that journals post.
    """
    check_key(key)
    read("accounts", value)
