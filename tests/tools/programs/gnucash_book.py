"""Enter journal files for QuickBooks Online into a new book of GnuCash: `gnucash_book.py BOOK FILE CURRENCY
[FILE CURRENCY ...]`. Needs the Python of Debian's package python3-gnucash.

It stores the book, opens it again, and prints as JSON the number of transactions, how many of them are not
balanced, and the balance of each account, all of them as GnuCash computes them.
"""

from __future__ import annotations

import csv
import json
import sys
from fractions import Fraction
from itertools import groupby
from typing import Any

from gnucash import Account, GncNumeric, Session, SessionOpenMode, Split, Transaction
from gnucash.gnucash_core_c import ACCT_TYPE_BANK


class Book:
    """A new book, with an account for each name and currency."""

    def __init__(self, session: Session) -> None:
        self.book = session.book
        self.accounts: dict[tuple[str, str], Account] = {}

    def account(self, name: str, currency: Any) -> Account:
        """Return the account with this name. It is made when it is first needed."""
        key = name, currency.get_mnemonic()
        if key not in self.accounts:
            account = Account(self.book)
            self.book.get_root_account().append_child(account)
            account.SetName(f"{name} {key[1]}".replace(":", " "))
            account.SetType(ACCT_TYPE_BANK)
            account.SetCommodity(currency)
            self.accounts[key] = account
        return self.accounts[key]

    def enter(self, rows: list[dict[str, str]], currency: Any) -> bool:
        """Enter a transaction into the book. Return True if its debits equal its credits."""
        transaction = Transaction(self.book)
        transaction.BeginEdit()
        transaction.SetCurrency(currency)
        month, day, year = map(int, rows[0]["Journal Date"].split("/"))
        transaction.SetDate(day, month, year)
        transaction.SetNum(rows[0]["Journal No."])
        for row in rows:
            amount = Fraction(row["Debits"] or 0) - Fraction(row["Credits"] or 0)
            unit = currency.get_fraction()
            value = GncNumeric(int(amount * unit), unit)
            split = Split(self.book)
            split.SetParent(transaction)
            split.SetAccount(self.account(row["Account Name"], currency))
            split.SetValue(value)
            split.SetAmount(value)
            split.SetMemo(row["Description"])
        is_balanced: bool = transaction.IsBalanced()
        transaction.CommitEdit()
        return is_balanced


def main(path: str, *files: str) -> None:
    """Enter the files, and print what GnuCash makes of them."""
    address, balanced = f"xml://{path}", []
    with Session(address, SessionOpenMode.SESSION_NEW_STORE) as session:
        book = Book(session)
        for file, code in zip(files[::2], files[1::2], strict=True):
            currency = session.book.get_table().lookup("CURRENCY", code)
            with open(file, newline="", encoding="utf-8-sig") as opened:
                for _, rows in groupby(csv.DictReader(opened), lambda row: row["Journal No."]):
                    balanced.append(book.enter(list(rows), currency))
        session.save()
    with Session(address, SessionOpenMode.SESSION_READ_ONLY) as session:
        balances = {}
        for account in session.book.get_root_account().get_descendants():
            balance = account.GetBalance()
            balances[account.GetName()] = str(Fraction(balance.num(), balance.denom()))
    print(
        json.dumps(
            {"transactions": len(balanced), "unbalanced": balanced.count(False), "balances": balances},
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
