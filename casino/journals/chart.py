"""The chart of accounts: what is posted, and the account on which it stands by the property's register `accounts`.

A key is what is posted (`win`), or that of one game (`win/high_side`) or of one table (`win/HS-01`); the narrowest that is entered counts.
A document's account is the one that held on its day as the register stood when the document came about. Where nothing was entered then,
it is the one of the first signature that entered any for that day. So an account once given to a document is never another, whatever is
entered after it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from audit import facts as f
from audit import store

REGISTER = "accounts"
POSTED = {
    "drop": "the drop as it was counted, debited to the count room",
    "win": "what a table won, credited; by game or by table where they have accounts of their own",
    "chips": "the chips in the trays of the tables",
    "fills": "chips that the cage sent to a table",
    "credits": "chips that a table sent to the cage",
    "markers": "markers that are owed by players",
    "markers-issued": "the paper of a marker, which is in the drop",
    "markers-paid": "what the cage took for a marker",
    "over-short": "what is over or short: between two counts, and between a closer and the next opener",
    "adjustments": "what an adjusted settlement is settled with, since nothing of it was counted",
    "wagers": "the accounts of players at live-dealer tables, from which wagers are settled",
}
"""Everything that an entry posts, and what it is."""
TYPES = ("asset", "liability", "equity", "income", "expense")


class Account(NamedTuple):
    """An account as accounting names it: its number, its name (a colon stands before what is part of it), and its type."""

    number: str
    name: str
    type: str


class _Entry(NamedTuple):
    position: int
    at: datetime
    """What is signed together has one moment."""
    key: str
    account: Account | None
    begins: date
    ends: date


_NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,9}")
_NAME = re.compile(r"[^\W_][\w &'().,/-]*(?::[^\W_][\w &'().,/-]*)*")
NAME_LETTERS = 100


def check(key: str, value: Any) -> None:
    """Raises ValueError, `field: why`, for what is no account, and for a key under which nothing is posted."""
    if key and key.partition("/")[0] not in POSTED:
        raise ValueError(f"key: nothing is posted as {key[:40]!r}; there is {', '.join(POSTED)}, each also with /GAME or /TABLE behind it")
    if not isinstance(value, dict):
        raise ValueError('it: it is an object {"number": "1010", "name": "Cash:Count room", "type": "asset"}')
    number, name, type = (value.get(field) for field in Account._fields)
    if not (isinstance(number, str) and _NUMBER.fullmatch(number)):
        raise ValueError("number: at most ten letters, digits, points and hyphens, such as 1010")
    if not (isinstance(name, str) and len(name) <= NAME_LETTERS and _NAME.fullmatch(name) and name == name.strip()):
        raise ValueError("name: letters, digits, spaces and & ' ( ) . , / -, with a colon before each part: Cash:Count room")
    if type not in TYPES:
        raise ValueError(f"type: it is one of {', '.join(TYPES)}")


def is_account(key: str, value: Any) -> bool:
    """Whether the house could read such an entry. A ledger may hold one that came past the register's check."""
    try:
        check(key, value)
    except ValueError:
        return False
    return True


class Chart:
    """The register `accounts` of a property with its whole past, read from the ledger."""

    def __init__(self, property: str, until: int | None = None) -> None:
        """`until`: entries after this position are not read."""
        self.entries: list[_Entry] = []
        self.known: dict[tuple[str, str, int, int], Mapping[str, Account | None]] = {}
        for position, _, _, body in store.read_kinds(property, {"register-set"}, 0):
            fact = f.decode(body)
            if isinstance(fact, f.RegisterSet) and fact.register == REGISTER and (until is None or position <= until):
                self._enter(position, fact)
        self.positions = [entry.position for entry in self.entries]
        self.named = {entry.key.partition("/")[2] for entry in self.entries}
        self.bounds = sorted({bound for entry in self.entries for bound in (entry.begins, entry.ends)})

    def _enter(self, position: int, fact: f.RegisterSet) -> None:
        if fact.value is not None and not is_account(fact.key, fact.value):
            return
        account = None if fact.value is None else Account(*(fact.value[field] for field in Account._fields))
        self.entries.append(_Entry(position, fact.at, fact.key, account, fact.from_ or date.min, fact.to or date.max))

    def account(self, posted: str, game: str, table: str, day: date, position: int) -> Account | None:
        """Where this stands that was posted of a table (its code) on this day, in a document that came about at this position."""
        return self.accounts(game, table, day, position)[posted]

    def accounts(self, game: str, table: str, day: date, position: int) -> Mapping[str, Account | None]:
        """The same of everything that is posted. On the days between two bounds of entries it is the same."""
        place, bound = bisect_right(self.positions, position), bisect_right(self.bounds, day)
        known = (game, table if table in self.named else "", bound, place)
        if known not in self.known:
            self.known[known] = {posted: self._found((f"{posted}/{table}", f"{posted}/{game}", posted), day, place) for posted in POSTED}
        return self.known[known]

    def _found(self, keys: Sequence[str], day: date, place: int) -> Account | None:
        own = [entry for entry in self.entries if entry.key in keys and entry.begins <= day < entry.ends]
        last = self.positions[place - 1] if place else 0
        if (found := _narrowest(keys, [entry for entry in own if entry.position <= last])) is not None:
            return found
        later = [entry for entry in own if entry.position > last]
        first = next((entry for entry in later if entry.account is not None), None)
        return None if first is None else _narrowest(keys, [entry for entry in later if entry.at == first.at])


def _narrowest(keys: Sequence[str], entries: Sequence[_Entry]) -> Account | None:
    """The last account of the first key that has one. What was struck out is none."""
    lasts = (next((entry.account for entry in reversed(entries) if entry.key == key), None) for key in keys)
    return next((account for account in lasts if account is not None), None)
