"""The chart of accounts: find the account of a posting in the property's register `accounts`.

A key names a posting (`win`), the posting for one game (`win/high_side`) or for one table (`win/HS-01`). The
most specific entry applies. A document gets the account that is in force on the document's day, according to
the entries recorded up to the document's position. So a document keeps its account when entries are added
later. If no entry applied at that position, the document gets the account of the first later entry for its
day.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from audit import facts as f
from audit.ledger import store
from audit.replay.accounts import NAME_LETTERS as NAME_LETTERS
from audit.replay.accounts import POSTED as POSTED
from audit.replay.accounts import TYPES as TYPES
from audit.replay.accounts import Account as Account
from audit.replay.accounts import account_of_value
from audit.replay.accounts import check as check

REGISTER = "accounts"
OPTIONAL = {"vouchers": "drop"}
"""Postings that need no account: without one, their amount stays on the account of the other posting. An
account that is entered later does not change the documents that were booked before.
"""


class _Entry(NamedTuple):
    position: int
    at: datetime
    """The time at which the entry was signed. Entries that were signed together have the same time."""
    key: str
    account: Account | None
    begins: date
    ends: date


def is_account(key: str, value: Any) -> bool:
    """Return True if this value is a valid account of the register. The ledger may contain invalid values,
    because not all entries are recorded with the form.
    """
    try:
        check(key, value)
    except ValueError:
        return False
    return True


class Chart:
    """The register `accounts` of a property with its whole history, read from the ledger."""

    def __init__(self, property: str, until: int | None = None) -> None:
        """Read the entries up to the ledger position `until`, by default all entries."""
        self.entries: list[_Entry] = []
        self.known: dict[tuple[str, str, int, int], Mapping[str, Account | None]] = {}
        for position, _, _, body in store.read_kinds(property, {"register-set"}, 0):
            fact = f.decode(body)
            if (
                isinstance(fact, f.RegisterSet)
                and fact.register == REGISTER
                and (until is None or position <= until)
            ):
                self._enter(position, fact)
        self.positions = [entry.position for entry in self.entries]
        self.named = {entry.key.partition("/")[2] for entry in self.entries}
        self.bounds = sorted({bound for entry in self.entries for bound in (entry.begins, entry.ends)})

    def _enter(self, position: int, fact: f.RegisterSet) -> None:
        if fact.value is not None and not is_account(fact.key, fact.value):
            return
        account = None if fact.value is None else account_of_value(fact.value)
        self.entries.append(
            _Entry(position, fact.at, fact.key, account, fact.from_ or date.min, fact.to or date.max)
        )

    def account(self, posted: str, game: str, table: str, day: date, position: int) -> Account | None:
        """Return the account of a posting for a document at this ledger position, or None if the chart has
        none.

        Args:
            posted: the posting.
            table: the code of the table.
        """
        return self.accounts(game, table, day, position)[posted]

    def accounts(self, game: str, table: str, day: date, position: int) -> Mapping[str, Account | None]:
        """Return {posting: account} for a table on a day. The result is the same for all days between two
        days on which entries begin or end.
        """
        place, bound = bisect_right(self.positions, position), bisect_right(self.bounds, day)
        known = (game, table if table in self.named else "", bound, place)
        if known not in self.known:
            self.known[known] = {
                posted: self._optional(
                    _keys(posted, game, table), _keys(OPTIONAL[posted], game, table), day, place
                )
                if posted in OPTIONAL
                else self._found(_keys(posted, game, table), day, place)
                for posted in POSTED
            }
        return self.known[known]

    def _found(self, keys: Sequence[str], day: date, place: int) -> Account | None:
        own = self._in_force(keys, day)
        last = self.positions[place - 1] if place else 0
        if (account := _narrowest(keys, [entry for entry in own if entry.position <= last])) is not None:
            return account
        later = [entry for entry in own if entry.position > last]
        first = next((entry for entry in later if entry.account is not None), None)
        return None if first is None else _narrowest(keys, [entry for entry in later if entry.at == first.at])

    def _optional(
        self, keys: Sequence[str], other_keys: Sequence[str], day: date, place: int
    ) -> Account | None:
        """Return the account of a posting in OPTIONAL, or None if it had none when the document was booked.

        If the other posting had no account at that position either, the document is booked with the first
        later account of the other posting. An optional account that was signed together with it also counts.
        """
        last = self.positions[place - 1] if place else 0
        own, others = self._in_force(keys, day), self._in_force(other_keys, day)
        if (account := _narrowest(keys, [entry for entry in own if entry.position <= last])) is not None:
            return account
        if _narrowest(other_keys, [entry for entry in others if entry.position <= last]) is not None:
            return None
        later = (entry for entry in others if entry.position > last and entry.account is not None)
        first = next(later, None)
        if first is None:
            return None
        return _narrowest(keys, [entry for entry in own if entry.position > last and entry.at == first.at])

    def _in_force(self, keys: Sequence[str], day: date) -> list[_Entry]:
        return [entry for entry in self.entries if entry.key in keys and entry.begins <= day < entry.ends]


def _keys(posted: str, game: str, table: str) -> tuple[str, str, str]:
    """Return the keys of a posting, ordered from the most specific to the least specific."""
    return f"{posted}/{table}", f"{posted}/{game}", posted


def _narrowest(keys: Sequence[str], entries: Sequence[_Entry]) -> Account | None:
    """Return the account of the first of these keys that has one, or None if no key has. The last entry of a
    key counts. If the key was deleted, its last entry has no account.

    Args:
        keys: ordered from the most specific to the least specific.
    """
    lasts = (next((entry.account for entry in reversed(entries) if entry.key == key), None) for key in keys)
    return next((account for account in lasts if account is not None), None)
